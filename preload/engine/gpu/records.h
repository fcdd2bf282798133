/* SPDX-License-Identifier: MIT */
/*
 * Joining the records of a vendor's profiler, which say what the device did, with the program's
 * calls, by the profiler's correlation id.  All functions are for the collector's thread; a struct
 * gpu_record may be filled in on any.
 */
#ifndef PWRTRACE_RECORDS_H
#define PWRTRACE_RECORDS_H

#include "preload/engine/gpu/graphs.h"

/* An execution on a device; kind, that of device work, says which member is valid. */
struct gpu_record {
	enum gpu_work_kind kind;
	uint32_t correlation;      /* the profiler's id of the call; 0: no known call */
	uint32_t stream;           /* 0: that of the call */
	uint64_t node;             /* of a graph, as the profiler numbers nodes; 0: not told */
	uint64_t begin_ns, end_ns; /* by the profiler's clock */
	union {
		struct gpu_kernel kernel;
		struct {
			const char *kind; /* as in memory_exec */
			uint64_t bytes;
		} memory;
	};
};

/* A call of the program's that launched device work. */
struct gpu_launch {
	struct gpu_work work; /* with the profiler's correlation id */
	bool pending;         /* it has no record yet */
	bool graph_written;
	struct graph_matches matches; /* of the graph's nodes */
};

#define GPU_RECORDS_ASIDE 256 /* launches; far more than a profiler was seen to hold back */

/* The state of the join for one profiler; all but the first two members start zeroed. */
struct gpu_records {
	const char *unrecorded; /* why a call without records is counted as lost */
	/* Writes a record.  launch: its call; NULL if that has not come in time. */
	void (*write)(const struct gpu_record *record, struct gpu_launch *launch);
	struct gpu_launch *launches;
	uint32_t launch_room; /* places in launches */
	/* Launches that have no record yet when another one needs their place, the oldest of which
	 * is overwritten where they are too many. */
	struct gpu_launch aside[GPU_RECORDS_ASIDE];
	uint32_t next_aside;
	struct late_record *late;
	uint32_t late_count, late_room;
};

/* Keeps a copy of a call until its records come.  It may replace an old call, which is counted as
 * lost if it is pending. */
void gpu_records_expect(struct gpu_records *records, const struct gpu_work *call);

/* Writes a record if its call is known; else keeps a copy of it, to be tried again.  since_ns: when
 * the record was first seen; 0: it is written now in any case. */
void gpu_records_settle(
	struct gpu_records *records, const struct gpu_record *record, uint64_t since_ns);

/* Tries the kept records again; last: writes all of them.  Returns whether any was written. */
bool gpu_records_settle_late(struct gpu_records *records, uint64_t now_ns, bool last);

/* Returns the work of a record: that of its call, or of fallback if launch is NULL.  It gets a new
 * correlation id, because all nodes of a graph have that of its launch.  Without a launch, nothing
 * of its union is filled in. */
struct gpu_work gpu_records_work(const struct gpu_record *record, struct gpu_launch *launch,
	const struct gpu_call *fallback);

/* Writes the launch of a graph once, before the first of its nodes.  launch may be NULL. */
void gpu_records_write_graph(struct gpu_launch *launch, uint32_t stream);

/* At the end of the process: writes that the calls without a record are unfinished. */
void gpu_records_write_unfinished(struct gpu_records *records);

/* Returns how many calls have no record yet, of all profilers. */
uint32_t gpu_records_in_flight(void);

/* Forgets all calls and records, which are the parent's, in a forked child. */
void gpu_records_forget(struct gpu_records *records);

#endif
