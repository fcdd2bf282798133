/* SPDX-License-Identifier: MIT */
/*
 * A libamdhip64 that calls OpenCL, as chipStar's does: the functions of HIP that
 * tests/e2e/clients/hip_stacked.c calls, on the first device of a real OpenCL.  Every kernel is an
 * empty loop.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simgpu/hip_sim.h"

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static const char *kernel_name = "";

static void start(void)
{
	const char *source = "kernel void loop(void) { for (volatile int i = 0; i < 1000; i++); }";
	cl_platform_id platform;
	cl_device_id device;
	cl_program program;

	if (queue)
		return;
	clGetPlatformIDs(1, &platform, NULL);
	clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	clBuildProgram(program, 1, &device, "", NULL, NULL);
	kernel = clCreateKernel(program, "loop", NULL);
	queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, NULL);
}

void **__hipRegisterFatBinary(const void *data)
{
	return (void **)data;
}

void __hipRegisterFunction(void **modules, const void *function, char *device_function,
	const char *name, unsigned limit, void *thread, void *block, void *block_dim,
	void *grid_dim, int *size)
{
	(void)modules, (void)function, (void)device_function, (void)limit, (void)thread;
	(void)block, (void)block_dim, (void)grid_dim, (void)size;
	kernel_name = name;
}

const char *hipKernelNameRefByPtr(const void *function, hipStream_t stream)
{
	(void)function, (void)stream;
	return kernel_name;
}

hipError_t hipGetDevice(int *device)
{
	*device = 0;
	return hipSuccess;
}

hipError_t hipSetDevice(int device)
{
	return device;
}

hipError_t hipDeviceGetName(char *name, int size, hipDevice_t device)
{
	(void)device;
	strncpy(name, "HIP over OpenCL", (size_t)size);
	return hipSuccess;
}

hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **values,
	size_t shared_bytes, hipStream_t stream)
{
	size_t global[] = {grid.x * block.x, grid.y * block.y, grid.z * block.z};
	size_t local[] = {block.x, block.y, block.z};

	(void)function, (void)values, (void)shared_bytes, (void)stream;
	start();
	return clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL);
}

hipError_t hipDeviceSynchronize(void)
{
	start();
	return clFinish(queue);
}

/* ---- events: markers ---- */

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags)
{
	(void)flags;
	*event = calloc(1, sizeof(cl_event));
	return hipSuccess;
}

static cl_event *marker_of(hipEvent_t event)
{
	return (cl_event *)event;
}

hipError_t hipEventDestroy(hipEvent_t event)
{
	if (*marker_of(event))
		clReleaseEvent(*marker_of(event));
	free(event);
	return hipSuccess;
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream)
{
	(void)stream;
	start();
	if (*marker_of(event))
		clReleaseEvent(*marker_of(event));
	return clEnqueueMarkerWithWaitList(queue, 0, NULL, marker_of(event)) || clFlush(queue);
}

hipError_t hipEventQuery(hipEvent_t event)
{
	cl_int status;

	clGetEventInfo(*marker_of(event), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
		&status, NULL);
	return status == CL_COMPLETE ? hipSuccess : hipErrorNotReady;
}

hipError_t hipEventElapsedTime(float *ms, hipEvent_t begin, hipEvent_t end)
{
	cl_ulong times[2];

	clGetEventProfilingInfo(
		*marker_of(begin), CL_PROFILING_COMMAND_END, sizeof(cl_ulong), &times[0], NULL);
	clGetEventProfilingInfo(
		*marker_of(end), CL_PROFILING_COMMAND_END, sizeof(cl_ulong), &times[1], NULL);
	*ms = (float)((double)(cl_long)(times[1] - times[0]) / 1e6);
	return hipSuccess;
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags)
{
	(void)flags;
	*stream = NULL;
	return hipErrorNotFound;
}
