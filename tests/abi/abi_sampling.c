/* SPDX-License-Identifier: MIT */
/*
 * Compares preload/power/counters/sampling_abi.h with NVIDIA's own headers, where these are
 * installed: that this file compiles is the test.  cupti_profiler_host.h is C++ alone, so that what
 * it declares is not compared.
 */
#if __has_include(<cupti_pmsampling.h>)

#include <cupti_pmsampling.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>

#include "preload/power/counters/sampling_abi.h"

#define EQUAL(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #theirs);
EQUAL(SAMPLING_BY_TIME, CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL)
EQUAL(SAMPLING_OUT_OF_MEMORY, CUPTI_ERROR_OUT_OF_MEMORY)
EQUAL(SAMPLING_BUSY, CUPTI_ERROR_HARDWARE_BUSY)
EQUAL(SAMPLING_NOT_PRIVILEGED, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
EQUAL(SAMPLING_COUNTERS_FULL, CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL)

/* Their last members are at the same place. */
#define FUNCTION(name, ours, theirs, last)                                                         \
	_Static_assert(SAMPLING_SIZE(ours, last) == SAMPLING_SIZE(theirs, last), #theirs);
SAMPLING_OF_DEVICE(FUNCTION)

#endif
