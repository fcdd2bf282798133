/* SPDX-License-Identifier: MIT */
#include "preload/gpu/opencl_abi.h"
#include "preload/hook.h"

#define EXPORT __attribute__((visibility("default")))

#define TRAMPOLINE(linkage, path, prefix, ret, name, params, args)                                 \
	static ret prefix##first_##name params                                                     \
	{                                                                                          \
		ret(*first) params = hook_first(path, HOOK_##name);                                \
		return first args;                                                                 \
	}                                                                                          \
	linkage ret prefix##name params                                                            \
	{                                                                                          \
		ret(*target) params =                                                              \
			__atomic_load_n(&hook_target[path][HOOK_##name], __ATOMIC_RELAXED);        \
		return target args;                                                                \
	}

#define HOOK(index, ret, name, params, args, opens)                                                \
	EXPORT ret name params;                                                                    \
	TRAMPOLINE(EXPORT, HOOK_BY_SYMBOL, , ret, name, params, args)                              \
	TRAMPOLINE(static, HOOK_BY_LAYER, layer_, ret, name, params, args)
#include "preload/gpu/opencl.def"
#undef HOOK

void *hook_target[HOOK_PATHS][HOOK_COUNT] = {
#define HOOK(index, ret, name, params, args, opens)                                                \
	[HOOK_BY_SYMBOL][HOOK_##name] = first_##name,                                              \
	[HOOK_BY_LAYER][HOOK_##name] = layer_first_##name,
#include "preload/gpu/opencl.def"
#undef HOOK
};

const struct hook_row hook_rows[HOOK_COUNT] = {
#define HOOK(index, ret, name, params, args, can_open)                                             \
	[HOOK_##name] = {#name, {name, layer_##name}, index, can_open,                             \
		__builtin_types_compatible_p(ret, cl_int)},
#define PLAIN(index, ret, name, params)                                                            \
	[HOOK_##name] = {                                                                          \
		#name, {NULL, NULL}, index, false, __builtin_types_compatible_p(ret, cl_int)},
#include "preload/gpu/opencl.def"
#undef HOOK
};
