/* SPDX-License-Identifier: MIT */
/* The layer source "api": what programs reach through include/pwrtrace/pwrtrace.h. */
#include "pwrtrace/pwrtrace.h"

#include "preload/clock.h"
#include "preload/conf.h"
#include "preload/layer/stack.h"
#include "preload/open.h"

static bool layers_wanted(void)
{
	return open_wanted() && conf_lists(conf.layers, "api");
}

static void push(const char *name)
{
	if (layers_wanted())
		layer_push("api", name);
}

static void pop(void)
{
	if (layers_wanted())
		layer_pop();
}

/* Before the first use of a GPU there is no trace to write to: a mark is then a use of pwrtrace
 * that the program wants recorded, and opens the engine. */
static void mark(const char *name, double value, const char *unit)
{
	uint64_t time_ns = clock_now_ns();
	const struct layer_stack *stack = layer_stack();
	unsigned depth = stack->depth < LAYER_DEPTH_MAX ? stack->depth : LAYER_DEPTH_MAX;
	uint32_t layer = depth ? stack->frames[depth - 1].layer : 0;

	if (open_engine(true) == OPEN_READY)
		open_host.engine->mark(name, value, unit, layer, time_ns);
}

extern const struct pwrtrace_api pwrtrace_api_1;
__attribute__((visibility("default"))) const struct pwrtrace_api pwrtrace_api_1 = {push, pop, mark};
