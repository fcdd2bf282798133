/* SPDX-License-Identifier: MIT */
/*
 * Launches kernels by names of CUDA's that it defines and exports itself, as programs do that find
 * the driver at run time: functions that pass their calls on to the driver's, and a variable that
 * holds one of the driver's.  As a library before the driver's, it stands between that and another
 * program, for these functions alone.
 */
#include <dlfcn.h>

#include "cuda_client.h"

static void *find(const char *name)
{
	static void *driver;
	void *function;

	if (!driver)
		driver = dlopen("libcuda.so.1", RTLD_NOW);
	function = driver ? dlsym(driver, name) : NULL;
	if (!function)
		fail("%s", dlerror());
	return function;
}

#define DRIVER(name) ((__typeof__(name) *)find(#name))

CUresult cuInit(unsigned flags)
{
	return DRIVER(cuInit)(flags);
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
	CUstream stream, void **values, void **extra)
{
	return DRIVER(cuLaunchKernel)(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
		shared_bytes, stream, values, extra);
}

/* The header knows the name as a function's. */
extern __typeof__(cuLaunchCooperativeKernel) *launch_together __asm__("cuLaunchCooperativeKernel");
__typeof__(cuLaunchCooperativeKernel) *launch_together;

int main(void)
{
	CUcontext context;
	CUfunction kernel;
	void *module;

	check(cuInit(0), "cuInit");
	launch_together = DRIVER(cuLaunchCooperativeKernel);
	check(DRIVER(cuDevicePrimaryCtxRetain)(&context, 0), "cuDevicePrimaryCtxRetain");
	check(DRIVER(cuCtxSetCurrent)(context), "cuCtxSetCurrent");
	check(DRIVER(cuModuleLoadData)(&module, ""), "cuModuleLoadData");
	check(DRIVER(cuModuleGetFunction)(&kernel, module, ADD), "cuModuleGetFunction");
	for (int i = 0; i < 50; i++) {
		ENQUEUE(KERNEL, cuLaunchKernel, kernel, 8, 1, 1, 128, 1, 1, 0, NULL, NULL, NULL);
		ENQUEUE(KERNEL, launch_together, kernel, 8, 1, 1, 128, 1, 1, 0, NULL, NULL);
	}
	ENQUEUE(SYNC, DRIVER(cuStreamSynchronize), NULL);
	if (dlsym(RTLD_DEFAULT, "cuInit") != (void *)cuInit)
		fail("another cuInit is found");
	print_started();
	return 0;
}
