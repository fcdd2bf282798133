/* SPDX-License-Identifier: MIT */
/*
 * Preloaded, counts the kernels that a program launches through libOpenCL, by means that have
 * nothing in common with pwrtrace's, and writes the number to the file COUNT_LAUNCHES at the end.
 * Programs whose launches are counted look their symbols up in the usual way.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

static atomic_ulong launches;

/* A launch that fails is none. */
static cl_int counted(cl_int error)
{
	if (error == CL_SUCCESS)
		launches++;
	return error;
}

/* RTLD_NEXT does not reach a libOpenCL that a Python module has loaded for itself alone. */
static void *next_function(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);
	void *library = function ? NULL : dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD);

	return library ? dlsym(library, name) : function;
}

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
	const size_t *offset, const size_t *global, const size_t *local, cl_uint waits,
	const cl_event *wait_list, cl_event *event)
{
	__typeof__(clEnqueueNDRangeKernel) *next = next_function("clEnqueueNDRangeKernel");

	return counted(
		next(queue, kernel, dimensions, offset, global, local, waits, wait_list, event));
}

EXPORT cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint waits,
	const cl_event *wait_list, cl_event *event)
{
	__typeof__(clEnqueueTask) *next = next_function("clEnqueueTask");

	return counted(next(queue, kernel, waits, wait_list, event));
}

__attribute__((destructor)) static void write_count(void)
{
	const char *path = getenv("COUNT_LAUNCHES");
	FILE *file = path && launches ? fopen(path, "w") : NULL;

	if (!file)
		return;
	fprintf(file, "%lu\n", launches);
	fclose(file);
}
