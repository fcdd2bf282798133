/* SPDX-License-Identifier: MIT */
/*
 * Definitions: what events name by an id.  Ids are as in events.def, from 1 on; 0 where memory ran
 * out.  Nothing is ever removed.
 *
 * Looking up what is known takes no lock and allocates nothing, so that launching threads may do
 * it; the collector writes what is new.
 */
#ifndef PWRTRACE_DEFINITIONS_H
#define PWRTRACE_DEFINITIONS_H

#include "preload/engine/gpu/gpu.h"

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

/* A class of kernels: name and shape.  Fill it from zero: it is compared byte by byte. */
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

/* ---- the collector's side ---- */

/* Once, before the others: where the layers' tree is. */
void gpu_definitions_start(const struct engine_host *host);

/* Writes the definitions that were not written yet, also of call stacks; all of them again if anew.
 * Once in a round, for all that launching threads may have added. */
void gpu_write_definitions(bool anew);

/* Before an event that names a stream and a kernel (0: none) which may be new since then: two
 * comparisons where they are not. */
void gpu_define(uint32_t stream, uint32_t kernel);

#endif
