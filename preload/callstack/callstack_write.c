/* SPDX-License-Identifier: MIT */
/* Call stacks into the trace: a tree of frames, whose leaves are the stacks. */
#include "preload/callstack/callstack.h"

#include <string.h>

#include "preload/callstack/modules.h"
#include "preload/callstack/table.h"
#include "preload/callstack/walk.h"
#include "preload/gpu/gpu_write.h"
#include "preload/tp_emit.h"

/* A frame under its caller; compared byte by byte. */
struct node {
	uint32_t caller; /* PWRTRACE_UNKNOWN_U32: frames that were not taken */
	uint32_t module; /* 0: none, address is as the process has it */
	uint64_t address;
};

static struct intern nodes = INTERN_INIT;

static uint32_t module_of(const struct stack *stack, unsigned frame)
{
	return modules_id(walk_module(stack->pc[frame], stack->epoch));
}

/* The frames between the program's call and us are of no interest. */
static unsigned program_begins(const struct stack *stack)
{
	for (unsigned i = 0; i < stack->count; i++) {
		uint32_t module = module_of(stack, i);

		if (!module || !modules_key(module)->driver)
			return i;
	}
	return 0;
}

static void resolve(struct stack *stack)
{
	struct node node = {.caller = stack->cut ? PWRTRACE_UNKNOWN_U32 : 0};
	unsigned begin = program_begins(stack);

	for (unsigned i = stack->count; i > begin; i--) {
		node.module = module_of(stack, i - 1);
		node.address = stack->pc[i - 1];
		if (node.module)
			node.address -= modules_key(node.module)->base;
		node.caller = intern(&nodes, &node, sizeof(node));
	}
	stack->node = node.caller;
}

static void write_module(uint32_t pid, uint32_t id)
{
	const struct module_key *module = modules_key(id);
	const char *path = module->path_and_build_id;

	tp_module_def(&(struct pwrtrace_module_def){.pid = pid,
		.module = id,
		.base = module->base,
		.size = module->size,
		.path = path,
		.build_id = path + strlen(path) + 1});
}

static void write_node(uint32_t pid, uint32_t id)
{
	const struct node *node = (const struct node *)intern_get(&nodes, id)->bytes;

	tp_stack_def(&(struct pwrtrace_stack_def){.pid = pid,
		.stack = id,
		.parent_stack = node->caller,
		.module = node->module,
		.address = node->address});
}

void callstack_write(uint32_t pid, bool anew)
{
	static const struct {
		const struct intern *set;
		void (*write)(uint32_t pid, uint32_t id);
	} tables[] = {{&modules_in_trace, write_module}, {&nodes, write_node}};
	static uint32_t written[2];

	if (!callstack_wanted())
		return;
	if (modules_gone())
		walk_forget();
	for (uint32_t fresh = table_fresh(); fresh; fresh = table_stack(fresh)->next)
		resolve(table_stack(fresh));
	for (int i = 0; i < 2; i++) {
		uint32_t count = intern_count(tables[i].set);

		if (anew)
			written[i] = 0;
		while (written[i] < count)
			tables[i].write(pid, ++written[i]);
	}
	gpu_write_lost("stack_def", "the table of call stacks is full", table_lost());
	gpu_write_lost(
		"stack_def", "the table of unwinding rules is full: stacks end early", walk_lost());
}

uint32_t callstack_in_trace(uint32_t stack)
{
	return stack ? table_stack(stack)->node : 0;
}
