/* SPDX-License-Identifier: MIT */
/* What a sensor says for a watt that another one says. */
#ifndef PWRTRACE_CALIBRATION_GAIN_H
#define PWRTRACE_CALIBRATION_GAIN_H

#include "analyzer/response/calibration/calibrate.h"

/*
 * The ratio of the energies that two sensors of one domain saw in the same time, each moved by the
 * centroid of its response.  The interval is that of the jackknife over blocks of time.  Unknown
 * where they have too little time in common.
 */
struct estimate gain_between(const GArray *observations, const struct calibrated_response *response,
	const GArray *reference, const struct calibrated_response *reference_response);

#endif
