/* SPDX-License-Identifier: MIT */
/*
 * The program's calls, for runtimes whose profiler tells what the device did: its records name the
 * call by a correlation id of the profiler's.  All on the collector's thread.
 */
#ifndef PWRTRACE_GPU_CALLS_H
#define PWRTRACE_GPU_CALLS_H

#include "preload/engine/gpu/graph_reading.h"

struct gpu_recorded {
	struct gpu_work work; /* correlation: the profiler's */
	bool pending;         /* no record has come for it */
	bool graph_written;
	struct graph_told told; /* of the graph's nodes */
};

struct gpu_calls {
	struct gpu_recorded *calls;
	const char *unrecorded; /* why a call is lost whose place another needs */
	uint32_t pending;       /* how many are */
};

/* Keeps work until its records come. */
void gpu_calls_remember(struct gpu_calls *calls, const struct gpu_work *work);

/* NULL where the call is not known, or not yet. */
struct gpu_recorded *gpu_calls_find(struct gpu_calls *calls, uint32_t correlation);

/* Returns work of a kind for a record, with a correlation of its own: records of a graph's nodes
 * all name its launch.  fallback: where the call is not known. */
struct gpu_work gpu_calls_work(struct gpu_calls *calls, const struct gpu_call *fallback,
	enum gpu_work_kind kind, uint32_t correlation);

/* Writes the launch of a graph, once, before the first of its nodes. */
void gpu_calls_write_graph(struct gpu_calls *calls, uint32_t correlation, uint32_t stream);

/* At the end of the process: counts what no record has come for, by kind. */
void gpu_calls_count_unfinished(struct gpu_calls *calls);

#endif
