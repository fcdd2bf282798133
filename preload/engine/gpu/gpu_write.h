/* SPDX-License-Identifier: MIT */
/* Writing the events about work, for every GPU API.  On the collector's thread. */
#ifndef PWRTRACE_GPU_WRITE_H
#define PWRTRACE_GPU_WRITE_H

#include "preload/engine/gpu/definitions.h"

/* All four times unknown. */
extern const struct gpu_times gpu_times_unknown;

/* Write what the host did.  Polled work is written at once; work that a profiler records, together
 * with its execution, because only the record names the kernel. */
void gpu_write_launch(const struct gpu_work *work);
void gpu_write_sync(const struct gpu_work *work);
void gpu_write_dependency(uint32_t correlation, uint32_t after_correlation, const char *kind);

/* Writes what the device did.  host: its times by CLOCK_MONOTONIC; raw: by the device's clock.
 * Those of a graph are known only if it is timed as one unit. */
void gpu_write_execution(
	const struct gpu_work *work, const struct gpu_times *host, const struct gpu_times *raw);

/* Returns the name of the event of an execution of this kind, for lost_write. */
const char *gpu_execution_event(enum gpu_work_kind kind);

#endif
