/* SPDX-License-Identifier: MIT */
/*
 * What all GPU APIs have in common: the work that a launching call hands to the collector, and what
 * the collector asks of an API.
 *
 * An API is one <api>.def (its entry points) and a folder here: its wrappers and its struct
 * gpu_back_end.  Wrappers run on the program's launching threads: what they call of definitions.h,
 * submit.h and rounds.h takes no lock and allocates nothing, except at the first sight of something
 * new.
 */
#ifndef PWRTRACE_GPU_H
#define PWRTRACE_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/common/engine.h"
#include "pwrtrace/events.h"

/* Device times of one finished piece of work, in the device's own clock. */
struct gpu_times {
	uint64_t queued_ns; /* when the host put it into the queue */
	uint64_t submit_ns;
	uint64_t begin_ns;
	uint64_t end_ns;
};

struct gpu_work;

/* What a kernel's code needs; PWRTRACE_UNKNOWN_U32 where that is not known. */
struct gpu_code {
	uint32_t registers; /* of each work-item, 32 bits each */
	uint32_t scalar_registers;
	uint32_t accumulation_registers;
	uint32_t shared_bytes; /* of a group, without what launches add */
	uint32_t scratch_bytes;
	uint32_t kernarg_bytes;
	uint32_t wavefront_size;
	uint32_t arguments; /* a name's id (gpu_add_name), 0: not known */
};

#define GPU_CODE_UNKNOWN                                                                           \
	((struct gpu_code){PWRTRACE_UNKNOWN_U32, PWRTRACE_UNKNOWN_U32, PWRTRACE_UNKNOWN_U32,       \
		PWRTRACE_UNKNOWN_U32, PWRTRACE_UNKNOWN_U32, PWRTRACE_UNKNOWN_U32,                  \
		PWRTRACE_UNKNOWN_U32, 0})

/* GPU_GONE: what would have told the times went with its context. */
enum gpu_progress { GPU_RUNNING, GPU_FINISHED, GPU_FAILED, GPU_GONE, GPU_UNTIMED };

struct gpu_api {
	const char *name;
	/* Looks whether the work behind token is done, and when it ran.  Called by the collector.
	 */
	enum gpu_progress (*poll)(void *token, struct gpu_times *times);
	/* Gives the token back. */
	void (*release)(void *token);
	/* Does at last what the program asked for when it gave up its stream (GPU_WORK_LAST). */
	void (*release_stream)(void *token);
	/* Takes work over, in the order of the launches, where the runtime tells by itself what the
	 * device did: harvest writes it.  Returns false, or is NULL, for work that is polled: then
	 * what stands above is there. */
	bool (*take)(const struct gpu_work *work);
	/* Makes the runtime hand out what it has recorded; last: the process ends, all of it.  All
	 * launches that it tells of are taken before harvest.  NULL where take is. */
	void (*gather)(bool last);
	/* Writes what was gathered.  Returns whether there was anything.  NULL where take is. */
	bool (*harvest)(bool last);
	/* Returns what the code of the kernel of that name needs, as far as it is known otherwise
	 * than by launches.  Called by the collector.  NULL: nothing ever is. */
	struct gpu_code (*code)(const char *name);
};

/* What the engine needs of an API: its row of the table in engine.c. */
struct gpu_back_end {
	/* Puts wrappers into the table of struct engine; host is where the real functions will
	 * be. */
	void (*install)(void **wrappers, const struct engine_host *host);
	/* Puts wrappers that replay before those that trace. */
	void (*install_replay)(void **wrappers);
	/* That gathers and harvests. */
	const struct gpu_api *api;
};

/* One place of the program's API that launches: what every launch through it shares. */
struct gpu_call {
	const struct gpu_api *api;
	const char *name; /* the API's function */
	const char *kind; /* of memory operations: events.def's kind; of waits: what sync awaits */
};

enum gpu_work_kind {
	GPU_WORK_KERNEL,
	GPU_WORK_MEMORY,
	GPU_WORK_GRAPH, /* a whole graph of kernels and copies; kernel is its id, bytes the id of
			   its nodes (graph_nodes_of) */
	GPU_WORK_SYNC,  /* the host waited, or an order was put into a stream */
	GPU_WORK_AFTER, /* correlation waits for the work behind token */
	GPU_WORK_PUSH,
	GPU_WORK_POP,
	GPU_WORK_LAST, /* the stream, token, is given up once all of its work is done */
	GPU_WORK_NODE, /* a graph's node: bytes is its id, token the id of what it was cloned from
			*/
};

/* What a launching thread hands to the collector. */
struct gpu_work {
	enum gpu_work_kind kind;
	uint32_t tid;
	uint32_t correlation;
	uint32_t stream;
	uint32_t layer;
	uint32_t kernel;
	uint32_t stack; /* callstack_current's; of kernels, memory operations, graphs and nodes */
	uint64_t enqueue_ns;
	uint64_t return_ns;
	union {
		uint64_t bytes;
		double payload; /* PUSH: a number that the range has, or NaN */
	};
	void *token; /* given to the api's poll and release; for SYNC it only names the work */
	const struct gpu_call *call;
};

#endif
