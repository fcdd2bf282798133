/* SPDX-License-Identifier: MIT */
/* The layer source "api": what programs reach through include/pwrtrace/pwrtrace.h. */
#include "pwrtrace/pwrtrace.h"

#include "preload/shim/layer/stack.h"

static void push(const char *name)
{
	if (layer_wanted[LAYER_api])
		layer_push(LAYER_api, name);
}

static void pop(void)
{
	if (layer_wanted[LAYER_api])
		layer_pop(LAYER_api);
}

/* Before the first use of a GPU there is no trace to write to: a mark is then a use of pwrtrace
 * that the program wants recorded, and opens the engine. */
static void mark(const char *name, double value, const char *unit)
{
	layer_mark(name, value, unit, true);
}

extern const struct pwrtrace_api pwrtrace_api_1;
__attribute__((visibility("default"))) const struct pwrtrace_api pwrtrace_api_1 = {push, pop, mark};
