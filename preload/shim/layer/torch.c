/* SPDX-License-Identifier: MIT */
#include "preload/shim/layer/torch.h"

#include <dlfcn.h>
#include <errno.h>

#include "preload/common/log.h"
#include "preload/shim/base/real_dlsym.h"
#include "preload/shim/layer/stack.h"
#include "preload/shim/layer/torch_nodes.h"

#define OWNER LAYER_torch
#define REACHED (LAYER_torch | 1 << 8) /* the one frame that reach moves about */
#define BACKWARD (LAYER_torch | 2 << 8)

static __thread unsigned depth;
static __thread unsigned backward_depth;
static __thread uint32_t reached; /* the layer of the frame REACHED, 0 while there is none */

#define NO_BACKWARD "the modules of PyTorch make no layers in the backward pass: PyTorch "

/* Whether torch_evaluate is called. */
static bool evaluates;

/* Where autograd's threads work: they have no layers of their own. */
static uint32_t backward_layer;

bool torch_inside(void)
{
	return depth || reached;
}

static uint32_t current_layer(void)
{
	const struct layer_stack *stack = layer_stack();

	return stack->depth ? stack->frames[stack->depth - 1].layer : 0;
}

void torch_enter(const char *name)
{
	depth++;
	torch_nodes_note(layer_push(OWNER, name));
}

void torch_leave(void)
{
	if (depth)
		depth--;
	torch_nodes_note(layer_pop(OWNER));
}

/* ---- the layers of modules, by module and parent: to look one up by its name would read many
 * cache lines, which a program that computes between two modules has evicted ---- */

#define MODULES (1u << 12)

static struct known_module {
	const void *module;
	uint32_t parent, layer;
	uint32_t generation; /* entries of an older one do not count */
} modules[MODULES];
static uint32_t generation = 1;

static struct known_module *place_of(const void *module, uint32_t parent)
{
	uint64_t hash = ((uint64_t)module ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15ULL;

	return &modules[hash >> 52];
}

bool torch_enter_module(const void *module)
{
	uint32_t parent = current_layer();
	const struct known_module *known = place_of(module, parent);

	if (!torch_inside() || known->module != module || known->parent != parent ||
		known->generation != generation)
		return false;
	depth++;
	torch_nodes_note(layer_enter(OWNER, known->layer));
	return true;
}

bool torch_enter_named(const void *module, const char *name)
{
	uint32_t parent = current_layer();

	if (!torch_inside())
		return false;
	torch_enter(name);
	*place_of(module, parent) =
		(struct known_module){module, parent, current_layer(), generation};
	return true;
}

void torch_forget_modules(void)
{
	generation++;
}

/* A layer that is computed again for its backward pass runs one within the other. */
void torch_begin_backward(void)
{
	uint32_t layer;

	if (backward_depth++ || reached)
		return;
	layer = layer_push(BACKWARD, "backward");
	__atomic_store_n(&backward_layer, layer, __ATOMIC_RELAXED);
	torch_nodes_note(layer);
}

void torch_end_backward(void)
{
	if (--backward_depth)
		return;
	if (reached)
		layer_pop(REACHED);
	reached = 0;
	torch_nodes_note(layer_pop(BACKWARD));
}

void torch_check_backward(void)
{
	static bool said;

	if (!__atomic_load_n(&evaluates, __ATOMIC_RELAXED) &&
		!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		log_error(NO_BACKWARD "evaluates nodes by a call that is not seen");
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

/* The backward pass gets to what was made in layer, of the forward pass: until it gets to another
 * one, this thread is in the layer of the same names below the backward phase. */
static void reach(uint32_t layer)
{
	static __thread struct {
		uint32_t layer, base, found;
	} cache[256];
	uint32_t base = __atomic_load_n(&backward_layer, __ATOMIC_RELAXED);
	unsigned place = layer % 256;

	if (cache[place].layer != layer || cache[place].base != base) {
		cache[place].found = of_backward(layer, base);
		cache[place].layer = layer;
		cache[place].base = base;
	}
	if (reached == cache[place].found)
		return;
	if (reached)
		layer_pop(REACHED);
	reached = cache[place].found;
	torch_nodes_note(layer_enter(REACHED, reached));
}

/*
 * void torch::autograd::Engine::evaluate_function(std::shared_ptr<GraphTask> &, Node *,
 *         InputBuffer &, std::shared_ptr<ReadyQueue> const &)
 *
 * What evaluates each node of a graph, in the thread in which its kernels are launched.  PyTorch
 * calls it as the symbol that it exports, and so finds ours first.
 */
#define EVALUATE                                                                                   \
	"_ZN5torch8autograd6Engine17evaluate_functionERSt10shared_ptrINS0_9GraphTaskEEPNS0_"       \
	"4NodeERNS0_11InputBufferERKS2_INS0_10ReadyQueueEE"

typedef void evaluate_function(void *engine, void *task, void *node, void *inputs, void *queue);

__attribute__((visibility("default"))) evaluate_function torch_evaluate __asm__(EVALUATE);

void torch_find_backward(void *library)
{
	void *next = real_dlsym(library, "_ZN2at15sequence_number4peekEv");
	void *thread = real_dlsym(library, "_ZN2at14RecordFunction15currentThreadIdEv");
	const char *lacking = !real_dlsym(library, EVALUATE)
				      ? "torch::autograd::Engine::evaluate_function"
			      : !next   ? "at::sequence_number::peek"
			      : !thread ? "at::RecordFunction::currentThreadId"
					: NULL;

	if (lacking)
		log_error(NO_BACKWARD "lacks %s", lacking);
	else
		torch_nodes_number((uint64_t(*)(void))next, (uint64_t(*)(void))thread);
}

/* Returns the real function, which is in the library that calls; that need not be in the global
 * scope, nor the only PyTorch of the process. */
static evaluate_function *find_evaluate(void *caller)
{
	enum { CALLERS = 8 };
	static struct {
		void *caller;
		evaluate_function *real;
	} known[CALLERS];
	static unsigned used;
	int saved_errno = errno;
	unsigned place;
	void *library, *found = NULL;
	Dl_info info;

	for (unsigned i = 0; i < CALLERS; i++)
		if (__atomic_load_n(&known[i].caller, __ATOMIC_ACQUIRE) == caller)
			return known[i].real;
	if (dladdr(caller, &info) && (library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)))
		found = real_dlsym(library, EVALUATE);
	place = __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
	if (place < CALLERS) {
		known[place].real = (evaluate_function *)found;
		__atomic_store_n(&known[place].caller, caller, __ATOMIC_RELEASE);
	}
	errno = saved_errno;
	return (evaluate_function *)found;
}

void torch_evaluate(void *engine, void *task, void *node, void *inputs, void *queue)
{
	evaluate_function *real = find_evaluate(__builtin_return_address(0));
	uint32_t layer;

	__atomic_store_n(&evaluates, true, __ATOMIC_RELAXED);
	if (__atomic_load_n(&backward_layer, __ATOMIC_RELAXED) && torch_nodes_layer(node, &layer))
		reach(layer);
	real(engine, task, node, inputs, queue);
}
