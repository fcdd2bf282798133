/* SPDX-License-Identifier: MIT */
/* Two devices: launches on both, and copies from one to the other. */
#include "runtime.h"

enum { DEVICES = 2, LAUNCHES = 500, BYTES = 1 << 20 };

int main(void)
{
	struct counts counts = {};
	char *data[DEVICES];
	int count = 0;

	TRY(cudaGetDeviceCount(&count));
	if (count < DEVICES)
		client_skip("there is one GPU only");
	for (int i = 0; i < DEVICES; i++) {
		TRY(cudaSetDevice(i));
		TRY(cudaMalloc(&data[i], BYTES));
		for (int launch = 0; launch < LAUNCHES; launch++)
			empty<<<1, 32>>>();
		counts.kernels += LAUNCHES;
	}
	for (int i = 0; i < DEVICES; i++) {
		TRY(cudaSetDevice(i));
		TRY(cudaMemset(data[i], i, BYTES));
		TRY(cudaMemcpyPeer(data[1 - i], 1 - i, data[i], i, BYTES));
		TRY(cudaDeviceSynchronize());
		counts.memory += 2;
		counts.calls += 2;
	}
	printf("devices=%d\n", DEVICES);
	counts_print(&counts);
	return 0;
}
