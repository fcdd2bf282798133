/* SPDX-License-Identifier: MIT */
/*
 * Launches kernels by names of CUDA's that it defines and exports itself, as programs do that find
 * the driver at run time: a function that passes its call on to the driver's, and a variable that
 * holds the driver's.
 */
#include <dlfcn.h>

#include "cuda_client.h"

static void *driver;

static void *find(const char *name)
{
	void *function = dlsym(driver, name);

	if (!function)
		fail("%s is not found", name);
	return function;
}

#define DRIVER(name) ((__typeof__(name) *)find(#name))

CUresult cuInit(unsigned flags)
{
	return DRIVER(cuInit)(flags);
}

/* The header knows the name as a function's. */
extern __typeof__(cuLaunchKernel) *launch_kernel __asm__("cuLaunchKernel");
__typeof__(cuLaunchKernel) *launch_kernel;

int main(void)
{
	CUcontext context;
	CUfunction kernel;
	void *module;

	driver = dlopen("libcuda.so.1", RTLD_NOW);
	if (!driver)
		fail("%s", dlerror());
	launch_kernel = DRIVER(cuLaunchKernel);
	check(cuInit(0), "cuInit");
	check(DRIVER(cuDevicePrimaryCtxRetain)(&context, 0), "cuDevicePrimaryCtxRetain");
	check(DRIVER(cuCtxSetCurrent)(context), "cuCtxSetCurrent");
	check(DRIVER(cuModuleLoadData)(&module, ""), "cuModuleLoadData");
	check(DRIVER(cuModuleGetFunction)(&kernel, module, ADD), "cuModuleGetFunction");
	for (int i = 0; i < 50; i++)
		ENQUEUE(KERNEL, launch_kernel, kernel, 8, 1, 1, 128, 1, 1, 0, NULL, NULL, NULL);
	ENQUEUE(SYNC, DRIVER(cuStreamSynchronize), NULL);
	if (dlsym(RTLD_DEFAULT, "cuInit") != (void *)cuInit)
		fail("another cuInit is found");
	print_started();
	return 0;
}
