/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the CUDA back end share.
 *
 * cuda.c has the choice of how work is timed, and the wrappers of the driver's functions, which
 * trace only if CUPTI does not; cuda_replay.c is replay (replay.h) with CUDA, cuda_nodes.c the
 * kernels of graphs as launches of their own for it, cuda_reader.c a kernel of ours that it needs;
 * cupti*.c is CUPTI (cupti.h); cuda_graphs.c says what executable graphs consist of; cuda_events.c
 * has streams, and events for machines without CUPTI; cuda_driver.c has devices and kernels as the
 * driver describes them: all other files use it.
 *
 * Functions may be called from any thread, unless one says otherwise.
 */
#ifndef PWRTRACE_CUDA_H
#define PWRTRACE_CUDA_H

#include "preload/api/cuda_abi.h"
#include "preload/api/cupti_abi.h"
#include "preload/api/hooks.h"
#include "preload/engine/gpu/definitions.h"
#include "preload/engine/gpu/graphs.h"
#include "preload/engine/gpu/stream_work.h"

/* The real functions, as in CUDA(cuInit)(flags).  NULL if the driver is too old for one. */
#define HOOK(api, index, ret, name, params, args, role) typedef ret name##_function params;
#include "preload/api/cuda.def"
#include "preload/api/cupti.def"
#undef HOOK

#define CUDA(name) ((name##_function *)cuda_real[HOOK_##name])

extern const struct engine_host *cuda_host;
extern void *const *cuda_real; /* that of cuda_host */

/* What times the device's work.  Decided once; later only CUDA_BY_CUPTI may change, to
 * CUDA_BY_EVENTS, and all in a forked child. */
enum cuda_timing { CUDA_BY_CUPTI, CUDA_BY_EVENTS, CUDA_UNTIMED, CUDA_UNDECIDED };

extern enum cuda_timing cuda_timing;

/* The API for work that is polled; work that CUPTI records belongs to cupti_api. */
extern const struct gpu_api cuda_api;

extern const struct gpu_back_end cuda_back_end;

/* Decides how work is timed, once.  Also called when the driver loads us by CUDA's injection,
 * because hooks may not have seen that CUDA is in use. */
void cuda_loaded(void);

/* To be called once the driver is initialized: registers an exit handler, which so runs before the
 * driver's own. */
void cuda_initialized(void);

/* Returns the id of the device of an ordinal, as the driver counts in this process; 0 if memory
 * runs out. */
uint32_t cuda_device(CUdevice ordinal);

/* Returns an attribute, one of CU_FUNC_ATTRIBUTE_*; 0 if the driver does not tell it. */
int cuda_attribute(CUfunction function, int which);

/* Returns the shared memory of a group, with the dynamic_bytes that its launch adds.  CUPTI's
 * records and graph nodes have this sum, too: so a kernel has one class however it is launched. */
unsigned cuda_shared_bytes(CUfunction function, unsigned dynamic_bytes);

/* Returns the class of a kernel, for gpu_kernel_class.  shared_bytes: of cuda_shared_bytes; the
 * name is copied. */
struct gpu_kernel cuda_kernel(const unsigned grid[3], const unsigned block[3],
	unsigned shared_bytes, uint32_t registers, const char *name);

/* Returns the kernel's name, valid as long as its module is loaded; never NULL. */
const char *cuda_kernel_name(CUfunction function);

/* Return the id of the class of a launch. */
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
