/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the simulated driver share.
 *
 * cuda.c          entry points made from preload/api/cuda.def; the calling thread
 * cuda_objects.c  devices and contexts; handles of objects
 * cuda_modules.c  modules, libraries and functions
 * cuda_streams.c  streams and events: when work runs
 * cuda_memory.c   memory, and the few kernels and copies that change it
 * cuda_graphs.c   capture and graphs
 * cuda_start.c    initialization
 * cuda_resolve.c  which devices a program sees, its injected tool, cuGetProcAddress
 * cuda_truth.c    what the devices did, in a file
 */
#ifndef SIMGPU_CUDA_PARTS_H
#define SIMGPU_CUDA_PARTS_H

#include "tests/simgpu/cuda_sim.h"

#define NS_PER_US UINT64_C(1000)
#define NS_PER_S UINT64_C(1000000000)
#define DEFAULT_KERNEL_NS (10 * NS_PER_US)
#define LAUNCH_NS (2 * NS_PER_US) /* the least time from a launch to its begin */
#define COPY_GB_S 16              /* unless SIMGPU_COPY_GB_S says otherwise */
#define QUEUE_DEPTH 1024          /* how many launches a stream holds before a launch blocks */

enum cuda_error {
	CUDA_ERROR_INVALID_VALUE = 1,
	CUDA_ERROR_OUT_OF_MEMORY = 2,
	CUDA_ERROR_NOT_INITIALIZED = 3,
	CUDA_ERROR_NO_DEVICE = 100,
	CUDA_ERROR_INVALID_DEVICE = 101,
	CUDA_ERROR_INVALID_CONTEXT = 201,
	CUDA_ERROR_INVALID_HANDLE = 400,
	CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
	CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
	CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
	CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
};

/* ---- the calling thread ---- */

/* ENTER begins an entry point: it takes the driver's only lock until the function returns, or
 * returns at once with an error where the driver is not initialized.  Nothing sleeps with the lock
 * held. */
CUresult sim_enter(void);
void sim_leave(CUresult *entered);
#define ENTER                                                                                      \
	__attribute__((cleanup(sim_leave))) CUresult entered = sim_enter();                        \
	if (entered != CUDA_SUCCESS)                                                               \
	return entered

extern const struct sim_observer *sim_observer; /* may be NULL */

/* The correlation id of the call of the driver that this thread is in. */
uint32_t sim_correlation(void);

/* A call of HIP of that name, which starts work.  It returns at the end of the work, unless its
 * name contains Async. */
CUresult sim_do(const char *name, CUstream stream, struct sim_record work);

/* Delays the return of the call that this thread is in until until_ns. */
void sim_wait(uint64_t until_ns);

/* Whether the default stream of the call that this thread is in is the thread's own. */
bool sim_is_per_thread(void);

uint64_t sim_now_ns(void);
void sim_record(const struct sim_record *record);
void sim_resource(uint32_t cbid, CUcontext context, const void *descriptor);

/* ---- cuda_start.c ---- */

bool sim_is_up(void);
CUresult sim_initialize(unsigned flags);

/* ---- cuda_resolve.c, and hip_start.c in its place ---- */

/* Loads the tool that the environment asks for, before the driver can be used. */
void sim_let_tool_in(void);

uint32_t sim_device_count(void);
/* The device that the program knows as ordinal. */
uint32_t sim_device(CUdevice ordinal);

/* ---- objects: their memory is never freed, so that use of a destroyed one is noticed ---- */

enum object_kind { OBJECT_STREAM = 0x53494d01, OBJECT_EVENT, OBJECT_FUNCTION, OBJECT_KERNEL };

struct object {
	enum object_kind kind;
	uint32_t id;
	struct object *next; /* of its context */
	struct context *context;
	uint32_t context_id;
	bool destroyed;
};

struct stream {
	struct object object;
	bool is_default;
	uint64_t end_ns;
	uint64_t ends_ns[QUEUE_DEPTH]; /* when the latest launches end, as a ring */
	unsigned last;
	struct graph *capture;
	int capture_mode;
	int capture_thread;
	bool capture_broken;
};

struct event {
	struct object object;
	bool recorded;
	uint64_t time_ns;
};

struct function {
	struct object object;
	char *name;
};

struct context {
	CUdevice ordinal;
	uint32_t id; /* 0: destroyed */
	unsigned retained;
	struct object *objects;
	struct stream *default_stream;
	uint32_t last_event;
};

struct context *sim_context(void);                /* the current one, or NULL */
struct context *sim_context_of(CUcontext handle); /* or NULL */
void *sim_new_object(enum object_kind kind, size_t bytes, uint32_t id);
/* Returns CUDA_SUCCESS where handle is an object of that kind and not destroyed. */
CUresult sim_check(const void *handle, enum object_kind kind);

/* ---- streams ---- */

/* The stream of a handle, default streams included.  NULL without a current context.  A destroyed
 * stream crashes the program, as it does with the real driver. */
struct stream *sim_stream(CUstream handle);

/* Runs work, or captures it into a graph.  wait: the call returns at the end of the work. */
CUresult sim_run(CUstream stream, struct sim_record *work, bool wait);
void sim_place(struct stream *stream, struct sim_record *work, uint64_t earliest_ns);

/* A call that is not allowed while a stream is captured: breaks the captures that it concerns.
 * everywhere: captures of all modes. */
CUresult sim_unsafe(bool everywhere);

/* When all work of context will be done. */
uint64_t sim_context_end_ns(const struct context *context);

uint64_t sim_duration_ns(const struct sim_record *work);

CUresult sim_record_event(CUevent event, CUstream stream);
CUresult sim_wait_event(CUstream stream, CUevent event);
CUresult sim_synchronize_stream(CUstream stream);
CUresult sim_synchronize_event(CUevent event);
CUresult sim_synchronize_context(struct context *context);

/* ---- memory: its contents change at the launch of the work, not at its end ---- */

enum sim_memory { SIM_DEVICE_MEMORY, SIM_HOST_MEMORY, SIM_MANAGED_MEMORY };

struct sim_block {
	uintptr_t begin;
	size_t bytes; /* 0: freed */
	enum sim_memory kind;
	CUdevice ordinal;
};

/* The block that holds an address, or NULL. */
const struct sim_block *sim_block_of(uintptr_t address);

/* Does what a kernel of that name does with its arguments.  Returns the duration in ns that it asks
 * for, or 0. */
uint64_t sim_compute(const char *name, void *const *values);

/* The size of the cache in bytes; and how long a piece of work takes, which runs next and asks for
 * time_ns, with what the cache has of its data or has to write back. */
uint64_t sim_cache_bytes(void);
uint64_t sim_with_cache_ns(const struct sim_record *work, uint64_t time_ns);

/* A copy of the arguments of a kernel of that name, or NULL; never freed. */
void *const *sim_keep_values(const char *name, void *const *values);

/* The only variable that modules have, a word, and its address. */
#define SIM_VARIABLE "variable_of_module"
CUdeviceptr sim_variable(void);

/* Copies and fills memory, as far as it is memory of the device's.  reads: from is the device's. */
void sim_move(bool reads, void *to, const void *from, size_t bytes);
void sim_fill(void *to, unsigned value, unsigned unit_bytes, size_t units);

/* Does what the copy or fill of CUDA of that name does. */
void sim_copy(const char *name, const void *params);

/* ---- graphs ---- */

CUresult sim_begin_capture(CUstream stream, int mode, struct graph *graph);
CUresult sim_capture(struct stream *stream, const struct sim_record *work);
/* The node captured last; NULL: none yet, or the stream is not captured. */
CUgraphNode sim_captured_node(CUstream stream);
CUgraph sim_new_graph(void);
CUresult sim_add_node(CUgraph graph, const struct sim_record *work, CUgraphNode *node);
CUresult sim_end_capture(CUstream stream, struct graph **graph);
CUresult sim_launch_graph(CUgraphExec exec, CUstream stream);
CUresult sim_instantiate(CUgraphExec *exec, CUgraph graph);
CUresult sim_update(CUgraphExec exec, CUgraph graph);
CUresult sim_set_node(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *values);

/* ---- truth ---- */

/* Appends a line to SIMGPU_CUDA_TRUTH. */
void sim_write_truth(const struct sim_record *record);

#endif
