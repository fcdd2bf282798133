/* SPDX-License-Identifier: MIT */
#include "preload/engine/callstack/callstack.h"

#include <string.h>

#include "preload/common/conf.h"
#include "preload/common/launch_path.h"
#include "preload/common/log.h"
#include "preload/engine/callstack/call_site.h"
#include "preload/engine/callstack/python.h"

enum stack_mode { STACKS_OFF, STACKS_BY_SITE, STACKS_BY_LAUNCH };
READ_AT_LAUNCH static enum stack_mode mode = STACKS_OFF;

static void start(enum stack_mode wanted)
{
	if (!walk_start() || !stack_table_start() ||
		(wanted == STACKS_BY_SITE && !call_site_start())) {
		log_error(
			"no call stacks are recorded: no memory, or libunwind does not work here");
		return;
	}
	python_start();
	mode = wanted;
}

void callstack_start(void)
{
	enum stack_mode wanted = strcmp(conf.stacks, "site") == 0     ? STACKS_BY_SITE
				 : strcmp(conf.stacks, "launch") == 0 ? STACKS_BY_LAUNCH
								      : STACKS_OFF;

	if (wanted && !mode)
		start(wanted);
}

bool callstack_wanted(void)
{
	return mode != STACKS_OFF;
}

/* This library's own code. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

static bool is_own(uint64_t pc)
{
	return pc >= (uint64_t)__ehdr_start && pc <= (uint64_t)etext;
}

/* Returns the id of a stack that is not at a known site. */
static APART uint32_t learn(struct stack_walk *stack)
{
	unsigned first = 0;
	uint32_t id;

	walk(stack);
	while (first < stack->count && is_own(stack->pc[first]))
		first++;
	if (first == stack->count)
		return 0;
	id = stack_table_id(stack, first);
	if (id && mode == STACKS_BY_SITE)
		call_site_add(stack, first, id);
	return id;
}

static APART uint32_t find_or_learn(uint64_t base, uint32_t epoch)
{
	struct stack_walk stack;
	uint32_t id;

	stack.base = base;
	stack.epoch = epoch;
	stack.python_count = python_walk(stack.python, WALK_DEPTH_MAX);
	id = mode == STACKS_BY_SITE ? call_site_find(&stack) : 0;
	return id ? id : learn(&stack);
}

EACH_LAUNCH uint32_t callstack_current(void)
{
	uint64_t base = (uint64_t)__builtin_frame_address(0);
	uint32_t epoch = walk_epoch(), id;

	if (!mode)
		return 0;
	id = mode == STACKS_BY_SITE ? call_site_expected(base, epoch) : 0;
	return id ? id : find_or_learn(base, epoch);
}
