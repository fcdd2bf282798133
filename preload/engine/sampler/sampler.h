/* SPDX-License-Identifier: MIT */
/*
 * The one reader of power of a recording: opens the sources, reads them in a thread of its own and
 * writes recording, tag, sensor_def, the samples and recording_end.
 */
#ifndef PWRTRACE_SAMPLER_H
#define PWRTRACE_SAMPLER_H

#include "preload/common/sampler.h"

extern const struct sampler_ops sampler_ops;

#endif
