/* SPDX-License-Identifier: MIT */
/*
 * The way from the launching threads to the collector: what gpu_submit takes, the collector pops.
 *
 * The launching threads' side takes no lock, allocates nothing and never waits.
 */
#ifndef PWRTRACE_SUBMIT_H
#define PWRTRACE_SUBMIT_H

#include "preload/engine/gpu/gpu.h"

/* ---- launching threads ---- */

uint32_t gpu_new_correlation(void);
uint32_t gpu_tid(void);

/* Returns the calling thread's innermost layer, after handing over the pushes that led to it. */
uint32_t gpu_current_layer(void);

/* Hands work to the collector; counts it as lost, and releases its token, where there is no
 * room. */
void gpu_submit(const struct gpu_work *work);

/* The calling thread leaves a layer of which the trace has the push; end_ns: CLOCK_MONOTONIC. */
void submit_layer_popped(uint32_t layer, uint64_t end_ns);

/* ---- the collector's side ---- */

/* Makes the ring, once, before anything is submitted.  Without memory for it all work is refused.
 */
void submit_init(void);

/* Where the calling threads' layers are; before that, gpu_current_layer is 0. */
void submit_attach(const struct engine_host *host);

/* Copies the oldest work out.  Returns false where there is none.  The collector's thread alone. */
bool submit_pop(struct gpu_work *work);

/* Gives work's token back to its API, once nothing more is asked of it.  Any thread. */
void submit_release(const struct gpu_work *work);

/* How much work found no room since the last call, and in *why the reason, a constant string.  Any
 * thread. */
uint64_t submit_refused(const char **why);

/* In a forked child: what its parent has submitted is the parent's business. */
void submit_after_fork(void);

#endif
