/* SPDX-License-Identifier: MIT */
#include "preload/layer/stack.h"

#include <stddef.h>
#include <string.h>

#include "preload/clock.h"
#include "preload/open.h"

#define NAME_MAX_BYTES 255

struct intern layer_tree = INTERN_INIT;

static __thread struct layer_stack stack;

struct layer_stack *layer_stack(void)
{
	return &stack;
}

static uint32_t node(uint32_t parent, const char *source, const char *name)
{
	union {
		struct layer_key key;
		char bytes[sizeof(struct layer_key) + 16 + NAME_MAX_BYTES + 1];
	} buffer;
	size_t source_length = strnlen(source, 15);
	size_t name_length = strnlen(name, NAME_MAX_BYTES);
	char *text = buffer.key.source_and_name;

	buffer.key.parent = parent;
	memcpy(text, source, source_length);
	text[source_length] = 0;
	memcpy(text + source_length + 1, name, name_length);
	text[source_length + 1 + name_length] = 0;
	return intern(
		&layer_tree, &buffer, sizeof(struct layer_key) + source_length + name_length + 2);
}

void layer_push(const char *source, const char *name)
{
	unsigned depth = stack.depth++;
	uint32_t parent;

	if (depth >= LAYER_DEPTH_MAX)
		return;
	parent = depth ? stack.frames[depth - 1].layer : 0;
	stack.frames[depth] = (struct layer_frame){
		.layer = node(parent, source, name), .begin_ns = clock_now_ns()};
}

void layer_pop(void)
{
	if (!stack.depth)
		return;
	stack.depth--;
	if (stack.depth < LAYER_DEPTH_MAX && stack.frames[stack.depth].written)
		open_host.engine->layer_popped(stack.frames[stack.depth].layer, clock_now_ns());
}
