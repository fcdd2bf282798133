/* SPDX-License-Identifier: MIT */
/*
 * Definitions: devices, streams, kernels, graphs and names, which events name by an id.  Ids are
 * those of events.def and begin at 1; 0 means that memory or ids (four million) ran out, which is
 * counted as a lost definition.  Nothing is ever removed.
 *
 * Any thread may add and look up.  Finding what was added before takes no lock and allocates
 * nothing.  The collector writes new definitions into the trace.
 */
#ifndef PWRTRACE_DEFINITIONS_H
#define PWRTRACE_DEFINITIONS_H

#include "preload/engine/gpu/gpu.h"

/* Returns the id of a device.  Keeps the strings, which must never be freed.  Structs are compared
 * byte by byte, so that padding must be zero. */
uint32_t gpu_add_device(const struct pwrtrace_device *device);

/* The devices of a runtime by ordinal, from 0.  add is to call gpu_add_device with all that is
 * known of a device; it may be called more than once for one if threads race. */
#define GPU_ORDINALS_MAX 64
struct gpu_ordinals {
	uint32_t (*add)(int ordinal);
	uint32_t known[GPU_ORDINALS_MAX];
};
/* Returns the id of the device of an ordinal. */
uint32_t gpu_device_at(struct gpu_ordinals *ordinals, int ordinal);

struct gpu_stream {
	uint32_t serial; /* set by gpu_add_stream: every stream is a new one */
	uint32_t context;
	uint32_t device;
	uint32_t clock; /* clock of stream_def */
	uint32_t out_of_order;
	uint32_t program_profiles; /* the program itself asked for device times */
	const void *properties;    /* of an OpenCL queue, as the program gave them; never freed */
	uint64_t properties_bytes;
};

/* Returns the id of a new stream. */
uint32_t gpu_add_stream(const struct gpu_stream *stream);

/* Returns the stream of an id; of 0, one of which nothing is known. */
const struct gpu_stream *gpu_stream(uint32_t stream);

/* Returns the id of a name, which is copied; and the name of an id, "" for 0. */
uint32_t gpu_add_name(const char *name);
const char *gpu_name(uint32_t name);

/* Returns the short name of a kernel's name, valid until the next call.  On the collector's thread.
 */
const char *gpu_short_name(uint32_t name);

/* A class of kernels: name and shape.  Compared byte by byte: zero it before filling it in. */
struct gpu_kernel {
	uint64_t global[3]; /* work-items */
	uint32_t local[3];  /* work-items of a group, 0 if the runtime chooses */
	uint32_t name;
	uint32_t shared_bytes;
	uint32_t registers;
	const struct gpu_api *api;
};

/* Returns the id of a class (copied); and the class of an id, of 0 one of which nothing is known.
 */
uint32_t gpu_kernel_class(const struct gpu_kernel *kernel);
const struct gpu_kernel *gpu_kernel(uint32_t kernel);

/* What an executable graph consists of, one part per kernel or kind of memory work (graph_part). */
struct gpu_graph_part {
	uint32_t kernel; /* its class; 0: memory work */
	uint32_t count;
	uint64_t bytes;
	const char *kind; /* "kernel", or as in memory_exec; a constant string */
};

/* Returns the id of the class of a graph; equal graphs have the same.  signature: that of
 * graph_def, as a number.  The parts are copied.  Allocates. */
uint32_t gpu_add_graph(
	uint64_t signature, uint32_t nodes, const struct gpu_graph_part *parts, size_t count);

/* ---- for the collector's thread ---- */

/* To be called once, before the functions below: host has the tree of layers. */
void gpu_definitions_start(const struct engine_host *host);

/* Writes the definitions that were not written yet, also of call stacks; all of them if anew.  To
 * be called once per round. */
void gpu_write_definitions(bool anew);

/* Writes new definitions before an event that names a stream and a kernel (0: none) which a
 * profiler's record may have added since.  Only two comparisons if they are not new. */
void gpu_define(uint32_t stream, uint32_t kernel);

#endif
