/* SPDX-License-Identifier: MIT */
/*
 * Work on every device that the driver shows, each from the primary context and another one.
 *
 *	cuda_devices [N]		N seconds (default 0) of long kernels on each
 */
#include "cuda_client.h"

#define LONGS_PER_S 33

int main(int argc, char **argv)
{
	unsigned long seconds = argc > 1 ? number(argv[1]) : 0;
	int devices;

	CHECK(cuInit, 0);
	CHECK(cuDeviceGetCount, &devices);
	for (int i = 0; i < devices; i++) {
		CUcontext own;

		open_device(i);
		launch(get_kernel(load_module(), ADD), new_stream(), 10 + i);
		launch(get_kernel(load_module(), LONG), new_stream(), seconds * LONGS_PER_S);
		fill(new_memory(), NULL);
		CHECK(cuCtxCreate_v2, &own, 0, i);
		launch(get_kernel(load_module(), SHORT), NULL, 5 + i);
	}
	for (int i = 0; i < devices; i++) {
		open_device(i);
		CHECK(cuCtxSynchronize);
	}
	print_started();
	return 0;
}
