/* SPDX-License-Identifier: MIT */
/* hip_loop [ROUNDS]: see loop.h.  The kernels' code is added by a test. */
#include "hip_client.h"
#include "loop.h"

static const char symbols[CLASSES];

static void make_kernel(size_t kernel, const char *name)
{
	register_kernel(&symbols[kernel], name);
}

static void launch_kernel(size_t kernel, unsigned long times)
{
	launch(&symbols[kernel], NULL, times);
}

static void wait_for_all(void)
{
	CHECK(hipDeviceSynchronize);
}

int main(int argc, char **argv)
{
	new_memory();
	run_loop(argc, argv);
	return 0;
}
