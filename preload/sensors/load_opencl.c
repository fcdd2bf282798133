/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>

#include "preload/api/opencl_abi.h"
#include "preload/common/clock.h"
#include "preload/sensors/library.h"
#include "preload/sensors/load.h"
#include "pwrtrace/kernels.h"

#define LIBRARY "libOpenCL.so.1"
#define DEVICES_MAX 64
#define PLATFORMS_MAX 16
#define LOCAL_SIZE 64
#define ITEMS_PER_UNIT 1024
#define TRIAL_NS (20 * PWRTRACE_NS_PER_MS) /* shorter ones say little about the speed */
#define FIRST_ROUNDS 64

/* OpenCL has no clock: how many rounds a time takes is learnt from the rounds before. */
static const char *kernel_source =
	"__kernel void " PWRTRACE_LOAD_KERNEL "(__global float *result, const ulong rounds)\n"
	"{\n"
	"	float a = get_global_id(0), b = a + 1, c = b + 1, d = c + 1;\n"
	"	for (ulong i = 0; i < rounds; i++) {\n"
	"		a = fma(a, 0.999f, 1.23f); b = fma(b, 0.999f, 1.23f);\n"
	"		c = fma(c, 0.999f, 1.23f); d = fma(d, 0.999f, 1.23f);\n"
	"	}\n"
	"	result[get_global_id(0)] = a + b + c + d;\n"
	"}\n";

struct opencl_functions {
#define FUNCTION(ret, name, params) ret(*name) params;
#include "preload/sensors/load_opencl.def"
#undef FUNCTION
};

static const char *const names[] = {
#define FUNCTION(ret, name, params) #name,
#include "preload/sensors/load_opencl.def"
#undef FUNCTION
};

static struct {
	struct opencl_functions call;
	cl_device_id devices[DEVICES_MAX];
	cl_uint device_count;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem result;
	size_t items;
	double rounds_per_ns;
} opencl;

/* Evaluates to whether a call failed, with a line in why. */
#define FAILS(name, ...) fails(#name, opencl.call.name(__VA_ARGS__), why)

static bool fails(const char *call, cl_int error, char *why)
{
	if (error != CL_SUCCESS)
		snprintf(why, LOAD_WHY_MAX, "%s failed with error %d; clinfo may tell more", call,
			(int)error);
	return error != CL_SUCCESS;
}

static int open_opencl(char *why)
{
	cl_platform_id platforms[PLATFORMS_MAX];
	cl_uint count = 0;

	if (library_open(LIBRARY, names, sizeof(names) / sizeof(*names), &opencl.call,
		    "an OpenCL loader (ocl-icd-libopencl1)", why))
		return -1;
	opencl.device_count = 0;
	opencl.call.clGetPlatformIDs(PLATFORMS_MAX, platforms, &count);
	for (cl_uint i = 0; i < count && i < PLATFORMS_MAX; i++) {
		cl_uint room = DEVICES_MAX - opencl.device_count, found = 0;

		if (room && opencl.call.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, room,
				    opencl.devices + opencl.device_count, &found) == CL_SUCCESS)
			opencl.device_count += found < room ? found : room;
	}
	if (opencl.device_count)
		return (int)opencl.device_count;
	snprintf(why, LOAD_WHY_MAX, "OpenCL has no device; clinfo lists them");
	return -1;
}

static void end_opencl(void)
{
	if (opencl.result)
		opencl.call.clReleaseMemObject(opencl.result);
	if (opencl.kernel)
		opencl.call.clReleaseKernel(opencl.kernel);
	if (opencl.program)
		opencl.call.clReleaseProgram(opencl.program);
	if (opencl.queue)
		opencl.call.clReleaseCommandQueue(opencl.queue);
	if (opencl.context)
		opencl.call.clReleaseContext(opencl.context);
	opencl.result = NULL;
	opencl.kernel = NULL;
	opencl.program = NULL;
	opencl.queue = NULL;
	opencl.context = NULL;
}

static bool make_kernel(cl_device_id device, char *why)
{
	cl_int error = CL_SUCCESS;

	opencl.context = opencl.call.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	if (fails("clCreateContext", error, why))
		return false;
	opencl.queue = opencl.call.clCreateCommandQueue(opencl.context, device, 0, &error);
	if (fails("clCreateCommandQueue", error, why))
		return false;
	opencl.program = opencl.call.clCreateProgramWithSource(
		opencl.context, 1, &kernel_source, NULL, &error);
	if (fails("clCreateProgramWithSource", error, why) ||
		FAILS(clBuildProgram, opencl.program, 1, &device, "", NULL, NULL))
		return false;
	opencl.kernel = opencl.call.clCreateKernel(opencl.program, PWRTRACE_LOAD_KERNEL, &error);
	if (fails("clCreateKernel", error, why))
		return false;
	opencl.result = opencl.call.clCreateBuffer(
		opencl.context, CL_MEM_READ_WRITE, opencl.items * sizeof(float), NULL, &error);
	return !fails("clCreateBuffer", error, why) &&
	       !FAILS(clSetKernelArg, opencl.kernel, 0, sizeof(opencl.result), &opencl.result);
}

/* Sets *taken_ns to how long the host waited. */
static int run_rounds(cl_ulong rounds, uint64_t *taken_ns, char *why)
{
	size_t local = LOCAL_SIZE;
	uint64_t begin_ns = clock_now_ns();

	if (FAILS(clSetKernelArg, opencl.kernel, 1, sizeof(rounds), &rounds) ||
		FAILS(clEnqueueNDRangeKernel, opencl.queue, opencl.kernel, 1, NULL, &opencl.items,
			&local, 0, NULL, NULL) ||
		FAILS(clFinish, opencl.queue))
		return -1;
	*taken_ns = clock_now_ns() - begin_ns;
	return 0;
}

static int learn_speed(char *why)
{
	uint64_t taken_ns = 0;

	for (cl_ulong rounds = FIRST_ROUNDS; taken_ns < TRIAL_NS; rounds *= 2) {
		if (run_rounds(rounds, &taken_ns, why))
			return -1;
		opencl.rounds_per_ns = (double)rounds / (double)taken_ns;
	}
	return 0;
}

static int begin_opencl(int device, char *name, char *why)
{
	cl_device_id id = opencl.devices[device];
	cl_uint units = 1;

	if (FAILS(clGetDeviceInfo, id, CL_DEVICE_NAME, LOAD_NAME_MAX, name, NULL) ||
		FAILS(clGetDeviceInfo, id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units,
			NULL))
		return -1;
	opencl.items = (size_t)units * ITEMS_PER_UNIT;
	if (make_kernel(id, why) && learn_speed(why) == 0)
		return 0;
	end_opencl();
	return -1;
}

static int run_opencl(uint64_t duration_ns, char *why)
{
	cl_ulong rounds = (cl_ulong)(opencl.rounds_per_ns * (double)duration_ns) + 1;
	uint64_t taken_ns;

	if (run_rounds(rounds, &taken_ns, why))
		return -1;
	if (taken_ns > TRIAL_NS)
		opencl.rounds_per_ns = (double)rounds / (double)taken_ns;
	return 0;
}

const struct load_api load_opencl = {
	.name = "opencl",
	.open = open_opencl,
	.begin = begin_opencl,
	.run = run_opencl,
	.end = end_opencl,
};
