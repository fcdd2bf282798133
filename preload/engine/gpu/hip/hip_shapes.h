/* SPDX-License-Identifier: MIT */
/* The words by which rows of hip.def give the shape of a launch. */
#ifndef PWRTRACE_HIP_SHAPES_H
#define PWRTRACE_HIP_SHAPES_H

#include "preload/engine/gpu/hip/hip.h"

/* What hipConfigureCall has set for the next hipLaunchByPtr of its thread. */
struct hip_configured {
	dim3 grid, block;
	size_t shared_bytes;
	hipStream_t stream;
};
extern __thread struct hip_configured hip_configured;

static inline struct hip_shape shape_of(dim3 grid, dim3 block, size_t shared_bytes)
{
	return (struct hip_shape){{(uint64_t)grid.x * block.x, (uint64_t)grid.y * block.y,
					  (uint64_t)grid.z * block.z},
		{block.x, block.y, block.z}, shared_bytes};
}

static inline uint32_t of_symbol(
	const void *function, dim3 grid, dim3 block, size_t shared_bytes, hipStream_t stream)
{
	struct hip_shape shape = shape_of(grid, block, shared_bytes);

	return hip_class_of_symbol(function, stream, &shape);
}

static inline uint32_t of_function(
	hipFunction_t function, dim3 grid, dim3 block, size_t shared_bytes)
{
	struct hip_shape shape = shape_of(grid, block, shared_bytes);

	return hip_class_of_function(function, &shape);
}

/* These use the names that rows give their parameters. */
#define SYMBOL(function) of_symbol(function, grid, block, shared_bytes, stream)
#define FUNCTION(function)                                                                         \
	of_function(function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z},   \
		shared_bytes)
#define FUNCTION_GLOBAL(function)                                                                  \
	hip_class_of_function(function, &(struct hip_shape){{global_x, global_y, global_z},        \
						{block_x, block_y, block_z}, shared_bytes})
#define of_config(function, config)                                                                \
	of_function(function, (dim3){(config)->gridDimX, (config)->gridDimY, (config)->gridDimZ},  \
		(dim3){(config)->blockDimX, (config)->blockDimY, (config)->blockDimZ},             \
		(config)->sharedMemBytes)

#endif
