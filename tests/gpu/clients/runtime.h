/* SPDX-License-Identifier: MIT */
/* What the clients of the CUDA runtime share. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "client.h"

#define TRY(call)                                                                                  \
	do {                                                                                       \
		cudaError_t error_ = (call);                                                       \
		if (error_ != cudaSuccess) {                                                       \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,              \
				cudaGetErrorString(error_));                                       \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static __global__ void empty(void)
{
}

/* Multiplies the elements of data by factor. */
static __global__ void scale(float *data, float factor)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

#endif
