/* SPDX-License-Identifier: MIT */
/* cuda_loop [ROUNDS]: see loop.h. */
#include "cuda_client.h"
#include "loop.h"

static CUfunction kernels[CLASSES];
static void *module;

static void make_kernel(size_t kernel, const char *name)
{
	kernels[kernel] = get_kernel(module, name);
}

static void launch_kernel(size_t kernel, unsigned long times)
{
	launch(kernels[kernel], NULL, times);
}

static void wait_for_all(void)
{
	CHECK(cuCtxSynchronize);
}

int main(int argc, char **argv)
{
	open_device(0);
	module = load_module();
	new_memory();
	run_loop(argc, argv);
	return 0;
}
