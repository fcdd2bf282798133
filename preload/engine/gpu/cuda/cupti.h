/* SPDX-License-Identifier: MIT */
/*
 * CUPTI: callbacks tell what the program's calls launch, activity records what the device did.
 *
 * cupti.c           what of it is asked for
 * cupti_callbacks.c the program's calls, on the launching threads
 * cupti_buffers.c   memory for records, which CUPTI asks for and fills on threads of its choice
 * cupti_records.c   what the records say, on the collector's thread
 * cupti_nodes.c     the layers and call stacks of graph nodes, likewise
 * cupti_library.c   the library and its clock
 */
#ifndef PWRTRACE_CUPTI_H
#define PWRTRACE_CUPTI_H

#include "preload/api/cupti_abi.h"
#include "preload/engine/gpu/gpu.h"
#include "preload/engine/gpu/graph_reading.h"

/* Work that CUPTI tells of. */
extern const struct gpu_api cupti_api;

/* The library's functions, NULL before cupti_start and for those that an older one lacks. */
struct cupti_functions {
#define FUNCTION(name, params) CUptiResult(*name) params;
#define TAKES(name, params, args)
#include "preload/api/cupti.def"
};
extern struct cupti_functions cupti;

/* Finds them.  Returns false with why it cannot, in one line that is never freed. */
bool cupti_find(const char **why);

const char *cupti_result_text(CUptiResult result);

/* From now on CUPTI's times are the trace's own clock, CLOCK_MONOTONIC, where it can be told so. */
void cupti_take_clock(void);

/* Whether they are. */
bool cupti_clock_is_ours(void);

/* CUPTI's clock as it reads now, or PWRTRACE_UNKNOWN_U64. */
uint64_t cupti_now_ns(void);

/* ---- what is asked for ---- */

/* Subscribes and enables what is recorded.  Returns false with why CUPTI cannot be had, likewise.
 */
bool cupti_start(const char **why);

/* Gives CUPTI up to the program; what it has recorded so far is still harvested. */
void cupti_stop(void);

/* ---- callbacks ---- */

/* Asks for those that cupti_on_callback, the subscriber's, serves. */
void cupti_enable_callbacks(CUpti_SubscriberHandle subscriber);
void cupti_on_callback(void *user, uint32_t domain, uint32_t cbid, const void *data);

/* ---- buffers ---- */

struct cupti_buffer {
	struct cupti_buffer *next;
	uint64_t valid_bytes;
	uint8_t *records;
};

/* Lets CUPTI take its buffers from here.  Returns whether it does. */
bool cupti_register_buffers(void);

/* Returns the buffers filled since, oldest first; the caller gives them back. */
struct cupti_buffer *cupti_filled(void);
void cupti_recycle(struct cupti_buffer *buffer);

/* Returns the next record of buffer after record (NULL: the first), NULL at its end. */
const CUpti_Activity *cupti_next(const struct cupti_buffer *buffer, const CUpti_Activity *record);

/* Makes CUPTI hand out its buffers; all: also those that still wait for the device. */
void cupti_flush(bool all);

/* Records that CUPTI had no room for, since the last call. */
uint64_t cupti_dropped(void);

/* ---- records ---- */

/* The id of a stream, of whatever API's call or record, as CUPTI numbers it.  Takes a lock only for
 * a new one.  Any thread. */
uint32_t cupti_stream(uint32_t device, uint32_t context, uint32_t stream);

/* Work of the program's calls, told by the callbacks in the order of the launches; true. */
bool cupti_records_take(const struct gpu_work *work);

/* Makes CUPTI hand out its buffers, when it is time or last; and writes what stands in them. */
void cupti_records_gather(bool last);
bool cupti_records_harvest(bool last);

/* In a forked child: what was to be told of the parent's work is the parent's business. */
void cupti_records_forget(void);

/* ---- nodes of graphs ---- */

/* A node came to be, or is like another now (GPU_WORK_NODE); work's correlation: the call that made
 * it so. */
void cupti_nodes_take(const struct gpu_work *work);

/* Where a node was captured that the call of that correlation launched. */
struct graph_place cupti_nodes_place(uint64_t node, uint32_t correlation);

#endif
