/* SPDX-License-Identifier: MIT */
/* Launches kernels by a HIP that stands on OpenCL (tests/simgpu/over_opencl.c). */
#include "hip_client.h"

int main(void)
{
	static const char symbol[1];

	register_kernel(symbol, SHORT);
	launch(symbol, NULL, 100);
	ENQUEUE(SYNC, hipDeviceSynchronize);
	print_started();
	return 0;
}
