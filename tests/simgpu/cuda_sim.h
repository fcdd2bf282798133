/* SPDX-License-Identifier: MIT */
/*
 * A simulated libcuda.so.1 and libcupti.so.13: GPUs on which every kernel takes a known time. Where
 * the tests depend on it, they behave as driver 580 and CUPTI 13.0 were seen to on an H200.
 *
 * Each stream runs its work in order.  The begin and end of all work are computed when it is
 * launched, so that no thread of ours runs.  Except for the kernels in cuda_memory.c, kernels do
 * nothing but take time: as many nanoseconds as the name says (_Z4spinILm20000EEvv is spin<20000>),
 * as many as the program asked for by simgpu_ask, or else DEFAULT_KERNEL_NS.  Device i has the UUID
 * of device i in the simulated NVML (nvml.c).  Settings, from the environment:
 *
 *   SIMGPU_CUDA_DEVICES=N     the number of devices (1); CUDA_VISIBLE_DEVICES=I,… chooses some
 *   SIMGPU_CUDA_MEMORY=N      the apparent size of device memory in bytes (80 GiB)
 *   SIMGPU_CUDA_CACHE=N       the size of the cache in bytes (0: a driver that does not say)
 *   SIMGPU_CUDA_CACHE_SAVES=PERCENT  by how much less time a kernel takes whose data are in it (50)
 *   SIMGPU_CUDA_FAILING_FILL=N  the Nth fill fails
 *   SIMGPU_CUDA_FAILING_KERNEL=NAME  the first launch of a kernel fails
 *   SIMGPU_CUDA_COMPILES=0    the driver has no compiler for PTX
 *   SIMGPU_CUDA_TRUTH=FILE    gets a line for each thing that a device does (cuda_truth.c)
 *   SIMGPU_CUDA_DRIFT_PPM=N   the clock that times events is fast by N parts per million
 *   SIMGPU_CUPTI_SKEW_NS=N    the times in CUPTI's records are early by N ns
 *   SIMGPU_CUPTI_DRIFT_PPM=N  an old CUPTI, for which no clock can be chosen: its records have the
 *                             device's own, 1000 s ahead and fast by N parts per million
 *   SIMGPU_CUPTI_REFUSES=CODE what cuptiSubscribe returns
 *
 * This header has what the two libraries need of each other, and their entry points.
 */
#ifndef SIMGPU_CUDA_SIM_H
#define SIMGPU_CUDA_SIM_H

#include <stdbool.h>

#include "preload/api/cuda_abi.h"
#include "preload/api/cupti_abi.h"

#pragma GCC visibility push(default)
#define HOOK(api, cbid, ret, name, params, args, role) ret name params;
#define FUNCTION(name, params) CUptiResult name params;
#include "preload/api/cuda.def"
#include "preload/api/cupti.def"
#include "tests/simgpu/cuda.def"
#undef HOOK
#pragma GCC visibility pop

/* What every kernel uses. */
#define REGISTERS 32
#define STATIC_SHARED_BYTES 48

enum sim_kind { SIM_KERNEL, SIM_MEMORY, SIM_GRAPH };

/* A piece of work of a device, done or still to be done.  Times are CLOCK_MONOTONIC. */
struct sim_record {
	enum sim_kind kind;
	uint32_t device, context, stream, correlation;
	uint64_t begin_ns, end_ns;
	CUfunction function; /* of a kernel */
	void *const *values; /* a kernel's arguments, or NULL */
	const char *call;    /* of a copy or fill, the function that was called, and */
	const void *params;  /* its arguments as in struct sim_call; NULL: nothing is copied */
	const char *name;    /* a kernel's; of a copy or fill its kind, as in cuda.def */
	int32_t grid[3], block[3];
	uint32_t shared_bytes;
	uint64_t bytes;
	uint64_t asked_ns; /* the requested duration; 0: it follows from the name or the bytes */
	uint64_t node;     /* the node of a graph; 0: none */
	uint32_t graph;    /* the executable graph */
};

/* A call of an entry point that CUPTI has callbacks for. */
struct sim_call {
	uint32_t cbid;
	uint32_t correlation;
	const char *name;
	const void *params; /* the arguments one after the other, each as wide as a pointer */
	CUcontext context;
	uint32_t context_id;
	CUresult result;
	uint64_t data; /* the subscriber's own */
};

/* What libcuda calls when something happens: functions of a simulated profiler. */
struct sim_observer {
	void (*enter)(struct sim_call *call);
	void (*leave)(struct sim_call *call);
	void (*resource)(uint32_t cbid, CUcontext context, const void *descriptor);
	void (*record)(const struct sim_record *record);
	/* Whether graphs are timed as one unit: asked at each instantiation and launch. */
	bool (*whole_graphs)(void);
};

/* The first member of what CUgraphNode, CUgraph and CUgraphExec point to. */
struct sim_graph_id {
	uint64_t id;
};

/* What libcuda does for a profiler. */
struct sim_driver {
	uint32_t (*stream_id)(CUcontext context, CUstream stream, bool per_thread);
	CUdevice (*ordinal)(CUcontext context);
};

/* A function of libcuda for programs of the tests: the next kernel, copy or fill that this thread
 * launches takes duration_ns and does not begin before begin_ns of CLOCK_MONOTONIC. */
__attribute__((visibility("default"))) void simgpu_ask(uint64_t begin_ns, uint64_t duration_ns);

/* A function of libcuda for programs of the tests: how many events this process has created. */
__attribute__((visibility("default"))) uint64_t simgpu_events(void);

/* A function of libcuda for a profiler: registers the one observer, for the life of the process. */
__attribute__((visibility("default"))) const struct sim_driver *simgpu_observe(
	const struct sim_observer *observer);

#endif
