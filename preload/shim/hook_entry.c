/* SPDX-License-Identifier: MIT */
#include "preload/api/apis.h"
#include "preload/shim/hook.h"

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
#define BY_SYMBOL(ret, name, params, args)                                                         \
	EXPORT ret name params;                                                                    \
	TRAMPOLINE(EXPORT, HOOK_BY_SYMBOL, , ret, name, params, args)
#define BY_LAYER(...) TRAMPOLINE(static, HOOK_BY_LAYER, layer_, __VA_ARGS__)

/* The paths of each API ... */
#define PATHS_opencl(...) BY_SYMBOL(__VA_ARGS__) BY_LAYER(__VA_ARGS__)
#define PATHS_cuda(...) BY_SYMBOL(__VA_ARGS__)
#define PATHS_cupti(...) BY_SYMBOL(__VA_ARGS__)
#define PATHS_hip(...) BY_SYMBOL(__VA_ARGS__)
#define TRAMPOLINES_opencl(name)                                                                   \
	{                                                                                          \
		name, layer_##name                                                                 \
	}
#define TRAMPOLINES_cuda(name)                                                                     \
	{                                                                                          \
		name, NULL                                                                         \
	}
#define TRAMPOLINES_cupti(name) TRAMPOLINES_cuda(name)
#define TRAMPOLINES_hip(name) TRAMPOLINES_cuda(name)
#define FIRSTS_opencl(name)                                                                        \
	[HOOK_BY_SYMBOL][HOOK_##name] = first_##name,                                              \
	[HOOK_BY_LAYER][HOOK_##name] = layer_first_##name,
#define FIRSTS_cuda(name) [HOOK_BY_SYMBOL][HOOK_##name] = first_##name,
#define FIRSTS_cupti(name) FIRSTS_cuda(name)
#define FIRSTS_hip(name) FIRSTS_cuda(name)

/* ... and what each role has of them. */
#define ENTRY_PLAIN(api, ...)
#define ENTRY_FOLLOWS(api, ...) PATHS_##api(__VA_ARGS__)
#define ENTRY_OPENS(api, ...) PATHS_##api(__VA_ARGS__)
#define ENTRY_LAUNCHES(api, ...) PATHS_##api(__VA_ARGS__)
#define ENTRY_ANSWERS(api, ret, name, params, args) EXPORT ret name params;
#define ENDS_PLAIN(api, name)                                                                      \
	{                                                                                          \
		NULL, NULL                                                                         \
	}
#define ENDS_FOLLOWS(api, name) TRAMPOLINES_##api(name)
#define ENDS_OPENS(api, name) TRAMPOLINES_##api(name)
#define ENDS_LAUNCHES(api, name) TRAMPOLINES_##api(name)
#define ENDS_ANSWERS(api, name)                                                                    \
	{                                                                                          \
		name, NULL                                                                         \
	}
#define FIRST_PLAIN(api, name)
#define FIRST_FOLLOWS(api, name) FIRSTS_##api(name)
#define FIRST_OPENS(api, name) FIRSTS_##api(name)
#define FIRST_LAUNCHES(api, name) FIRSTS_##api(name)
#define FIRST_ANSWERS(api, name)

#define HOOK(api, index, ret, name, params, args, role) ENTRY_##role(api, ret, name, params, args)
#include "preload/api/apis.def"
#undef HOOK

void *hook_target[HOOK_PATHS][HOOK_COUNT] = {
#define HOOK(api, index, ret, name, params, args, role) FIRST_##role(api, name)
#include "preload/api/apis.def"
#undef HOOK
};

const struct hook_row hook_rows[HOOK_COUNT] = {
#define HOOK(api_, index_, ret, name_, params, args, role_)                                        \
	[HOOK_##name_] = {.name = #name_,                                                          \
		.trampoline = ENDS_##role_(api_, name_),                                           \
		.index = index_,                                                                   \
		.api = HOOK_API_##api_,                                                            \
		.role = HOOK_##role_,                                                              \
		.returns_status = __builtin_types_compatible_p(ret, int32_t)},
#include "preload/api/apis.def"
#undef HOOK
};
