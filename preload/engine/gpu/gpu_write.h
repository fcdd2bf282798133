/* SPDX-License-Identifier: MIT */
/* Writing the events about work, for every GPU API.  On the collector's thread. */
#ifndef PWRTRACE_GPU_WRITE_H
#define PWRTRACE_GPU_WRITE_H

#include "preload/engine/gpu/definitions.h"

/* Both times unknown. */
extern const struct gpu_span gpu_span_unknown;

/* Write what the host did. */
void gpu_write_sync(const struct gpu_work *work);
void gpu_write_dependency(uint32_t correlation, uint32_t after_correlation, const char *kind);

/* Writes the execution of work.  span: of a graph known only if it is timed as one unit. */
void gpu_write_execution(const struct gpu_work *work, const struct gpu_span *span);

/* Makes gpu_write_execution call a function for each kernel that it writes with known times.  NULL:
 * no longer. */
void gpu_observe_kernels(void (*observer)(const struct gpu_work *work, uint64_t time_ns));

/* Writes that work had not ended when the process did. */
void gpu_write_unfinished(const struct gpu_work *work);

/* Returns the name of the event of an execution of this kind, for lost_write. */
const char *gpu_execution_event(enum gpu_work_kind kind);

#endif
