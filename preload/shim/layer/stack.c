/* SPDX-License-Identifier: MIT */
#include "preload/shim/layer/stack.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "preload/common/clock.h"
#include "preload/common/launch_path.h"
#include "preload/shim/layer/name.h"
#include "preload/shim/open/open.h"

struct intern layer_tree = {.limit = LAYERS_MAX};
struct layer_lost layer_lost;

static __thread struct layer_stack own_stack;

static enum layer_source source_of(layer_owner owner)
{
	return owner & 0xff;
}

static void count(uint64_t *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* ---- the tree ---- */

static uint32_t node_of(uint32_t parent, const void *key, size_t length)
{
	uint32_t id = intern(&layer_tree, key, length);

	if (!id)
		count(&layer_lost.too_many);
	return id ? id : parent;
}

static uint32_t node(uint32_t parent, const struct layer_range *range)
{
	union {
		struct layer_key key;
		char bytes[sizeof(struct layer_key) + 16 + 2 * (LAYER_NAME_MAX + 1)];
	} buffer;
	char *text = buffer.key.texts;
	const char *name = range->name && *range->name ? range->name : "(unnamed)";
	size_t length;

	buffer.key.parent = parent;
	text += name_append(text, 0, 16, layer_source_word(source_of(range->owner))) + 1;
	text += name_append(text, 0, LAYER_NAME_MAX + 1, range->category) + 1;
	length = name_append(text, 0, LAYER_NAME_MAX + 1, range->domain);
	text += name_append(text, length, LAYER_NAME_MAX + 1, name) + 1;
	return node_of(parent, &buffer, (size_t)(text - buffer.bytes));
}

uint32_t layer_parent(uint32_t layer)
{
	return ((const struct layer_key *)intern_get(&layer_tree, layer)->bytes)->parent;
}

uint32_t layer_moved(uint32_t layer, uint32_t parent)
{
	const struct intern_key *known = intern_get(&layer_tree, layer);
	union {
		struct layer_key key;
		char bytes[sizeof(struct layer_key) + 16 + 2 * (LAYER_NAME_MAX + 1)];
	} buffer;

	memcpy(&buffer, known->bytes, known->length);
	buffer.key.parent = parent;
	return node_of(parent, &buffer, known->length);
}

static uint32_t layer_below(const struct layer_stack *stack, unsigned depth)
{
	return depth ? stack->frames[depth - 1].layer : 0;
}

/* ---- opening and closing ---- */

/* What is open above index becomes part of what is open below it. */
static void close_frame(struct layer_stack *stack, unsigned index)
{
	for (; stack->written > index; stack->written--)
		open_host.engine->layer_popped(
			stack->frames[stack->written - 1].layer, clock_now_ns());
	stack->depth--;
	for (unsigned i = index; i < stack->depth; i++) {
		struct layer_frame *frame = &stack->frames[i];

		*frame = frame[1];
		if (frame->layer)
			frame->layer = layer_moved(frame->layer, layer_below(stack, i));
		frame->begin_ns = clock_now_ns();
	}
}

/* ---- ranges that any thread may end ---- */

#define RANGES_MAX 4096
#define RANGES_TRIED 16

static uint64_t open_ranges[RANGES_MAX]; /* keys by their hash, 0 where free */
uint64_t layer_ended_elsewhere;

#define SOURCE_BITS 4

_Static_assert(LAYER_SOURCES < 1 << SOURCE_BITS, "a key has no room for so many sources");

static uint64_t range_key(enum layer_source source, uint64_t id)
{
	return id << SOURCE_BITS | (source + 1);
}

/* Changes one place of the key's from one value to another. */
static bool exchange_range(uint64_t key, uint64_t from, uint64_t to)
{
	uint64_t hash = key * 0x9e3779b97f4a7c15ULL >> 32;

	for (unsigned i = 0; i < RANGES_TRIED; i++) {
		uint64_t expected = from;

		if (__atomic_compare_exchange_n(&open_ranges[(hash + i) % RANGES_MAX], &expected,
			    to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return true;
	}
	return false;
}

static bool range_is_open(uint64_t key)
{
	return exchange_range(key, key, key);
}

static void close_ended(struct layer_stack *stack, uint64_t ended)
{
	stack->ended = ended;
	for (unsigned i = stack->depth; i > 0; i--)
		if (stack->frames[i - 1].range && !range_is_open(stack->frames[i - 1].range))
			close_frame(stack, i - 1);
}

struct layer_stack *layer_stack(void)
{
	uint64_t ended = __atomic_load_n(&layer_ended_elsewhere, __ATOMIC_ACQUIRE);
	struct layer_stack *stack = &own_stack;

	if (UNLIKELY(stack->ended != ended))
		close_ended(stack, ended);
	return stack;
}

/* ---- for the sources ---- */

static uint32_t open_frame(const struct layer_range *range, uint64_t key)
{
	struct layer_stack *stack = layer_stack();
	unsigned depth = stack->depth;
	uint32_t layer;

	if (depth >= LAYER_DEPTH_MAX) {
		if (!key)
			stack->deeper[source_of(range->owner)]++;
		count(&layer_lost.too_deep);
		return layer_below(stack, depth);
	}
	layer = node(layer_below(stack, depth), range);
	stack->frames[depth] = (struct layer_frame){.layer = layer,
		.owner = range->owner,
		.begin_ns = clock_now_ns(),
		.range = key,
		.payload = range->payload};
	stack->depth = depth + 1;
	return layer;
}

uint32_t layer_push_range(const struct layer_range *range)
{
	return open_frame(range, 0);
}

uint32_t layer_push(layer_owner owner, const char *name)
{
	return open_frame(
		&(struct layer_range){
			.owner = owner, .domain = "", .category = "", .name = name, .payload = NAN},
		0);
}

uint32_t layer_enter(layer_owner owner, uint32_t layer)
{
	struct layer_stack *stack = layer_stack();
	unsigned depth = stack->depth;

	if (depth >= LAYER_DEPTH_MAX) {
		stack->deeper[source_of(owner)]++;
		count(&layer_lost.too_deep);
		return layer_below(stack, depth);
	}
	stack->frames[depth] = (struct layer_frame){
		.layer = layer, .owner = owner, .begin_ns = clock_now_ns(), .payload = NAN};
	stack->depth = depth + 1;
	return layer;
}

uint32_t layer_pop(layer_owner owner)
{
	struct layer_stack *stack = layer_stack();
	unsigned i = stack->depth;

	if (stack->deeper[source_of(owner)]) {
		stack->deeper[source_of(owner)]--;
		return layer_below(stack, i);
	}
	while (i && (stack->frames[i - 1].owner != owner || stack->frames[i - 1].range))
		i--;
	if (i)
		close_frame(stack, i - 1);
	return layer_below(stack, stack->depth);
}

void layer_start(const struct layer_range *range, uint64_t id)
{
	uint64_t key = range_key(source_of(range->owner), id);

	if (layer_stack()->depth < LAYER_DEPTH_MAX && !exchange_range(key, 0, key)) {
		count(&layer_lost.too_many);
		return;
	}
	open_frame(range, key);
}

void layer_end(enum layer_source source, uint64_t id)
{
	uint64_t key = range_key(source, id);
	struct layer_stack *stack;

	if (!exchange_range(key, key, 0))
		return;
	stack = layer_stack();
	for (unsigned i = stack->depth; i > 0; i--)
		if (stack->frames[i - 1].range == key) {
			close_frame(stack, i - 1);
			return;
		}
	__atomic_fetch_add(&layer_ended_elsewhere, 1, __ATOMIC_RELEASE);
}

void layer_mark(const char *name, double value, const char *unit, bool may_open)
{
	uint64_t time_ns = clock_now_ns();
	const struct layer_stack *stack = layer_stack();
	uint32_t layer = layer_below(stack, stack->depth);

	if (may_open ? open_engine(true) == OPEN_READY : open_recording())
		open_host.engine->mark(name, value, unit, layer, time_ns);
}

void layer_after_fork(void)
{
	own_stack.written = 0;
}
