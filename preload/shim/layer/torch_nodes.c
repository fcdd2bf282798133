/* SPDX-License-Identifier: MIT */
#include "preload/shim/layer/torch_nodes.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

#include "preload/shim/base/real_dlsym.h"
#include "preload/shim/layer/stack.h"

/* The head of torch::autograd::Node, whose order is the same in PyTorch 1.13 to 2.9. */
struct node {
	void *methods;
	void *self[2]; /* std::enable_shared_from_this */
	uint64_t sequence;
	uint64_t topological;
	bool has_parent;
	uint64_t thread;
};

#define ACCUMULATES UINT64_MAX /* the number of a node that accumulates a gradient */

/* at::sequence_number::peek, at::RecordFunction::currentThreadId */
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

const char *torch_nodes_number(void *library)
{
	void *peek = real_dlsym(library, "_ZN2at15sequence_number4peekEv");

	current_thread =
		(uint64_t(*)(void))real_dlsym(library, "_ZN2at14RecordFunction15currentThreadIdEv");
	if (!current_thread)
		return "at::RecordFunction::currentThreadId";
	next_sequence = (uint64_t(*)(void))peek;
	return peek ? NULL : "at::sequence_number::peek";
}

/* ---- the thread that makes nodes ---- */

static struct thread_changes *changes_of_this_thread(void)
{
	static __thread struct thread_changes *own;
	static __thread uint64_t thread;
	struct thread_changes **place;

	if (own && own->thread == thread)
		return own;
	thread = current_thread();
	place = &known[thread % THREADS_MAX];
	own = __atomic_load_n(place, __ATOMIC_ACQUIRE);
	if (!own) {
		struct thread_changes *none = NULL;
		int saved_errno = errno;

		own = mmap(NULL, sizeof(*own), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		errno = saved_errno;
		if (own == MAP_FAILED)
			return own = NULL;
		if (!__atomic_compare_exchange_n(
			    place, &none, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			munmap(own, sizeof(*own));
			own = none;
		}
	}
	__atomic_store_n(&own->count, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&own->thread, thread, __ATOMIC_RELEASE);
	return own;
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

bool torch_nodes_layer(const void *object, uint32_t *layer)
{
	const struct node *node = object;
	const struct thread_changes *maker =
		__atomic_load_n(&known[node->thread % THREADS_MAX], __ATOMIC_ACQUIRE);
	uint64_t count, low, high;

	*layer = 0;
	if (node->sequence == ACCUMULATES)
		return false;
	if (!maker || __atomic_load_n(&maker->thread, __ATOMIC_ACQUIRE) != node->thread)
		return true;
	count = __atomic_load_n(&maker->count, __ATOMIC_ACQUIRE);
	low = count > CHANGES_MAX ? count - CHANGES_MAX : 0;
	for (high = count; low < high;) {
		uint64_t middle = low + (high - low) / 2;
		const struct change *change = &maker->changes[middle % CHANGES_MAX];

		if (__atomic_load_n(&change->first, __ATOMIC_RELAXED) <= node->sequence) {
			*layer = __atomic_load_n(&change->layer, __ATOMIC_RELAXED);
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return true;
}
