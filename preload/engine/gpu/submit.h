/* SPDX-License-Identifier: MIT */
/*
 * The way from the launching threads to the collector: a ring into which gpu_submit puts work and
 * from which the collector takes it.
 *
 * The functions for launching threads take no lock, allocate nothing and never wait.
 */
#ifndef PWRTRACE_SUBMIT_H
#define PWRTRACE_SUBMIT_H

#include "preload/common/launch_path.h"
#include "preload/common/layer.h"
#include "preload/engine/callstack/call_site.h"
#include "preload/engine/callstack/callstack.h"
#include "preload/engine/core/ring.h"
#include "preload/engine/gpu/gpu.h"

/* ---- for launching threads ---- */

/* For the functions that follow: the ring; the layers that the thread has open, NULL before they
 * were asked for, and layers_ended of struct engine_host; the last correlation id; the thread's id,
 * 0 before submit_find_tid has asked for it. */
extern struct ring submit_ring;
extern __thread struct layer_stack *submit_layers;
extern const uint64_t *submit_layers_ended;
extern uint32_t submit_last_correlation;
extern __thread uint32_t submit_tid;
uint32_t submit_find_tid(void);

/* Parts of them that hardly ever run: submit the pushes that were not submitted yet; ask for the
 * thread's layers and return the innermost; count work as lost and return NULL. */
void submit_pushes(struct layer_stack *stack);
uint32_t submit_update_layers(void);
struct gpu_work *submit_refuse(enum gpu_work_kind kind);

/* Returns a correlation id that no other work of the process has had since the last four thousand
 * million.  Any thread. */
static inline uint32_t gpu_new_correlation(void)
{
	return __atomic_add_fetch(&submit_last_correlation, 1, __ATOMIC_RELAXED);
}

/* Returns the calling thread's id, without a system call but for the first time. */
static inline uint32_t gpu_tid(void)
{
	return LIKELY(submit_tid) ? submit_tid : submit_find_tid();
}

/* Returns the id of the calling thread's innermost layer, 0 for none, and submits the pushes of
 * open layers that were not submitted yet. */
static inline uint32_t gpu_current_layer(void)
{
	struct layer_stack *stack = submit_layers;

	if (UNLIKELY(!stack ||
		     stack->ended != __atomic_load_n(submit_layers_ended, __ATOMIC_ACQUIRE)))
		return submit_update_layers();
	if (!stack->depth)
		return 0;
	if (UNLIKELY(stack->written < stack->depth))
		submit_pushes(stack);
	return stack->frames[stack->depth - 1].layer;
}

/* Returns the layer, and the call stack if these are recorded. */
static inline struct gpu_place gpu_current_place(void)
{
	return (struct gpu_place){gpu_current_layer(), callstack_current()};
}

/* Brings what gpu_current_place and gpu_submit_begin will read into the cache.  To be called before
 * the clock is read: both take a while, and do so at the same time. */
static inline void gpu_submit_prefetch(void)
{
	call_site_prefetch();
	__builtin_prefetch(submit_layers);
	ring_prefetch(&submit_ring);
}

/* Hands a copy of work, and its token, to the collector.  If the ring is full, the work is counted
 * as lost and its token released. */
void gpu_submit(const struct gpu_work *work);

/* The same without a copy, for work of a kind without a token: returns room, which the caller must
 * fill in and soon end, as the collector waits for it; NULL if the ring is full. */
static inline struct gpu_work *gpu_submit_begin(enum gpu_work_kind kind)
{
	struct gpu_work *room = ring_claim(&submit_ring);

	return LIKELY(room != NULL) ? room : submit_refuse(kind);
}

static inline void gpu_submit_end(struct gpu_work *room)
{
	ring_publish(room);
}

/* Submits that the calling thread has closed a layer whose push was submitted; end_ns:
 * CLOCK_MONOTONIC. */
void submit_layer_popped(uint32_t layer, uint64_t end_ns);

/* ---- for the collector's thread, unless one says otherwise ---- */

/* Makes the ring, once, before anything is submitted.  If memory runs out, all work is refused. Any
 * thread. */
void submit_init(void);

/* Sets where the layers of threads are; before that, gpu_current_layer returns 0. */
void submit_attach(const struct engine_host *host);

/* Moves the oldest work to *work, with its times in nanoseconds.  Returns false if there is none.
 */
bool submit_pop(struct gpu_work *work);

/* Releases the token or stream that work holds.  Any thread. */
void submit_release(const struct gpu_work *work);

/* Returns how much work of a kind was refused since the last call for that kind; and the reason, a
 * constant string.  Any thread. */
uint64_t submit_refused(enum gpu_work_kind kind);
const char *submit_why_refused(void);

/* Empties the ring in a forked child, because its work is the parent's.  On the forking thread. */
void submit_after_fork(void);

#endif
