/* SPDX-License-Identifier: MIT */
/* The entry points of apis.def as the shim and the engine number them. */
#ifndef PWRTRACE_HOOKS_H
#define PWRTRACE_HOOKS_H

enum hook_id {
#define HOOK(api, index, ret, name, params, args, role) HOOK_##name,
#include "preload/api/apis.def"
#undef HOOK
	HOOK_COUNT
};

enum hook_api {
#define API(name, ...) HOOK_API_##name,
#include "preload/api/apis.def"
	HOOK_APIS
};

enum hook_role {
	HOOK_PLAIN,    /* not hooked, but called by the engine */
	HOOK_FOLLOWS,  /* of interest once the engine is open */
	HOOK_OPENS,    /* the first call opens the engine */
	HOOK_LAUNCHES, /* the same, and it starts work on a device */
	HOOK_ANSWERS,  /* the shim answers it itself: hands out entry points, names layers */
};

#endif
