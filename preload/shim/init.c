/* SPDX-License-Identifier: MIT */
/*
 * The shim's life: what happens in every process that is started under LD_PRELOAD, and when it
 * ends.  Both must cost microseconds.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/shim/base/layer_source.h"
#include "preload/shim/base/real_dlsym.h"
#include "preload/shim/base/tool.h"
#include "preload/shim/layer/python.h"
#include "preload/shim/layer/stack.h"
#include "preload/shim/open/open.h"

#define EXPORT __attribute__((visibility("default")))

/* The ICD loader opens the library named here and asks it for a layer (opencl_layer.c).  The
 * layer last in the list is the one nearest the program; we stay behind the user's own. */
static void offer_opencl_layer(void)
{
	char list[2 * PATH_MAX], others[2 * PATH_MAX], *layer, *rest = others;

	if (!conf_lists(conf.opencl, "layer") || !*tool_path())
		return;
	snprintf(list, sizeof(list), "%s", tool_path());
	snprintf(others, sizeof(others), "%s", getenv("OPENCL_LAYERS") ?: "");
	while ((layer = strsep(&rest, ":")))
		if (*layer && !tool_is_copy(layer) &&
			strlen(list) + strlen(layer) + 2 <= sizeof(list))
			strcat(strcat(list, ":"), layer);
	setenv("OPENCL_LAYERS", list, 1);
}

/* Opening the engine knows nothing of layers, which lie above it. */
static void connect_layers(void)
{
	open_host.layer_stack = layer_stack;
	open_host.layers_ended = &layer_ended_elsewhere;
	open_host.layer_tree = &layer_tree;
	open_host.layer_lost = &layer_lost;
	pthread_atfork(NULL, NULL, layer_after_fork);
}

__attribute__((constructor)) static void begin(void)
{
	int saved_errno = errno;

	conf_read();
	log_init();
	open_init(shim_preloaded());
	/* In the first process of a recording: its children have the same settings. */
	if (!*conf.recording)
		log_refused_settings();
	if (open_wanted()) {
		layer_sources_read();
		connect_layers();
	}
	/* Opened later, we leave the environment alone: threads may be reading it. */
	if (open_wanted() && shim_preloaded()) {
		layer_sources_offer_tool();
		python_offer_module();
		offer_opencl_layer();
		/* The CUDA driver opens it within cuInit (cuda_resolve.c), whatever way the
		 * program came by the driver. */
		tool_offer("CUDA_INJECTION64_PATH");
	}
	errno = saved_errno;
}

/* These run no destructors: Python's multiprocessing, for one, ends its children so. */
EXPORT _Noreturn void abort(void);
EXPORT _Noreturn void abort(void)
{
	void (*next)(void) = (void (*)(void))real_dlsym(RTLD_NEXT, "abort");

	open_flush();
	next();
	__builtin_unreachable();
}

#define ENDING(name)                                                                               \
	EXPORT _Noreturn void name(int status);                                                    \
	EXPORT _Noreturn void name(int status)                                                     \
	{                                                                                          \
		void (*next)(int) = (void (*)(int))real_dlsym(RTLD_NEXT, #name);                   \
                                                                                                   \
		open_flush();                                                                      \
		next(status);                                                                      \
		__builtin_unreachable();                                                           \
	}
ENDING(_exit)
ENDING(_Exit)
ENDING(quick_exit)
