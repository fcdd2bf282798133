/* SPDX-License-Identifier: MIT */
/*
 * What a vendor's profiler tells of the device's work, joined with the program's calls: its records
 * name the call by a correlation id of the profiler's.  All on the collector's thread, but that
 * records may be filled in on any.
 */
#ifndef PWRTRACE_RECORDS_H
#define PWRTRACE_RECORDS_H

#include "preload/engine/gpu/graphs.h"

/* One piece of work that a device has done; kind, of a device's, says which member is there. */
struct gpu_record {
	enum gpu_work_kind kind;
	uint32_t correlation;      /* the profiler's, of the call; 0: of none that was seen */
	uint32_t stream;           /* 0: the call's */
	uint64_t node;             /* of a graph, as the profiler numbers them; 0: none is told */
	uint64_t begin_ns, end_ns; /* by the profiler's clock */
	union {
		struct gpu_kernel kernel;
		struct {
			const char *kind; /* memory_exec's */
			uint64_t bytes;
		} memory;
	};
};

/* A call of the program's that has started something. */
struct gpu_launch {
	struct gpu_work work; /* correlation: the profiler's */
	bool pending;         /* no record has come for it */
	bool graph_written;
	struct graph_matches matches; /* of the graph's nodes */
};

struct gpu_records {
	const char *unrecorded; /* why a call is lost whose place another needs */
	/* Writes what a record tells.  launch: NULL where none has come in time. */
	void (*write)(const struct gpu_record *record, struct gpu_launch *launch);
	struct gpu_launch *launches;
	uint32_t pending; /* how many are */
	struct late_record *late;
	uint32_t late_count, late_room;
};

/* Keeps the call until its records come. */
void gpu_records_expect(struct gpu_records *records, const struct gpu_work *call);

/* Writes a record once its call is there.  since_ns: when it was first seen; 0: it waits no more.
 */
void gpu_records_settle(
	struct gpu_records *records, const struct gpu_record *record, uint64_t since_ns);

/* The same for those that waited; last: they wait no more.  Returns whether any was written. */
bool gpu_records_settle_late(struct gpu_records *records, uint64_t now_ns, bool last);

/* Returns the work that a record tells of, with a correlation of its own: records of a graph's
 * nodes all name its launch.  fallback: where the call is not known.  Of its union nothing is
 * filled in. */
struct gpu_work gpu_records_work(struct gpu_records *records, const struct gpu_record *record,
	struct gpu_launch *launch, const struct gpu_call *fallback);

/* Writes the launch of a graph, once, before the first of its nodes. */
void gpu_records_write_graph(struct gpu_launch *launch, uint32_t stream);

/* At the end of the process: counts the calls that no record has come for, by kind. */
void gpu_records_count_unfinished(struct gpu_records *records);

/* In a forked child: what was to be told of the parent's work is the parent's business. */
void gpu_records_forget(struct gpu_records *records);

#endif
