/* SPDX-License-Identifier: MIT */
/*
 * CUPTI: its callbacks report the program's calls, its activity records what the device did.
 *
 * cupti.c           starting and stopping it
 * cupti_callbacks.c the program's calls, on the launching threads
 * cupti_buffers.c   memory for records, which CUPTI requests and fills on threads of its choice
 * cupti_records.c   reading the records, on the collector's thread
 * cupti_nodes.c     the layers and call stacks of graph nodes, on the collector's thread
 * cupti_library.c   the library and its clock
 */
#ifndef PWRTRACE_CUPTI_H
#define PWRTRACE_CUPTI_H

#include "preload/api/cupti_abi.h"
#include "preload/engine/gpu/gpu.h"
#include "preload/engine/gpu/graphs.h"

/* The API for work that CUPTI records. */
extern const struct gpu_api cupti_api;

/* The library's functions: NULL before cupti_start, or if an older library lacks one. */
struct cupti_functions {
#define FUNCTION(name, params) CUptiResult(*name) params;
#define TAKES(name, params, args)
#include "preload/api/cupti.def"
};
extern struct cupti_functions cupti;

/* Finds the library and its functions.  Returns false if it cannot, with the reason, one line that
 * is never freed, in *why. */
bool cupti_find(const char **why);

/* Returns what a result means; never NULL, never freed. */
const char *cupti_result_text(CUptiResult result);

/* Makes CUPTI use our clock, CLOCK_MONOTONIC, for its records, if it is new enough. */
void cupti_take_clock(void);

/* Returns whether it does. */
bool cupti_clock_is_ours(void);

/* Returns the time by CUPTI's clock, or PWRTRACE_UNKNOWN_U64. */
uint64_t cupti_now_ns(void);

/* ---- starting and stopping ---- */

/* Subscribes, and enables callbacks and records.  Returns false if CUPTI cannot be used, with the
 * reason in *why, as cupti_find. */
bool cupti_start(const char **why);

/* Leaves CUPTI to the program, which wants it for itself.  What was recorded is still harvested. */
void cupti_stop(void);

/* ---- callbacks ---- */

/* Enables the callbacks that cupti_on_callback handles, which CUPTI calls on launching threads. */
void cupti_enable_callbacks(CUpti_SubscriberHandle subscriber);
void cupti_on_callback(void *user, uint32_t domain, uint32_t cbid, const void *data);

/* ---- buffers ---- */

struct cupti_buffer {
	struct cupti_buffer *next;
	uint64_t valid_bytes;
	uint8_t *records;
};

/* Registers our buffers with CUPTI.  Returns whether it accepts. */
bool cupti_register_buffers(void);

/* Returns the buffers filled since the last call, a list with the oldest first.  The caller must
 * return each by cupti_recycle.  Both: any thread. */
struct cupti_buffer *cupti_filled(void);
void cupti_recycle(struct cupti_buffer *buffer);

/* Returns the next record of buffer after record (NULL: the first), NULL at its end. */
const CUpti_Activity *cupti_next(const struct cupti_buffer *buffer, const CUpti_Activity *record);

/* Makes CUPTI deliver its buffers; all: also those with unfinished work. */
void cupti_flush(bool all);

/* Returns how many records CUPTI has dropped since the last call. */
uint64_t cupti_dropped(void);

/* ---- records ---- */

/* Returns the id of a stream that CUPTI numbers so, in records or in calls.  Takes a lock only for
 * a new one.  Any thread. */
uint32_t cupti_stream(uint32_t device, uint32_t context, uint32_t stream);

/* take, gather and harvest of cupti_api; on the collector's thread. */
bool cupti_records_take(const struct gpu_work *work);
void cupti_records_gather(const struct round *round);
bool cupti_records_harvest(bool last);

/* Forgets all calls and records, which are the parent's, in a forked child. */
void cupti_records_forget(void);

/* ---- nodes of graphs ---- */

/* Takes the work of a node (GPU_WORK_NODE) that was made, or that was changed to a copy of another,
 * by the call with its correlation id.  On the collector's thread. */
void cupti_nodes_take(const struct gpu_work *work);

/* Returns where a node was captured that the call with this correlation id launched; zeros if
 * unknown, or if half a million others and more were made since it was last asked for.  On the
 * collector's thread. */
struct gpu_place cupti_nodes_place(uint64_t node, uint32_t correlation);

#endif
