/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the OpenCL back end share.
 *
 * opencl.c          the wrappers of calls that launch, order and wait
 * opencl_objects.c  devices, queues and kernels
 * opencl_replay.c   replay (replay.h) with OpenCL
 *
 * Functions may be called from any thread.
 */
#ifndef PWRTRACE_OPENCL_H
#define PWRTRACE_OPENCL_H

#include "preload/api/hooks.h"
#include "preload/api/opencl_abi.h"
#include "preload/engine/gpu/definitions.h"

/* The real functions, as in OPENCL(clFinish)(queue). */
#define HOOK(api, index, ret, name, params, args, role) typedef ret name##_function params;
#include "preload/api/opencl.def"
#undef HOOK

#define OPENCL(name) ((name##_function *)opencl_host->real[HOOK_##name])

extern const struct engine_host *opencl_host;
extern const struct gpu_api opencl_api;

extern const struct gpu_back_end opencl_back_end;

/* Puts the wrappers of calls that create and query objects into the table. */
void opencl_install_objects(void **wrappers);

/* Returns the id of a queue, a new one if it is not known; 0 if memory runs out. */
uint32_t opencl_stream(cl_command_queue queue);

/* Puts wrappers that replay before those that trace. */
void opencl_replay_install(void **wrappers);

/* The harvest of opencl_api: replay lets go of what the program has released. */
bool opencl_replay_harvest(bool last);

/* Returns the id of the class of a launch; global NULL: of one work-item. */
uint32_t opencl_kernel_class(
	cl_kernel kernel, cl_uint dimensions, const size_t *global, const size_t *local);

/* Returns the id of a kernel's name (gpu_name); kernel NULL: a native function. */
uint32_t opencl_kernel_name(cl_kernel kernel);

#endif
