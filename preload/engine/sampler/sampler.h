/* SPDX-License-Identifier: MIT */
/*
 * The sampler: opens the sources of power, reads them in a thread of its own, and writes the events
 * recording, tag, sensor_def, the samples and recording_end.  A recording has only one.
 */
#ifndef PWRTRACE_SAMPLER_H
#define PWRTRACE_SAMPLER_H

#include "preload/common/sampler.h"

/* preload/common/sampler.h says how to use it. */
extern const struct sampler_ops sampler_ops;

#endif
