/* SPDX-License-Identifier: MIT */
/* The gain of one sensor relative to another of the same domain. */
#ifndef PWRTRACE_CALIBRATION_GAIN_H
#define PWRTRACE_CALIBRATION_GAIN_H

#include "analyzer/response/calibration/calibrate.h"

/*
 * The ratio of the energies that two sensors of one domain measured in the same time, each shifted
 * by the mean delay of its response.  The 95 % interval is that of the jackknife over blocks of
 * time. ESTIMATE_UNKNOWN where they have too little time in common.
 */
struct estimate gain_between(const GArray *observations, const struct calibrated_response *response,
	const GArray *reference, const struct calibrated_response *reference_response);

#endif
