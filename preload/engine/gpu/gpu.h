/* SPDX-License-Identifier: MIT */
/*
 * What all GPU APIs have in common: the work that a launching call hands to the collector, and the
 * functions by which the collector asks an API about it.
 *
 * An API is one preload/api/<api>.def (its entry points) and a folder here with its wrappers and
 * its struct gpu_back_end.  Wrappers run on the program's launching threads: what they call of
 * definitions.h, submit.h and rounds.h takes no lock and allocates nothing, except for a kernel,
 * stream or device that is seen for the first time.
 */
#ifndef PWRTRACE_GPU_H
#define PWRTRACE_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/common/engine.h"
#include "pwrtrace/events.h"

/* The times of finished work, by the device's clock; PWRTRACE_UNKNOWN_U64 where unknown. */
struct gpu_times {
	uint64_t queued_ns; /* when the host put it into the queue */
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* When work ran, by CLOCK_MONOTONIC; anchor: as in events.def. */
struct gpu_span {
	uint64_t begin_ns, end_ns;
	uint32_t anchor;
};

struct gpu_work;
struct round;

/* The resources that a kernel's code needs; PWRTRACE_UNKNOWN_U32 where unknown. */
struct gpu_code {
	uint32_t registers; /* of each work-item, 32 bits each */
	uint32_t scalar_registers;
	uint32_t accumulation_registers;
	uint32_t shared_bytes; /* of a group, without what a launch adds */
	uint32_t scratch_bytes;
	uint32_t kernarg_bytes;
	uint32_t wavefront_size;
	uint32_t arguments; /* the id of a text (gpu_add_name); 0: unknown */
};

#define GPU_CODE_UNKNOWN                                                                           \
	((struct gpu_code){PWRTRACE_UNKNOWN_U32, PWRTRACE_UNKNOWN_U32, PWRTRACE_UNKNOWN_U32,       \
		PWRTRACE_UNKNOWN_U32, PWRTRACE_UNKNOWN_U32, PWRTRACE_UNKNOWN_U32,                  \
		PWRTRACE_UNKNOWN_U32, 0})

/* GPU_GONE: the context was destroyed, and the times with it.  GPU_UNTIMED: finished, times
 * unknown. */
enum gpu_progress { GPU_RUNNING, GPU_FINISHED, GPU_FAILED, GPU_GONE, GPU_UNTIMED };

/* An API as the collector uses it.  The functions are called on the collector's thread, unless one
 * says otherwise. */
struct gpu_api {
	const char *name;
	/* Asks whether the work with this token has finished, and when it ran. */
	enum gpu_progress (*poll)(void *token, struct gpu_times *times);
	/* Releases the token.  Any thread.  May be NULL. */
	void (*release)(void *token);
	/* Releases a stream that the program has released while its work was running.  Any thread.
	 */
	void (*release_stream)(void *handle);
	/* Takes work over, in the order of the launches, if a profiler records what the device
	 * does: then harvest writes its execution.  Returns false, or is NULL, for work that must
	 * be polled by the functions above. */
	bool (*take)(const struct gpu_work *work);
	/* Fetches the profiler's records, in each round of the collector.  The launches that they
	 * belong to are taken between gather and harvest.  NULL if take is. */
	void (*gather)(const struct round *round);
	/* Writes what was gathered; last: the process ends.  Returns whether there was anything.
	 * May be NULL if take is. */
	bool (*harvest)(bool last);
	/* Returns what the code of a kernel needs, as far as it is known from other sources than
	 * its launches.  NULL: there are no other sources. */
	struct gpu_code (*code)(const char *name);
};

/* An API as the engine installs it: its row of the table in engine.c. */
struct gpu_back_end {
	/* Puts wrappers into the table of struct engine.  host has the real functions, once they
	 * are resolved. */
	void (*install)(void **wrappers, const struct engine_host *host);
	/* Puts wrappers that replay before those that trace.  NULL: nothing is replayed. */
	void (*install_replay)(void **wrappers);
	/* The one whose gather and harvest are called in each round. */
	const struct gpu_api *api;
};

/* A function of an API that launches, orders or waits: what all its calls share.  A constant. */
struct gpu_call {
	const struct gpu_api *api;
	const char *name; /* the API's function */
	union {
		const char *memory_kind; /* of a copy or fill: kind of memory_exec */
		const char *awaits; /* of a wait: awaits of sync; NULL: it only orders streams */
		const char *collective_kind; /* of a collective: kind of its event */
	};
};

/* What work is, and so which member of its union is valid. */
enum gpu_work_kind {
	/* Work of a device: it may have a token, which is polled and released. */
	GPU_WORK_KERNEL,
	GPU_WORK_MEMORY, /* a copy or a fill */
	GPU_WORK_GRAPH,  /* a whole graph of kernels and copies */
	/* What the host did.  SYNC and POP have no member. */
	GPU_WORK_SYNC,           /* it waited, or ordered work between streams */
	GPU_WORK_DEPENDENCY,     /* the work of this correlation waits for other work */
	GPU_WORK_PUSH,           /* it opened the layer of `place` at enqueue_ns */
	GPU_WORK_POP,            /* it closed that layer */
	GPU_WORK_NODE,           /* it made or changed a node of a graph */
	GPU_WORK_RELEASE_STREAM, /* it released a stream: done once the stream's work is */
	GPU_WORK_COLLECTIVE,     /* it called NCCL, whose kernels follow */
	GPU_WORK_GROUP,          /* it ended the group of the collectives of this correlation */
};
#define GPU_WORK_KINDS (GPU_WORK_GROUP + 1)

/* Where the program was at a launch: the id of the layer and of the call stack (callstack_current),
 * 0 for none. */
struct gpu_place {
	uint32_t layer, stack;
};

/* What a launching thread hands to the collector. */
struct gpu_work {
	enum gpu_work_kind kind;
	uint32_t tid;
	uint32_t correlation;
	uint32_t stream;
	struct gpu_place place;
	uint64_t enqueue_ns; /* until submit_pop these may be stamps (launch_clock.h) */
	uint64_t return_ns;
	const struct gpu_call *call; /* NULL for layers and dependencies */
	/* The API's handle of the work, as an event; dependencies name work by it.  NULL: none.
	 * Of a collective its struct communicator. */
	void *token;
	union {
		struct {
			uint32_t id;   /* its class; 0: the profiler's record has it */
			uint32_t name; /* its name, if that record may be wrong; else 0 */
		} kernel;
		struct {
			uint64_t bytes;
			const char *kind; /* as in memory_exec */
		} memory;
		struct {
			uint32_t id;    /* its class */
			uint32_t nodes; /* graph_nodes_of */
		} graph;
		struct {
			void *token;      /* of the work that it waits for */
			const char *kind; /* as in dependency */
		} dependency;
		struct {
			double payload; /* the number that the range carries, or NaN */
		} push;
		struct {
			uint64_t id;       /* as the profiler numbers nodes */
			uint64_t original; /* the node that it is now a copy of; 0: it is new */
		} node;
		struct {
			void *handle;
		} release_stream;
		struct {
			uint64_t bytes;
			uint32_t sequence, peer; /* as in events.def */
		} collective;
	};
};

/* Returns whether it is work of a device. */
static inline bool gpu_is_device_work(enum gpu_work_kind kind)
{
	return kind <= GPU_WORK_GRAPH;
}

#endif
