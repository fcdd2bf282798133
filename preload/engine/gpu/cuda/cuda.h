/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the CUDA back end share.
 *
 * cuda.c          which way the device's times come, and the wrappers of the driver's calls, which
 *                 act only where CUPTI does not
 * cuda_replay.c   kernels launched again, where that is asked for
 * cupti*.c        CUPTI (cupti.h)
 * cuda_graphs.c   what executable graphs consist of
 * cuda_events.c   streams, and events for where CUPTI cannot be had
 * cuda_driver.c   devices and kernels, as the driver tells of them: below all the others
 */
#ifndef PWRTRACE_CUDA_H
#define PWRTRACE_CUDA_H

#include "preload/api/cuda_abi.h"
#include "preload/api/cupti_abi.h"
#include "preload/api/hooks.h"
#include "preload/engine/gpu/definitions.h"
#include "preload/engine/gpu/graphs.h"
#include "preload/engine/gpu/stream_work.h"

/* The real functions, NULL where the driver is too old for one: CUDA(cuInit)(flags). */
#define HOOK(api, index, ret, name, params, args, role) typedef ret name##_function params;
#include "preload/api/cuda.def"
#include "preload/api/cupti.def"
#undef HOOK

#define CUDA(name) ((name##_function *)cuda_host->real[HOOK_##name])

extern const struct engine_host *cuda_host;

/* Where the device's times come from; the first three for ever, but that CUPTI may be lost. */
enum cuda_timing { CUDA_BY_CUPTI, CUDA_BY_EVENTS, CUDA_UNTIMED, CUDA_UNDECIDED };

extern enum cuda_timing cuda_timing;

/* Work that is polled; what CUPTI tells of is cupti_api's. */
extern const struct gpu_api cuda_api;

extern const struct gpu_back_end cuda_back_end;

/* The driver has loaded us: hooks may not have seen that CUDA is in use. */
void cuda_loaded(void);

/* The driver is up: from now on an exit handler runs before the driver's own. */
void cuda_initialized(void);

/* The id of the device of an ordinal, as the driver counts in this process; 0 without memory. */
uint32_t cuda_device(CUdevice ordinal);

/* One of CU_FUNC_ATTRIBUTE_*; 0 where the driver does not tell it. */
int cuda_attribute(CUfunction function, int which);

/* What a group has of shared memory, with dynamic_bytes that its launch adds: as CUPTI's records
 * and graphs' nodes have it, so that a kernel is of one class however it is launched. */
unsigned cuda_shared_bytes(CUfunction function, unsigned dynamic_bytes);

/* The class of a kernel; shared_bytes of cuda_shared_bytes, name as the driver tells it. */
struct gpu_kernel cuda_kernel(const unsigned grid[3], const unsigned block[3],
	unsigned shared_bytes, uint32_t registers, const char *name);

/* The kernel's name, which lives as long as its module; never NULL. */
const char *cuda_kernel_name(CUfunction function);

/* The id of the class of a launch. */
uint32_t cuda_class_of(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes);
uint32_t cuda_class_of_config(CUfunction function, const CUlaunchConfig *config);

extern const struct stream_api cuda_streams;

/* Puts wrappers that replay before those that trace. */
void cuda_replay_install(void **wrappers);

/* ---- graphs ---- */

/* As graph_learn. */
void cuda_graph_learn(CUgraphExec exec, CUgraph graph);

#endif
