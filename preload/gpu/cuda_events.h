/* SPDX-License-Identifier: MIT */
/*
 * Pairs of CUDA events around a launch: how work is timed where CUPTI cannot be had.  Less exact:
 * an event is stamped when the stream gets to it, some microseconds off the work itself.
 */
#ifndef PWRTRACE_CUDA_EVENTS_H
#define PWRTRACE_CUDA_EVENTS_H

#include "preload/gpu/cuda.h"

struct cuda_pair;

/* Records the first event of a pair into stream, on the launching thread.  Returns NULL where
 * events cannot be had: then the launch stays untimed. */
struct cuda_pair *cuda_pair_begin(CUstream stream, uint32_t device, uint64_t enqueue_ns);

/* Records the second; ok: the launch succeeded, otherwise the pair is given back. */
bool cuda_pair_end(struct cuda_pair *pair, CUstream stream, bool ok);

/* The collector's side, as in struct gpu_api. */
enum gpu_progress cuda_pair_poll(void *pair, struct gpu_times *times);
void cuda_pair_release(void *pair);

#endif
