/* SPDX-License-Identifier: MIT */
/* The exported functions of apis.def, and the table of all. */
#include "preload/api/apis.h"
#include "preload/shim/hook/hook.h"

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

/* ---- by symbol, and OpenCL by the ICD loader's layer table too: what each role has ---- */

#define BY_SYMBOL(ret, name, params, args)                                                         \
	EXPORT ret name params;                                                                    \
	TRAMPOLINE(EXPORT, HOOK_BY_SYMBOL, , ret, name, params, args)
#define BY_LAYER(...) TRAMPOLINE(static, HOOK_BY_LAYER, layer_, __VA_ARGS__)

#define SYMBOL_PLAIN(...)
#define SYMBOL_FOLLOWS(...) BY_SYMBOL(__VA_ARGS__)
#define SYMBOL_OPENS(...) BY_SYMBOL(__VA_ARGS__)
#define SYMBOL_LAUNCHES(...) BY_SYMBOL(__VA_ARGS__)
#define SYMBOL_ANSWERS(ret, name, params, args) EXPORT ret name params;
#define HOOK(api, index, ret, name, params, args, role) SYMBOL_##role(ret, name, params, args)
#include "preload/api/apis.def"
#undef HOOK

#define LAYER_PLAIN(...)
#define LAYER_FOLLOWS(...) BY_LAYER(__VA_ARGS__)
#define LAYER_OPENS(...) BY_LAYER(__VA_ARGS__)
#define LAYER_LAUNCHES(...) BY_LAYER(__VA_ARGS__)
#define HOOK(api, index, ret, name, params, args, role) LAYER_##role(ret, name, params, args)
#include "preload/api/opencl.def"
#undef HOOK

/* ---- where they jump to at first ---- */

#define FIRST_PLAIN(path, name, first)
#define FIRST_FOLLOWS(path, name, first) [path][HOOK_##name] = first,
#define FIRST_OPENS(path, name, first) [path][HOOK_##name] = first,
#define FIRST_LAUNCHES(path, name, first) [path][HOOK_##name] = first,
#define FIRST_ANSWERS(path, name, first)

void *hook_target[HOOK_PATHS][HOOK_COUNT] = {
#define HOOK(api, index, ret, name, params, args, role)                                            \
	FIRST_##role(HOOK_BY_SYMBOL, name, first_##name)
#include "preload/api/apis.def"
#undef HOOK
#define HOOK(api, index, ret, name, params, args, role)                                            \
	FIRST_##role(HOOK_BY_LAYER, name, layer_first_##name)
#include "preload/api/opencl.def"
#undef HOOK
};

/* ---- the tables ---- */

#define EXPORTED_PLAIN(name) NULL
#define EXPORTED_FOLLOWS(name) name
#define EXPORTED_OPENS(name) name
#define EXPORTED_LAUNCHES(name) name
#define EXPORTED_ANSWERS(name) name

const struct hook_row hook_rows[HOOK_COUNT] = {
#define HOOK(api_, index_, ret, name_, params, args, role_)                                        \
	[HOOK_##name_] = {.name = #name_,                                                          \
		.trampoline = EXPORTED_##role_(name_),                                             \
		.index = index_,                                                                   \
		.api = HOOK_API_##api_,                                                            \
		.role = HOOK_##role_,                                                              \
		.returns_status = __builtin_types_compatible_p(ret, int32_t)},
#include "preload/api/apis.def"
#undef HOOK
};

void *const hook_layer_trampolines[HOOK_COUNT] = {
#define HOOK(api, index, ret, name, params, args, role)                                            \
	[HOOK_##name] = EXPORTED_##role(layer_##name),
#include "preload/api/opencl.def"
#undef HOOK
};
