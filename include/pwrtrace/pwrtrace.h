/* SPDX-License-Identifier: MIT */
/*
 * Naming the parts of a program, so that pwrtrace can say how many joules each of them cost.
 *
 *	pwrtrace_push("block 0");
 *	pwrtrace_push("attention");
 *	clEnqueueNDRangeKernel(...);		belongs to "block 0" > "attention"
 *	pwrtrace_pop();
 *	pwrtrace_pop();
 *	pwrtrace_mark("tokens", 128, "token");
 *
 * Include this header and nothing else: there is no library to link with.  A program under
 * pwrtrace finds it at run time; elsewhere, and in static programs, the calls do nothing.
 *
 * Threads	Every thread has its own stack of layers, empty at its start.  All calls are safe
 *		from any thread at any time, except inside signal handlers.
 * Launches	A kernel or copy belongs to the layers that its launching thread has open at the
 *		launching call, however late the device runs it.
 * Strings	NUL-terminated UTF-8, not NULL, copied before the call returns. A name is
 *		cut after 1 KiB and then ends in an ellipsis; "" is "(unnamed)".
 * Errors	None are reported and errno is kept.
 * Cost		A few nanoseconds where nothing records.  The first call of each source file looks
 *		pwrtrace up with dlsym: microseconds, and a dlerror message where it is absent.
 * Language	C99 or C++11 and later, GCC or Clang on ELF systems; elsewhere nothing is done. With
 *		glibc before 2.34, link with -ldl.
 */
#ifndef PWRTRACE_PWRTRACE_H
#define PWRTRACE_PWRTRACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What libpwrtrace.so exports, as the object `const struct pwrtrace_api pwrtrace_api_1`; programs
 * call the functions further below.  Members never change; others get an object of a new name.
 */
struct pwrtrace_api {
	void (*push)(const char *name);
	void (*pop)(void);
	void (*mark)(const char *name, double value, const char *unit);
};

#if defined(__GNUC__) && defined(__ELF__)
/* Not <dlfcn.h>: strict ISO modes hide RTLD_DEFAULT there, and a strong reference would pull the
 * dynamic loader into static programs.  Every shared libc defines dlsym, so that this weak
 * reference, unlike one to a symbol of pwrtrace's own, holds in -no-pie programs too. */
static void *pwrtrace_dlsym(void *handle, const char *symbol) __attribute__((weakref("dlsym")));
#endif

/* Returns pwrtrace's functions, or a table of null pointers where it is not loaded. */
static inline const struct pwrtrace_api *pwrtrace_find(void)
{
	static const struct pwrtrace_api absent = {NULL, NULL, NULL};
#if defined(__GNUC__) && defined(__ELF__)
	static const struct pwrtrace_api *cached;
	const struct pwrtrace_api *api = __atomic_load_n(&cached, __ATOMIC_ACQUIRE);
	void *const rtld_default = NULL;

	if (__builtin_expect(!api, 0)) {
		if (pwrtrace_dlsym)
			api = (const struct pwrtrace_api *)pwrtrace_dlsym(
				rtld_default, "pwrtrace_api_1");
		if (!api)
			api = &absent;
		__atomic_store_n(&cached, api, __ATOMIC_RELEASE);
	}
	return api;
#else
	return &absent;
#endif
}

/* Opens a layer inside the layers that this thread has open. */
static inline void pwrtrace_push(const char *name)
{
	const struct pwrtrace_api *api = pwrtrace_find();

	if (api->push)
		api->push(name);
}

/* Closes the layer that this thread opened last; does nothing when none is open. */
static inline void pwrtrace_pop(void)
{
	const struct pwrtrace_api *api = pwrtrace_find();

	if (api->pop)
		api->pop();
}

/*
 * Says that something happened now, in this thread's open layers: how much of it, in which unit.
 * The unit is a symbol of the SI or a noun in the singular ("J", "token", "image"), "" for a pure
 * number.
 */
static inline void pwrtrace_mark(const char *name, double value, const char *unit)
{
	const struct pwrtrace_api *api = pwrtrace_find();

	if (api->mark)
		api->mark(name, value, unit);
}

#ifdef __cplusplus
}

namespace pwrtrace
{
/* A layer that is open as long as the object lives: pwrtrace::range attention("attention"); */
class range
{
      public:
	explicit range(const char *name)
	{
		pwrtrace_push(name);
	}
	~range()
	{
		pwrtrace_pop();
	}
	range(const range &) = delete;
	range &operator=(const range &) = delete;
};
} // namespace pwrtrace
#endif

#endif
