/* SPDX-License-Identifier: MIT */
/* Events about work, as the collector writes them for every GPU API. */
#ifndef PWRTRACE_GPU_WRITE_H
#define PWRTRACE_GPU_WRITE_H

#include "preload/engine/gpu/definitions.h"

/* The times of work of which the device tells nothing. */
extern const struct gpu_times gpu_times_unknown;

/* What the host did: at once for work that is polled, with the execution where the device's own
 * record names the kernel. */
void gpu_write_launch(const struct gpu_work *work);
void gpu_write_sync(const struct gpu_work *work);
void gpu_write_dependency(uint32_t correlation, uint32_t after_correlation, const char *kind);

/* What the device did.  host: its times brought into the trace's clock; raw: as it told them. */
void gpu_write_kernel(
	const struct gpu_work *work, const struct gpu_times *host, const struct gpu_times *raw);
void gpu_write_memory(const struct gpu_work *work, const char *kind, const struct gpu_times *host,
	const struct gpu_times *raw);

/* graph: the executable graph's id; its begin and end are known where it is timed as one unit. */
void gpu_write_graph(const struct gpu_work *work, uint32_t graph, const struct gpu_times *host,
	const struct gpu_times *raw);

/* The event that tells of work's execution, for lost_write. */
const char *gpu_work_event(const struct gpu_work *work);

#endif
