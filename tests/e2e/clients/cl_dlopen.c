/* SPDX-License-Identifier: MIT */
/*
 * Loads OpenCL at run time, in one of several ways, and launches kernels.
 *
 *	cl_dlopen ROUTE [N]		N launches (default 100)
 *
 * ROUTE: those of routes.h, and
 *	path		dlopen of the library's absolute path
 *	version		dlvsym, as version OPENCL_1.0
 *	reopen		dlopen, closed and opened again
 *	moved		the same, with something else in its place meanwhile
 */
#include <limits.h>
#include <link.h>
#include <sys/mman.h>

#include "client.h"

#define LIBRARY "libOpenCL.so.1"

#define FUNCTIONS(FUNCTION)                                                                        \
	FUNCTION(clGetPlatformIDs)                                                                 \
	FUNCTION(clGetDeviceIDs)                                                                   \
	FUNCTION(clCreateContext)                                                                  \
	FUNCTION(clCreateCommandQueue)                                                             \
	FUNCTION(clCreateProgramWithSource)                                                        \
	FUNCTION(clBuildProgram)                                                                   \
	FUNCTION(clCreateKernel)                                                                   \
	FUNCTION(clEnqueueNDRangeKernel)                                                           \
	FUNCTION(clFinish)                                                                         \
	FUNCTION(clReleaseKernel)                                                                  \
	FUNCTION(clReleaseProgram)                                                                 \
	FUNCTION(clReleaseCommandQueue)                                                            \
	FUNCTION(clReleaseContext)

#include "routes.h"

static void *look_up_by_version(const char *function)
{
	return dlvsym(handle, function, "OPENCL_1.0");
}

/* The directory of libc: that of the system's libraries, whatever the distribution calls it. */
static void *open_by_path(void)
{
	char path[PATH_MAX + sizeof(LIBRARY)];
	Dl_info libc;

	if (!dladdr(dlsym(RTLD_DEFAULT, "puts"), &libc) || !realpath(libc.dli_fname, path))
		fail("the directory of libc is not known");
	memcpy(strrchr(path, '/') + 1, LIBRARY, sizeof(LIBRARY));
	return dlopen(path, RTLD_NOW);
}

static void *open_again(void)
{
	void *first = dlopen(LIBRARY, RTLD_NOW);

	if (!first || !dlsym(first, "clEnqueueNDRangeKernel"))
		return NULL;
	dlclose(first);
	return dlopen(LIBRARY, RTLD_NOW);
}

/* As a program does that asks whether there is OpenCL before it uses it. */
static void *open_moved(void)
{
	void *first = dlopen(LIBRARY, RTLD_NOW), *begin;
	struct link_map *library;

	if (!first || !dlsym(first, "clEnqueueNDRangeKernel") ||
		dlinfo(first, RTLD_DI_LINKMAP, &library))
		return NULL;
	begin = (void *)library->l_addr;
	dlclose(first);
	/* Fails where the library is still there, which is as good. */
	mmap(begin, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	return dlopen(LIBRARY, RTLD_NOW);
}

static const struct route routes[] = {
	{"name", open_by_name, look_up_in_handle, false},
	{"path", open_by_path, look_up_in_handle, false},
	{"deepbind", open_with_deepbind, look_up_in_handle, false},
	{"default", open_globally, look_up_by_default, false},
	{"version", open_by_name, look_up_by_version, false},
	{"dlmopen", open_in_namespace, look_up_in_handle, false},
	{"reopen", open_again, look_up_in_handle, false},
	{"moved", open_moved, look_up_in_handle, false},
};

static void work(unsigned long launches)
{
	static const char *source = "kernel void empty(void) {}";
	const size_t one = 1;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;

	check(lib.clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	check(lib.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
	context = lib.clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = lib.clCreateCommandQueue(context, device, 0, NULL);
	program = lib.clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	check(lib.clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
	kernel = lib.clCreateKernel(program, "empty", NULL);
	for (unsigned long i = 0; i < launches; i++)
		ENQUEUE(KERNEL, lib.clEnqueueNDRangeKernel, queue, kernel, 1, NULL, &one, NULL, 0,
			NULL, NULL);
	check(lib.clFinish(queue), "clFinish");
	lib.clReleaseKernel(kernel);
	lib.clReleaseProgram(program);
	lib.clReleaseCommandQueue(queue);
	lib.clReleaseContext(context);
}

int main(int argc, char **argv)
{
	return run_route(argc, argv, routes, COUNT_OF(routes), work);
}
