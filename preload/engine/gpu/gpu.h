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

/* GPU_GONE: the context was destroyed, and with it what would have told the times. */
enum gpu_progress { GPU_RUNNING, GPU_FINISHED, GPU_FAILED, GPU_GONE, GPU_UNTIMED };

struct gpu_api {
	const char *name;
	/* Looks whether the work behind token is done, and when it ran.  Called by the collector.
	 */
	enum gpu_progress (*poll)(void *token, struct gpu_times *times);
	/* Gives the token back. */
	void (*release)(void *token);
	/* Does at last what the program asked for when it gave up its stream. */
	void (*release_stream)(void *handle);
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
	union {
		const char *memory_kind; /* of a copy or fill: memory_exec's kind */
		const char *awaits;      /* of a wait: sync's; NULL: it is an order */
	};
};

/* What work is, and so which member of its union is there. */
enum gpu_work_kind {
	/* What a device does: it may have a token, and poll and release are for it. */
	GPU_WORK_KERNEL,
	GPU_WORK_MEMORY, /* a copy or a fill */
	GPU_WORK_GRAPH,  /* a whole graph of kernels and copies */
	/* What the host did, or said. */
	GPU_WORK_SYNC,           /* waited, or put an order into a stream; none */
	GPU_WORK_DEPENDENCY,     /* the work of this correlation waits for other work */
	GPU_WORK_PUSH,           /* opened a layer, the place's, at enqueue_ns */
	GPU_WORK_POP,            /* closed it; none */
	GPU_WORK_NODE,           /* made or changed a node of a graph */
	GPU_WORK_RELEASE_STREAM, /* gave the stream up: to be done once all of its work is */
};

/* Where the program was: a layer's id, 0: none, and callstack_current's, 0: none was taken. */
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
	uint64_t enqueue_ns;
	uint64_t return_ns;
	const struct gpu_call *call; /* NULL for layers and dependencies, which no call is for */
	/* What the API knows work by: dependencies name it so.  NULL: nothing. */
	void *token;
	union {
		struct {
			uint32_t id;   /* its class, 0 where a profiler's record tells it */
			uint32_t name; /* where that record may have the wrong one, else 0 */
		} kernel;
		struct {
			uint64_t bytes;
			const char *kind; /* memory_exec's */
		} memory;
		struct {
			uint32_t id;    /* its class */
			uint32_t nodes; /* graph_nodes_of */
		} graph;
		struct {
			void *token;      /* of the work that is waited for */
			const char *kind; /* dependency's */
		} dependency;
		struct {
			double payload; /* a number that the range has, or NaN */
		} push;
		struct {
			uint64_t id;       /* both the profiler's */
			uint64_t original; /* the node that it is like now, 0 for a new one */
		} node;
		struct {
			void *handle;
		} release_stream;
	};
};

/* Whether it is something that a device does. */
static inline bool gpu_is_device_work(enum gpu_work_kind kind)
{
	return kind <= GPU_WORK_GRAPH;
}

#endif
