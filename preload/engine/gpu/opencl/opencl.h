/* SPDX-License-Identifier: MIT */
/* What the parts of the OpenCL back end share: opencl.c wraps what launches, opencl_objects.c knows
 * devices, queues and kernels, opencl_replay.c launches kernels again where that is asked for. */
#ifndef PWRTRACE_OPENCL_H
#define PWRTRACE_OPENCL_H

#include "preload/api/hooks.h"
#include "preload/api/opencl_abi.h"
#include "preload/engine/gpu/definitions.h"

/* The real functions: OPENCL(clFinish)(queue). */
#define HOOK(api, index, ret, name, params, args, role) typedef ret name##_function params;
#include "preload/api/opencl.def"
#undef HOOK

#define OPENCL(name) ((name##_function *)opencl_host->real[HOOK_##name])

extern const struct engine_host *opencl_host;
extern const struct gpu_api opencl_api;

extern const struct gpu_back_end opencl_back_end;

/* Puts the wrappers of calls that make and ask for objects. */
void opencl_install_objects(void **wrappers);

/* The id of a queue, a new one where it was not seen being made; 0 without memory. */
uint32_t opencl_stream(cl_command_queue queue);

/* Puts wrappers that replay before those that trace. */
void opencl_replay_install(void **wrappers);

/* The class of a launch; global NULL: of one work-item. */
uint32_t opencl_kernel_class(
	cl_kernel kernel, cl_uint dimensions, const size_t *global, const size_t *local);

/* The id of a kernel's name; kernel may be NULL: a native function. */
uint32_t opencl_kernel_name(cl_kernel kernel);

#endif
