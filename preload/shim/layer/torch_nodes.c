/* SPDX-License-Identifier: MIT */
#include "preload/shim/layer/torch_nodes.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

#include "preload/common/launch_path.h"

/* The head of torch::autograd::Node, whose order is the same in PyTorch 1.13 to 2.11. */
struct node {
	void *methods;
	void *self[2]; /* std::enable_shared_from_this */
	uint64_t sequence;
	uint64_t topological;
	bool has_parent;
	uint64_t thread;
};

#define ACCUMULATES UINT64_MAX /* the number of a node that accumulates a gradient */

static uint64_t (*next_sequence)(void);
static uint64_t (*current_thread)(void);

/* Enough for 65 passes of 2000 modules before the first goes back; pages are there once used. */
#define CHANGES_MAX (1u << 18)
#define THREADS_MAX 64u /* of one number modulo that, the last to come is known */

/* From the node first on, and until that of the next change, a thread is in layer. */
struct change {
	uint64_t first;
	uint32_t layer;
};

struct thread_changes {
	uint64_t thread;
	uint64_t count; /* so many ever; the last CHANGES_MAX of them are kept */
	struct change changes[CHANGES_MAX];
};

static struct thread_changes *known[THREADS_MAX];

/* What this thread has noted, and its number. */
static __thread struct thread_changes *own_changes;
static __thread uint64_t own_thread;

void torch_nodes_number(uint64_t (*next)(void), uint64_t (*thread)(void))
{
	current_thread = thread;
	next_sequence = next;
	own_changes = NULL;
}

/* ---- the thread that makes nodes ---- */

static struct thread_changes *new_changes(struct thread_changes **place)
{
	struct thread_changes *none = NULL, *new;
	int saved_errno = errno;

	new = mmap(NULL, sizeof(*new), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	errno = saved_errno;
	if (new == MAP_FAILED)
		return NULL;
	if (__atomic_compare_exchange_n(
		    place, &none, new, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return new;
	munmap(new, sizeof(*new));
	return none;
}

/* Sets own_changes, to NULL where there is no memory. */
static APART void take_place(void)
{
	struct thread_changes **place, *own;

	own_thread = current_thread();
	place = &known[own_thread % THREADS_MAX];
	own = __atomic_load_n(place, __ATOMIC_ACQUIRE);
	if (!own)
		own = new_changes(place);
	own_changes = own;
	if (own && own->thread != own_thread) {
		__atomic_store_n(&own->count, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&own->thread, own_thread, __ATOMIC_RELEASE);
	}
}

/* Another thread may have taken this one's place since.  Returns NULL where there is no memory. */
static struct thread_changes *changes_of_this_thread(void)
{
	if (!own_changes || own_changes->thread != own_thread)
		take_place();
	return own_changes;
}

void torch_nodes_note(uint32_t layer)
{
	struct thread_changes *own = next_sequence ? changes_of_this_thread() : NULL;
	uint64_t first, count;
	struct change *last;

	if (!own)
		return;
	first = next_sequence();
	count = own->count;
	last = &own->changes[(count - 1) % CHANGES_MAX];
	if (count && last->layer == layer)
		return;
	if (!count || last->first != first) {
		last = &own->changes[count++ % CHANGES_MAX];
		__atomic_store_n(&last->first, first, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&last->layer, layer, __ATOMIC_RELAXED);
	__atomic_store_n(&own->count, count, __ATOMIC_RELEASE);
}

/* ---- the backward pass ---- */

static uint64_t first_node(const struct thread_changes *maker, uint64_t i)
{
	return __atomic_load_n(&maker->changes[i % CHANGES_MAX].first, __ATOMIC_RELAXED);
}

/* Returns the last change that came before a node, or count.  A pass goes back from node to node,
 * so that it is a few changes below the one that this thread has found before. */
static uint64_t change_of(const struct thread_changes *maker, uint64_t count, uint64_t sequence)
{
	static __thread uint64_t found;
	uint64_t oldest = count > CHANGES_MAX ? count - CHANGES_MAX : 0;
	uint64_t high = count, low = count;

	if (found >= oldest && found + 1 < count && first_node(maker, found + 1) > sequence)
		high = low = found + 1;
	for (uint64_t step = 1; low > oldest; step *= 2) {
		low = low - oldest > step ? low - step : oldest;
		if (first_node(maker, low) <= sequence)
			break;
		high = low;
	}
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (first_node(maker, middle) <= sequence)
			low = middle + 1;
		else
			high = middle;
	}
	found = low - 1;
	return low > oldest ? found : count;
}

bool torch_nodes_layer(const void *object, uint32_t *layer)
{
	const struct node *node = object;
	const struct thread_changes *maker =
		__atomic_load_n(&known[node->thread % THREADS_MAX], __ATOMIC_ACQUIRE);
	uint64_t count, i;

	*layer = 0;
	if (node->sequence == ACCUMULATES)
		return false;
	if (!maker || __atomic_load_n(&maker->thread, __ATOMIC_ACQUIRE) != node->thread)
		return true;
	count = __atomic_load_n(&maker->count, __ATOMIC_ACQUIRE);
	i = change_of(maker, count, node->sequence);
	if (i < count)
		*layer = __atomic_load_n(&maker->changes[i % CHANGES_MAX].layer, __ATOMIC_RELAXED);
	return true;
}
