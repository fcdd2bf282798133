/* SPDX-License-Identifier: MIT */
/* What a sensor said at a moment, and what it should have said. */
#ifndef PWRTRACE_CALIBRATION_OBSERVATION_H
#define PWRTRACE_CALIBRATION_OBSERVATION_H

#include "analyzer/response/calibration/load_filter.h"

/* The mean power over the width_s before time_s, as a counter gives it; width_s 0: a gauge's. */
struct observation {
	double time_s;
	double width_s;
	double power_w;
};

#define OBSERVATION(observations, i) g_array_index(observations, struct observation, i)
#define OBSERVATION_FLOOR_W 1e-3 /* of the noise: a power is told in mW */

/* Of a load of 0 and 1, where the time is uncertain by a normal deviation. */
struct expectation {
	double level;
	double variance;
};

struct expectation observation_expect(const struct response_shape *shape,
	struct load_filter *filter, const struct observation *observation, double timing_s);

/* The standard deviation of an observation, of a load that adds step_w. */
double observation_sigma_w(double noise_w, double step_w, const struct expectation *expectation);

#endif
