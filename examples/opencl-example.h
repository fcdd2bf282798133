/* SPDX-License-Identifier: MIT */
/*
 * What the OpenCL examples share: one device with one in-order queue, and a count of everything
 * that was started on it.  Every function ends the program with one line on stderr when OpenCL
 * fails.
 */
#ifndef OPENCL_EXAMPLE_H
#define OPENCL_EXAMPLE_H

#define CL_TARGET_OPENCL_VERSION 120

#include <CL/cl.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct gpu {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	unsigned long launches;
	unsigned long copies;
};

/* An argument of a kernel, which stays alive until the launch has returned. */
struct argument {
	size_t size;
	const void *value;
};

#define ARGUMENT(variable)                                                                         \
	{                                                                                          \
		sizeof(variable), &(variable)                                                      \
	}

/* Ends the program: "<program>: <message>", exit status 1. */
__attribute__((format(printf, 1, 2), noreturn)) static inline void die(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

static inline void check(cl_int error, const char *what)
{
	if (error != CL_SUCCESS)
		die("%s failed with OpenCL error %d", what, error);
}

/* Returns the number in text, which the program got as --option; a bad one ends it with 2. */
static inline double number_option(const char *option, const char *text, double least, double most)
{
	char *end;
	double number = strtod(text, &end);

	if (end == text || *end || !(number >= least && number <= most)) {
		fprintf(stderr, "%s: --%s %s: not a number from %g to %g\n",
			program_invocation_short_name, option, text, least, most);
		exit(2);
	}
	return number;
}

/* The first device of the first platform that has one. */
static inline cl_device_id first_device(void)
{
	cl_platform_id platforms[16];
	cl_uint count = 0;
	cl_device_id device;

	clGetPlatformIDs(16, platforms, &count);
	if (!count)
		die("no OpenCL platform found; install a driver, for instance pocl-opencl-icd");
	for (cl_uint i = 0; i < count && i < 16; i++)
		if (!clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL))
			return device;
	die("no OpenCL device found on %u platforms; see clinfo", count);
}

static inline void build_program(struct gpu *gpu, const char *source)
{
	static char log[16384];
	cl_int error;

	gpu->program = clCreateProgramWithSource(gpu->context, 1, &source, NULL, &error);
	check(error, "clCreateProgramWithSource");
	if (!clBuildProgram(gpu->program, 1, &gpu->device, "", NULL, NULL))
		return;
	clGetProgramBuildInfo(
		gpu->program, gpu->device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
	die("the kernels do not build on this device:\n%s", log);
}

/* Opens the first device and builds the kernels of source for it. */
static inline struct gpu gpu_open(const char *source)
{
	struct gpu gpu = {.device = first_device()};
	cl_int error;

	gpu.context = clCreateContext(NULL, 1, &gpu.device, NULL, NULL, &error);
	check(error, "clCreateContext");
	gpu.queue = clCreateCommandQueue(gpu.context, gpu.device, 0, &error);
	check(error, "clCreateCommandQueue");
	build_program(&gpu, source);
	return gpu;
}

static inline cl_kernel gpu_kernel(const struct gpu *gpu, const char *name)
{
	cl_int error;
	cl_kernel kernel = clCreateKernel(gpu->program, name, &error);

	check(error, name);
	return kernel;
}

static inline cl_mem gpu_buffer(const struct gpu *gpu, size_t bytes)
{
	cl_int error;
	cl_mem buffer = clCreateBuffer(gpu->context, CL_MEM_READ_WRITE, bytes, NULL, &error);

	check(error, "clCreateBuffer");
	return buffer;
}

static inline void gpu_write(struct gpu *gpu, cl_mem buffer, const void *data, size_t bytes)
{
	check(clEnqueueWriteBuffer(gpu->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
		"clEnqueueWriteBuffer");
	gpu->copies++;
}

static inline void gpu_read(struct gpu *gpu, cl_mem buffer, void *data, size_t bytes)
{
	check(clEnqueueReadBuffer(gpu->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
		"clEnqueueReadBuffer");
	gpu->copies++;
}

/* Starts kernel on dimensions × global work-items, with its count arguments in order. */
static inline void gpu_launch(struct gpu *gpu, cl_kernel kernel, cl_uint dimensions,
	const size_t *global, cl_uint count, const struct argument *arguments)
{
	for (cl_uint i = 0; i < count; i++)
		check(clSetKernelArg(kernel, i, arguments[i].size, arguments[i].value),
			"clSetKernelArg");
	check(clEnqueueNDRangeKernel(
		      gpu->queue, kernel, dimensions, NULL, global, NULL, 0, NULL, NULL),
		"clEnqueueNDRangeKernel");
	gpu->launches++;
}

static inline void gpu_finish(const struct gpu *gpu)
{
	check(clFinish(gpu->queue), "clFinish");
}

/* Says how much was started on the device: what a report has to account for. */
static inline void gpu_close(struct gpu *gpu)
{
	clReleaseProgram(gpu->program);
	clReleaseCommandQueue(gpu->queue);
	clReleaseContext(gpu->context);
	printf("launches: %lu\ncopies: %lu\n", gpu->launches, gpu->copies);
}

#endif
