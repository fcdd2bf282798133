/* SPDX-License-Identifier: MIT */
/* Uses CUDA, and then OpenCL in a child process, where CUDA cannot be used any more. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include <CL/cl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda_client.h"

static void fill_by_opencl(unsigned times)
{
	const cl_uint zero = 0;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_mem buffer;

	if (clGetPlatformIDs(1, &platform, NULL) ||
		clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		fail("no OpenCL device found");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
	for (unsigned i = 0; i < times; i++)
		if (!clEnqueueFillBuffer(
			    queue, buffer, &zero, sizeof(zero), 0, BYTES, 0, NULL, NULL))
			started[FILL]++;
	clFinish(queue);
}

int main(void)
{
	int status;

	open_device(0);
	launch(get_kernel(load_module(), ADD), new_stream(), 20);
	CHECK(cuCtxSynchronize);
	fflush(stdout);
	if (fork() == 0) {
		started[KERNEL] = 0;
		fill_by_opencl(10);
		print_started();
		exit(0);
	}
	if (wait(&status) < 0 || status)
		fail("the child ended with status %#x", status);
	print_started();
	return 0;
}
