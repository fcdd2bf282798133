/* SPDX-License-Identifier: MIT */
/*
 * Comes by OpenCL without being linked with it, and launches kernels.
 *
 *	cl_dlopen ROUTE [N]		N launches (default 100)
 *
 * ROUTE: name		dlopen("libOpenCL.so.1"), dlsym on the handle
 *	path		dlopen of the library's absolute path
 *	deepbind	dlopen with RTLD_DEEPBIND
 *	default		dlopen with RTLD_GLOBAL, dlsym on RTLD_DEFAULT
 *	version		dlvsym, as version OPENCL_1.0
 *	dlmopen		a linker namespace of its own
 *	reopen		dlopen("libOpenCL.so.1"), closed and opened again
 */
#include <dlfcn.h>
#include <limits.h>

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

static struct {
#define POINTER(function) __typeof__(function) *function;
	FUNCTIONS(POINTER)
#undef POINTER
} cl;

static void *handle;

static void *look_up_in_handle(const char *function)
{
	return dlsym(handle, function);
}

static void *look_up_by_default(const char *function)
{
	return dlsym(RTLD_DEFAULT, function);
}

static void *look_up_by_version(const char *function)
{
	return dlvsym(handle, function, "OPENCL_1.0");
}

static void *open_by_name(void)
{
	return dlopen(LIBRARY, RTLD_NOW);
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

static void *open_with_deepbind(void)
{
	return dlopen(LIBRARY, RTLD_NOW | RTLD_DEEPBIND);
}

static void *open_globally(void)
{
	return dlopen(LIBRARY, RTLD_LAZY | RTLD_GLOBAL);
}

static void *open_in_namespace(void)
{
	return dlmopen(LM_ID_NEWLM, LIBRARY, RTLD_NOW);
}

static void *open_again(void)
{
	void *first = dlopen(LIBRARY, RTLD_NOW);

	if (!first || !dlsym(first, "clEnqueueNDRangeKernel"))
		return NULL;
	dlclose(first);
	return dlopen(LIBRARY, RTLD_NOW);
}

static const struct route {
	const char *name;
	void *(*open)(void);
	void *(*look_up)(const char *function);
} routes[] = {
	{"name", open_by_name, look_up_in_handle},
	{"path", open_by_path, look_up_in_handle},
	{"deepbind", open_with_deepbind, look_up_in_handle},
	{"default", open_globally, look_up_by_default},
	{"version", open_by_name, look_up_by_version},
	{"dlmopen", open_in_namespace, look_up_in_handle},
	{"reopen", open_again, look_up_in_handle},
};

static void load(const struct route *route)
{
	handle = route->open();
	if (!handle)
		fail("%s", dlerror());
#define LOOK_UP(function)                                                                          \
	cl.function = (__typeof__(cl.function))route->look_up(#function);                          \
	if (!cl.function)                                                                          \
		fail("%s not found", #function);
	FUNCTIONS(LOOK_UP)
#undef LOOK_UP
}

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

	check(cl.clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	check(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
	context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = cl.clCreateCommandQueue(context, device, 0, NULL);
	program = cl.clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	check(cl.clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
	kernel = cl.clCreateKernel(program, "empty", NULL);
	for (unsigned long i = 0; i < launches; i++)
		ENQUEUE(KERNEL, cl.clEnqueueNDRangeKernel, queue, kernel, 1, NULL, &one, NULL, 0,
			NULL, NULL);
	check(cl.clFinish(queue), "clFinish");
	cl.clReleaseKernel(kernel);
	cl.clReleaseProgram(program);
	cl.clReleaseCommandQueue(queue);
	cl.clReleaseContext(context);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < COUNT_OF(routes); i++) {
		if (strcmp(argv[1], routes[i].name))
			continue;
		load(&routes[i]);
		work(argc > 2 ? number(argv[2]) : 100);
		print_started();
		return 0;
	}
	fprintf(stderr, "usage: cl_dlopen ROUTE [N]; see the source\n");
	return 2;
}
