/* SPDX-License-Identifier: MIT */
/* What the OpenCL test programs share. */
#ifndef CLIENT_H
#define CLIENT_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include <CL/cl.h>

#include "common.h"

static inline void check(cl_int error, const char *what)
{
	if (error != CL_SUCCESS)
		fail("%s failed with OpenCL error %d", what, error);
}

static inline void count(enum kind kind, cl_int error, const char *function)
{
	check(error, function);
	started[kind]++;
}

#define ENQUEUE(kind, function, ...) count(kind, function(__VA_ARGS__), #function)

struct client {
	cl_device_id device;
	cl_context context;
	cl_program program;
};

static inline cl_device_id first_device(void)
{
	cl_platform_id platforms[16];
	cl_uint platforms_found = 0;
	cl_device_id device;

	clGetPlatformIDs(COUNT_OF(platforms), platforms, &platforms_found);
	for (cl_uint i = 0; i < platforms_found && i < COUNT_OF(platforms); i++)
		if (!clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL))
			return device;
	fail("no OpenCL device found");
}

/* Opens device with the test kernels: empty(), add_one(uint *numbers), spin(uint *, uint turns). */
static inline struct client client_open(cl_device_id device)
{
	static const char *source = "kernel void empty(void)\n"
				    "{\n"
				    "}\n"
				    "kernel void add_one(global uint *numbers)\n"
				    "{\n"
				    "	numbers[get_global_id(0)]++;\n"
				    "}\n"
				    "kernel void spin(global uint *numbers, uint turns)\n"
				    "{\n"
				    "	uint x = numbers[get_global_id(0)];\n"
				    "	for (uint i = 0; i < turns; i++)\n"
				    "		x = x * 1664525 + 1013904223;\n"
				    "	numbers[get_global_id(0)] = x;\n"
				    "}\n";
	struct client client = {.device = device};
	cl_int error;

	client.context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	check(error, "clCreateContext");
	client.program = clCreateProgramWithSource(client.context, 1, &source, NULL, &error);
	check(error, "clCreateProgramWithSource");
	check(clBuildProgram(client.program, 1, &device, "", NULL, NULL), "clBuildProgram");
	return client;
}

static inline void client_close(struct client *client)
{
	clReleaseProgram(client->program);
	clReleaseContext(client->context);
}

static inline cl_command_queue new_queue(
	const struct client *client, cl_command_queue_properties properties)
{
	cl_int error;
	cl_command_queue queue =
		clCreateCommandQueue(client->context, client->device, properties, &error);

	check(error, "clCreateCommandQueue");
	return queue;
}

static inline cl_kernel new_kernel(const struct client *client, const char *name)
{
	cl_int error;
	cl_kernel kernel = clCreateKernel(client->program, name, &error);

	check(error, name);
	return kernel;
}

static inline cl_mem new_buffer(const struct client *client, size_t bytes)
{
	cl_int error;
	cl_mem buffer = clCreateBuffer(client->context, CL_MEM_READ_WRITE, bytes, NULL, &error);

	check(error, "clCreateBuffer");
	return buffer;
}

/* Starts kernel, its arguments set, on so many work-items after the events of waits; event as
 * OpenCL has it. */
static inline void launch(cl_command_queue queue, cl_kernel kernel, size_t items, cl_uint waits,
	const cl_event *wait_list, cl_event *event)
{
	ENQUEUE(KERNEL, clEnqueueNDRangeKernel, queue, kernel, 1, NULL, &items, NULL, waits,
		wait_list, event);
}

/* Starts the kernel empty, so many times. */
static inline void launch_empty(
	const struct client *client, cl_command_queue queue, unsigned long times)
{
	cl_kernel empty = new_kernel(client, "empty");

	for (unsigned long i = 0; i < times; i++)
		launch(queue, empty, 1, 0, NULL, NULL);
	clReleaseKernel(empty);
}

#endif
