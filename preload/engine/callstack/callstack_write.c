/* SPDX-License-Identifier: MIT */
/* Writes call stacks into the trace, as a tree of frames: a stack is named by its innermost frame.
 */
#include "preload/engine/callstack/callstack.h"

#include <stddef.h>
#include <string.h>

#include "preload/engine/callstack/modules.h"
#include "preload/engine/callstack/python.h"
#include "preload/engine/callstack/stack_table.h"
#include "preload/engine/callstack/walk.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"

/* A frame below its caller; compared byte by byte. */
struct frame_node {
	uint32_t caller;   /* its id; 0: outermost; PWRTRACE_UNKNOWN_U32: the callers are missing */
	uint32_t function; /* a Python function; 0: native code, and then: */
	uint32_t module;   /* 0: none, address is absolute */
	uint32_t zero;
	uint64_t address; /* the return address in the module */
};

static struct intern nodes;
static struct intern functions;

/* What identifies a Python function: its first line, and its name and file, each with its NUL. */
struct function_key {
	uint32_t line;
	char name_and_file[];
};

static uint32_t module_of(const struct call_stack *stack, unsigned frame)
{
	return modules_id(walk_module(stack->pc[frame], stack->epoch));
}

/* Returns the first frame that is the program's: those of GPU libraries and ours are left out. */
static unsigned program_begins(const struct call_stack *stack)
{
	for (unsigned i = 0; i < stack->count; i++) {
		uint32_t module = module_of(stack, i);

		if (!module || !modules_key(module)->driver)
			return i;
	}
	return 0;
}

static uint32_t function_id(uint32_t number)
{
	struct python_function *function = python_function(number);
	union {
		struct function_key key;
		char bytes[sizeof(struct function_key) + 1024];
	} buffer;
	const char *name = function->name_and_file;
	size_t bytes = strlen(name) + 1;

	if (!number || function->id)
		return number ? function->id : 0;
	bytes += strlen(name + bytes) + 1;
	buffer.key.line = function->line;
	memcpy(buffer.key.name_and_file, name, bytes);
	function->id =
		intern(&functions, &buffer, offsetof(struct function_key, name_and_file) + bytes);
	return function->id;
}

static uint32_t native_node(const struct call_stack *stack, unsigned frame, uint32_t caller)
{
	struct frame_node node = {
		.caller = caller, .module = module_of(stack, frame), .address = stack->pc[frame]};

	if (node.module)
		node.address -= modules_key(node.module)->base;
	return intern(&nodes, &node, sizeof(node));
}

/* Adds the Python functions that one call of the interpreter's loop runs, from the outermost, at
 * end - 1, to the innermost, at begin.  Returns the innermost node. */
static uint32_t python_nodes(
	const struct call_stack *stack, unsigned begin, unsigned end, uint32_t caller)
{
	for (unsigned i = end; i > begin; i--) {
		uint32_t number = (uint32_t)stack->pc[stack->count + i - 1];
		struct frame_node node = {.caller = caller, .function = function_id(number)};

		if (node.function)
			caller = intern(&nodes, &node, sizeof(node));
	}
	return caller;
}

/* Finds for each native frame where the Python frames begin that it runs.  Returns the module of
 * the interpreter, 0 if no Python runs. */
static uint32_t pair_python(const struct call_stack *stack, uint16_t begins[WALK_DEPTH_MAX + 1])
{
	unsigned frame = 0;
	uint32_t interpreter = 0;

	for (unsigned i = 0; i < stack->count; i++) {
		begins[i] = (uint16_t)frame;
		if (!stack->python_count || !python_is_loop(stack->pc[i]))
			continue;
		interpreter = module_of(stack, i);
		while (frame < stack->python_count &&
			!(stack->pc[stack->count + frame] & PYTHON_ENTRY))
			frame++;
		frame += frame < stack->python_count;
	}
	begins[stack->count] = (uint16_t)frame;
	return interpreter;
}

/* Makes the nodes of a stack.  Frames of the interpreter are replaced by the Python functions that
 * it runs. */
static void resolve(struct call_stack *stack)
{
	uint32_t node = stack->cut ? PWRTRACE_UNKNOWN_U32 : 0;
	unsigned begin = program_begins(stack);
	uint16_t begins[WALK_DEPTH_MAX + 1];
	uint32_t interpreter = pair_python(stack, begins);

	for (unsigned i = stack->count; i > begin; i--) {
		if (!interpreter || module_of(stack, i - 1) != interpreter)
			node = native_node(stack, i - 1, node);
		else
			node = python_nodes(stack, begins[i - 1], begins[i], node);
	}
	stack->node = node;
}

static void write_function(uint32_t id)
{
	const struct function_key *key = (const void *)intern_get(&functions, id)->bytes;
	const char *name = key->name_and_file;

	tp_function_def(&(struct pwrtrace_function_def){.process = process_number,
		.function = id,
		.line = key->line,
		.name = name,
		.file = name + strlen(name) + 1});
}

static void write_module(uint32_t id)
{
	const struct module_key *module = modules_key(id);
	const char *path = module->path_and_build_id;

	tp_module_def(&(struct pwrtrace_module_def){.process = process_number,
		.module = id,
		.base = module->base,
		.size = module->size,
		.path = path,
		.build_id = path + strlen(path) + 1});
}

static void write_node(uint32_t id)
{
	const struct frame_node *node = (const struct frame_node *)intern_get(&nodes, id)->bytes;

	tp_stack_def(&(struct pwrtrace_stack_def){.process = process_number,
		.stack = id,
		.parent_stack = node->caller,
		.module = node->module,
		.address = node->address,
		.function = node->function});
}

void callstack_write(bool anew)
{
	static const struct {
		const struct intern *set;
		void (*write)(uint32_t id);
	} tables[] = {{&modules_in_trace, write_module}, {&functions, write_function},
		{&nodes, write_node}};
	static uint32_t written[3];

	if (!callstack_wanted())
		return;
	if (modules_gone())
		walk_forget();
	for (uint32_t fresh = stack_table_fresh(); fresh; fresh = stack_table_stack(fresh)->next)
		resolve(stack_table_stack(fresh));
	for (int i = 0; i < 3; i++) {
		uint32_t count = intern_count(tables[i].set);

		if (anew)
			written[i] = 0;
		while (written[i] < count)
			tables[i].write(++written[i]);
	}
	lost_write("stack_def", "the table of call stacks is full", stack_table_lost());
	lost_write(
		"stack_def", "the table of unwinding rules is full: stacks end early", walk_lost());
}

uint32_t callstack_in_trace(uint32_t stack)
{
	return stack ? stack_table_stack(stack)->node : 0;
}
