/* SPDX-License-Identifier: MIT */
#include "preload/shim/layer/torch.h"

#include "preload/shim/layer/stack.h"

#define OWNER LAYER_torch
#define REACHED (LAYER_torch | 1 << 8) /* the one frame that torch_reach moves about */
#define BACKWARD (LAYER_torch | 2 << 8)

static __thread unsigned depth;
static __thread unsigned backward_depth;
static __thread bool has_reached;

/* Where autograd's threads work: they have no layers of their own. */
static uint32_t backward_layer;

bool torch_inside(void)
{
	return depth || has_reached;
}

uint32_t torch_enter(const char *name)
{
	depth++;
	return layer_push(OWNER, name);
}

void torch_leave(void)
{
	if (depth)
		depth--;
	layer_pop(OWNER);
}

/* A layer that is computed again for its backward pass runs one within the other. */
uint32_t torch_begin_backward(void)
{
	uint32_t layer;

	if (backward_depth++ || has_reached)
		return __atomic_load_n(&backward_layer, __ATOMIC_RELAXED);
	layer = layer_push(BACKWARD, "backward");
	__atomic_store_n(&backward_layer, layer, __ATOMIC_RELAXED);
	return layer;
}

void torch_end_backward(void)
{
	if (--backward_depth)
		return;
	if (has_reached)
		layer_pop(REACHED);
	has_reached = false;
	layer_pop(BACKWARD);
}

uint32_t torch_parent(uint32_t layer)
{
	return layer ? layer_parent(layer) : 0;
}

/* ---- the same layer, of the backward pass ---- */

static bool is_of_torch(uint32_t layer)
{
	const struct layer_key *key = (const void *)intern_get(&layer_tree, layer)->bytes;

	return strcmp(layer_text(key, LAYER_SOURCE), layer_source_word(LAYER_torch)) == 0;
}

/* Above the outermost of PyTorch's layers, which is a phase, are the program's own; below it is
 * what both phases have. */
static uint32_t of_backward(uint32_t layer, uint32_t base)
{
	uint32_t path[LAYER_DEPTH_MAX];
	unsigned length = 0, phase = 0;

	for (uint32_t at = layer; at; at = layer_parent(at)) {
		if (at == base || length == LAYER_DEPTH_MAX)
			return layer;
		path[length++] = at;
		if (is_of_torch(at))
			phase = length - 1;
	}
	for (; phase; phase--)
		base = layer_moved(path[phase - 1], base);
	return base;
}

void torch_reach(uint32_t layer)
{
	static __thread struct {
		uint32_t layer, base, found;
	} cache[64];
	uint32_t base = __atomic_load_n(&backward_layer, __ATOMIC_RELAXED);
	unsigned place = layer % 64;

	if (cache[place].layer != layer || cache[place].base != base) {
		cache[place].found = of_backward(layer, base);
		cache[place].layer = layer;
		cache[place].base = base;
	}
	if (has_reached)
		layer_pop(REACHED);
	layer_enter(REACHED, cache[place].found);
	has_reached = true;
}
