/* SPDX-License-Identifier: MIT */
/* A simulated libroctx64.so.4: it returns depths and ids, and counts its calls. */
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

static __thread int depth;
static unsigned calls;

EXPORT unsigned sim_roctx_calls(void);
EXPORT unsigned sim_roctx_calls(void)
{
	return calls;
}

static void count(void)
{
	__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}

EXPORT int roctxRangePushA(const char *message);
EXPORT int roctxRangePushA(const char *message)
{
	(void)message;
	count();
	return depth++;
}

EXPORT int roctxRangePop(void);
EXPORT int roctxRangePop(void)
{
	count();
	return depth ? --depth : -1;
}

EXPORT uint64_t roctxRangeStartA(const char *message);
EXPORT uint64_t roctxRangeStartA(const char *message)
{
	static uint64_t last;

	(void)message;
	count();
	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

EXPORT void roctxRangeStop(uint64_t id);
EXPORT void roctxRangeStop(uint64_t id)
{
	(void)id;
	count();
}
