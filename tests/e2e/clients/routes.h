/* SPDX-License-Identifier: MIT */
/*
 * Programs that load a library at run time instead of being linked with it: PROGRAM ROUTE [N].
 *
 * The includer defines LIBRARY, the name of the file, and FUNCTIONS(FUNCTION), the functions that
 *it uses; lib then has pointers to them.  ROUTE is one of the program's own routes or of these:
 *
 *	name		dlopen by its name, dlsym on the handle
 *	deepbind	dlopen with RTLD_DEEPBIND
 *	default		dlopen with RTLD_GLOBAL, dlsym on RTLD_DEFAULT
 *	dlmopen		a linker namespace of its own
 */
#ifndef ROUTES_H
#define ROUTES_H

#include <dlfcn.h>

#include "common.h"

static struct {
#define POINTER(function) __typeof__(function) *function;
	FUNCTIONS(POINTER)
#undef POINTER
} lib;

struct route {
	const char *name;
	void *(*open)(void);
	void *(*look_up)(const char *function);
	bool may_lack; /* functions; the others end the program */
};

static void *handle;

static inline void *open_by_name(void)
{
	return dlopen(LIBRARY, RTLD_NOW);
}

static inline void *open_with_deepbind(void)
{
	return dlopen(LIBRARY, RTLD_NOW | RTLD_DEEPBIND);
}

static inline void *open_globally(void)
{
	return dlopen(LIBRARY, RTLD_LAZY | RTLD_GLOBAL);
}

static inline void *open_in_namespace(void)
{
	return dlmopen(LM_ID_NEWLM, LIBRARY, RTLD_NOW);
}

static inline void *look_up_in_handle(const char *function)
{
	return dlsym(handle, function);
}

static inline void *look_up_by_default(const char *function)
{
	return dlsym(RTLD_DEFAULT, function);
}

static void load(const struct route *route)
{
	handle = route->open();
	if (!handle)
		fail("%s", dlerror());
#define NAME(function) #function
#define LOOK_UP(function)                                                                          \
	lib.function = (__typeof__(lib.function))route->look_up(NAME(function));                   \
	if (!lib.function && !route->may_lack)                                                     \
		fail("%s not found", NAME(function));
	FUNCTIONS(LOOK_UP)
#undef LOOK_UP
#undef NAME
}

/* Loads the library by the route that the arguments name, does the work N times (100) and prints
 * how much it was.  Returns the exit status. */
static int run_route(int argc, char **argv, const struct route *routes, size_t count_of_routes,
	void (*work)(unsigned long times))
{
	for (size_t i = 0; argc > 1 && i < count_of_routes; i++) {
		if (strcmp(argv[1], routes[i].name))
			continue;
		load(&routes[i]);
		work(argc > 2 ? number(argv[2]) : 100);
		print_started();
		return 0;
	}
	fprintf(stderr, "usage: %s ROUTE [N]; see the source\n", program_invocation_short_name);
	return 2;
}

#endif
