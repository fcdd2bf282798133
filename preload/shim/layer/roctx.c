/* SPDX-License-Identifier: MIT */
/*
 * The layer source "roctx": the functions of libroctx64.so (roctracer) and of
 * librocprofiler-sdk-roctx.so, which are the same.  The real ones are called first, and the program
 * gets what they answer; range ids are theirs.
 */
#include "preload/api/apis.h"
#include "preload/shim/hook/hook.h"
#include "preload/shim/layer/stack.h"

#include <math.h>

#define EXPORT __attribute__((visibility("default")))

#define ROCTX(ret, name, params, args)                                                             \
	static ret(*real_##name(void)) params                                                      \
	{                                                                                          \
		return (ret(*) params)hook_next(HOOK_##name);                                      \
	}
#define NVTX(...)
#include "preload/api/ranges.def"

EXPORT void roctxMarkA(const char *message);
EXPORT void roctxMarkA(const char *message)
{
	if (real_roctxMarkA())
		real_roctxMarkA()(message);
	if (layer_wanted[LAYER_roctx])
		layer_mark(message && *message ? message : "(unnamed)", NAN, "", false);
}

EXPORT int roctxRangePushA(const char *message);
EXPORT int roctxRangePushA(const char *message)
{
	int depth = real_roctxRangePushA() ? real_roctxRangePushA()(message) : -1;

	if (layer_wanted[LAYER_roctx])
		layer_push(LAYER_roctx, message);
	return depth;
}

EXPORT int roctxRangePop(void);
EXPORT int roctxRangePop(void)
{
	int depth = real_roctxRangePop() ? real_roctxRangePop()() : -1;

	if (layer_wanted[LAYER_roctx])
		layer_pop(LAYER_roctx);
	return depth;
}

EXPORT uint64_t roctxRangeStartA(const char *message);
EXPORT uint64_t roctxRangeStartA(const char *message)
{
	uint64_t id = real_roctxRangeStartA() ? real_roctxRangeStartA()(message) : 0;

	if (layer_wanted[LAYER_roctx])
		layer_start(&(struct layer_range){.owner = LAYER_roctx,
				    .domain = "",
				    .category = "",
				    .name = message,
				    .payload = NAN},
			id);
	return id;
}

EXPORT void roctxRangeStop(uint64_t id);
EXPORT void roctxRangeStop(uint64_t id)
{
	if (real_roctxRangeStop())
		real_roctxRangeStop()(id);
	if (layer_wanted[LAYER_roctx])
		layer_end(LAYER_roctx, id);
}
