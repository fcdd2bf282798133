/* SPDX-License-Identifier: MIT */
/*
 * What all GPU APIs have in common: the definitions of devices, streams and kernels, and the work
 * that a launching call hands to the collector.
 *
 * An API is one <api>.def (its entry points) and one <api>.c (its wrappers and its struct gpu_api).
 * Wrappers run on the program's launching threads: what they call here takes no lock and allocates
 * nothing, except at the first sight of something new.
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
	bool (*harvest)(const struct engine_host *host, bool last);
	/* Returns what the code of the kernel of that name needs, as far as it is known otherwise
	 * than by launches.  Called by the collector.  NULL: nothing ever is. */
	struct gpu_code (*code)(const char *name);
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

/* ---- definitions; ids as in events.def, 0 when memory runs out ---- */

/* Takes over the strings, which must never be freed. */
uint32_t gpu_add_device(const struct pwrtrace_device *device);

/* The devices that a runtime counts from 0.  add calls gpu_add_device with all that is known of
 * one; it is called once for each, or more often where threads race. */
#define GPU_ORDINALS_MAX 64
struct gpu_ordinals {
	uint32_t (*add)(int ordinal);
	uint32_t known[GPU_ORDINALS_MAX];
};
uint32_t gpu_device_at(struct gpu_ordinals *ordinals, int ordinal);

struct gpu_stream {
	uint32_t serial; /* set by gpu_add_stream: every stream is a new one */
	uint32_t context;
	uint32_t device;
	uint32_t clock; /* events.def's */
	uint32_t out_of_order;
	uint32_t program_profiles; /* the program itself asked for device times */
	const void *properties;    /* of the api's own: as the program asked, never freed */
	uint64_t properties_bytes;
};

uint32_t gpu_add_stream(const struct gpu_stream *stream);
const struct gpu_stream *gpu_stream(uint32_t stream);

/* Returns the id of a name (copied); gpu_name gives it back. */
uint32_t gpu_add_name(const char *name);
const char *gpu_name(uint32_t name);

/* A class: name + shape.  Fill it from zero: it is compared byte by byte. */
struct gpu_kernel {
	uint64_t global[3]; /* work-items */
	uint32_t local[3];  /* work-items of a group, 0 where the runtime chose */
	uint32_t name;
	uint32_t shared_bytes;
	uint32_t registers;
	const struct gpu_api *api;
};

uint32_t gpu_kernel_class(const struct gpu_kernel *kernel);
const struct gpu_kernel *gpu_kernel(uint32_t kernel);

/* What an executable graph consists of; the trace tells one kind of graph from another by it. */
struct gpu_graph_part {
	uint32_t kernel; /* its class; 0: memory work */
	uint32_t count;
	uint64_t bytes;
	const char *kind; /* "kernel", or memory_exec's; a constant string */
};

/* signature: events.def's, as a number.  Returns the id of the graph's class; equal ones share it.
 */
uint32_t gpu_add_graph(
	uint64_t signature, uint32_t nodes, const struct gpu_graph_part *parts, size_t count);

/* Writes the definitions that were not written yet; all of them again if anew.  Called by the
 * collector. */
void gpu_write_definitions(const struct engine_host *host, bool anew);

/* Let every API that can tell by itself do so.  Called by the collector. */
void gpu_gather(bool last);
bool gpu_harvest(const struct engine_host *host, bool last);

/* ---- launches ---- */

/* Whether launches are wanted at all.  In a forked child it brings the collector back. */
bool gpu_launches_wanted(void);

uint32_t gpu_new_correlation(void);
uint32_t gpu_tid(void);

/* Returns the calling thread's innermost layer, after handing over the pushes that led to it. */
uint32_t gpu_current_layer(void);

/* After a call of the program's that waited for the device: while the process ends, this is when
 * its last launches can still be collected. */
void gpu_waited(void);

/* Waits until all that was launched before has finished and is collected; two seconds at most.
 * For calls that end what the work's tokens belong to, and wait for the work themselves. */
void gpu_wait_for_all(void);

/* Hands work to the collector; counts it as lost, and releases its token, where there is no
 * room. */
void gpu_submit(const struct gpu_work *work);

#endif
