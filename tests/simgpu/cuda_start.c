/* SPDX-License-Identifier: MIT */
/* Initialization of the driver, once in a process. */
#include <pthread.h>

#include "tests/simgpu/cuda_parts.h"

static bool is_up;

bool sim_is_up(void)
{
	return __atomic_load_n(&is_up, __ATOMIC_RELAXED);
}

/* In the child of a process that has used it, the driver returns errors and tells CUPTI nothing. */
static bool is_forked;

static void after_fork_in_child(void)
{
	is_forked |= is_up;
	is_up = false;
	sim_observer = NULL;
}

static void initialize(void)
{
	sim_let_tool_in();
	pthread_atfork(NULL, NULL, after_fork_in_child);
	if (sim_device_count() == 0)
		return;
	is_up = true;
	sim_resource(CUPTI_CBID_RESOURCE_CU_INIT_FINISHED, NULL, NULL);
}

CUresult sim_initialize(unsigned flags)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (is_forked)
		return CUDA_ERROR_NOT_INITIALIZED;
	pthread_once(&once, initialize);
	return sim_is_up() ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}
