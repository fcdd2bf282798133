/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the simulated CUPTI share.
 *
 * cupti.c           the subscriber and its callbacks
 * cupti_activity.c  records of what the devices did
 * cupti_sampling.c  counters by time
 */
#ifndef SIMGPU_CUPTI_PARTS_H
#define SIMGPU_CUPTI_PARTS_H

#include "tests/simgpu/cuda_sim.h"

enum cupti_error {
	CUPTI_ERROR_INVALID_PARAMETER = 1,
	CUPTI_ERROR_MAX_LIMIT_REACHED = 12,
	CUPTI_ERROR_NOT_INITIALIZED = 15,
	CUPTI_ERROR_INSUFFICIENT_PRIVILEGES = 35,
};

/* Has the driver tell what it does. */
CUptiResult cupti_observe(void);

/* Whether this is the child of the process that CUPTI was used in. */
bool cupti_is_forked(void);

/* What it tells. */
void cupti_record(const struct sim_record *record);
bool cupti_whole_graphs(void);

#endif
