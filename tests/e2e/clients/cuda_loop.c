/* SPDX-License-Identifier: MIT */
/*
 * Runs the same few kernels over and over: what each draws, the simulated sensor adds up.
 *
 *	cuda_loop [ROUNDS]
 *
 * A round (default 200) takes about 25 ms, and there is a pause before the first and after the
 *last.  A kernel's name says for how many ns it runs and how many watts it adds
 *(tests/simgpu/nvml_load.h).
 */
#include <unistd.h>

#include "cuda_client.h"

#define PAUSE_US 400000

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		unsigned long times;
	} classes[] = {
		{"_Z4heatILm1000000ELm500EEvv", 5},
		{"_Z4heatILm400000ELm120EEvv", 10},
		{"_Z4heatILm2500000ELm330EEvv", 2},
		{"_Z4heatILm250000ELm620EEvv", 16},
		{"_Z4heatILm700000ELm210EEvv", 6},
		{"_Z4heatILm150000ELm430EEvv", 12},
	};
	unsigned long rounds = argc > 1 ? number(argv[1]) : 200;
	CUfunction kernels[COUNT_OF(classes)];
	CUdeviceptr memory;
	void *module;

	open_device(0);
	module = load_module();
	memory = new_memory();
	for (size_t i = 0; i < COUNT_OF(classes); i++)
		kernels[i] = get_kernel(module, classes[i].name);
	usleep(PAUSE_US);
	for (unsigned long round = 0; round < rounds; round++) {
		for (size_t i = 0; i < COUNT_OF(classes); i++)
			launch(kernels[i], NULL, classes[i].times);
		CHECK(cuCtxSynchronize);
	}
	usleep(PAUSE_US);
	CHECK(cuMemFree_v2, memory);
	print_started();
	return 0;
}
