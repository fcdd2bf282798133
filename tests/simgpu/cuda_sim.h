/* SPDX-License-Identifier: MIT */
/*
 * A libcuda.so.1 and a libcupti.so.13 of our own: GPUs on which every kernel takes a known time.
 * They behave as driver 580 and CUPTI 13.0 were seen to on an H200, where the tests depend on it.
 *
 * A stream runs its work in order.  When it begins and ends is settled at the launch, and no thread
 * runs.  But for the kernels in cuda_memory.c nothing is computed.  A kernel's name says how many
 * nanoseconds it takes (_Z4spinILm20000EEvv, that is spin<20000>), else it takes DEFAULT_KERNEL_NS;
 * a program of the tests asks with simgpu_ask for what it wants.  Device i is the one of the same
 * UUID in the simulated NVML (nvml.c).  Settings, from the environment:
 *
 *   SIMGPU_CUDA_DEVICES=N     how many there are (1); CUDA_VISIBLE_DEVICES=I,… chooses among them
 *   SIMGPU_CUDA_MEMORY=N      bytes of device memory that there seem to be (80 GiB)
 *   SIMGPU_CUDA_TRUTH=FILE    to be appended with a line for all that a device does (cuda_truth.c)
 *   SIMGPU_CUDA_DRIFT_PPM=N   events tell the time of a clock that is fast by N parts in a million
 *   SIMGPU_CUPTI_SKEW_NS=N    by how much CUPTI's records are early
 *   SIMGPU_CUPTI_DRIFT_PPM=N  CUPTI is one that takes nobody's clock: records have the device's,
 *                             which is 1000 s ahead and fast by N parts in a million
 *   SIMGPU_CUPTI_REFUSES=CODE what cuptiSubscribe returns
 *
 * This header is what the two libraries say to each other, and their entry points.
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

/* Of every kernel. */
#define REGISTERS 32
#define STATIC_SHARED_BYTES 48

enum sim_kind { SIM_KERNEL, SIM_MEMORY, SIM_GRAPH };

/* What a device does, or will have done: times are CLOCK_MONOTONIC. */
struct sim_record {
	enum sim_kind kind;
	uint32_t device, context, stream, correlation;
	uint64_t begin_ns, end_ns;
	CUfunction function; /* of a kernel */
	void *const
		*values;  /* a kernel's arguments, or NULL; those of cuLaunchKernel are its own */
	const char *name; /* a kernel's; of a copy or fill its kind, as in cuda.def */
	int32_t grid[3], block[3];
	uint32_t shared_bytes;
	uint64_t bytes;
	uint64_t asked_ns; /* how long it was asked to take; 0: its name or its bytes say it */
	uint64_t node;     /* of a graph; 0 for none */
	uint32_t graph;    /* the executable one */
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

struct sim_observer {
	void (*enter)(struct sim_call *call);
	void (*leave)(struct sim_call *call);
	void (*resource)(uint32_t cbid, CUcontext context, const void *descriptor);
	void (*record)(const struct sim_record *record);
	/* Whether graphs are timed as one unit: asked at each instantiation and launch. */
	bool (*whole_graphs)(void);
};

/* What CUgraphNode, CUgraph and CUgraphExec begin with. */
struct sim_identified {
	uint64_t id;
};

struct sim_driver {
	uint32_t (*stream_id)(CUcontext context, CUstream stream, bool per_thread);
	CUdevice (*ordinal)(CUcontext context);
};

/* Of libcuda, for programs of the tests: the next kernel, copy or fill of this thread takes so
 * long, and does not begin before begin_ns of CLOCK_MONOTONIC. */
__attribute__((visibility("default"))) void simgpu_ask(uint64_t begin_ns, uint64_t duration_ns);

/* Of libcuda, for libcupti; there is one observer for ever. */
__attribute__((visibility("default"))) const struct sim_driver *simgpu_observe(
	const struct sim_observer *observer);

#endif
