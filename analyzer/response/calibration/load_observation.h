/* SPDX-License-Identifier: MIT */
/* The measured and the expected power of a sensor at a time. */
#ifndef PWRTRACE_LOAD_OBSERVATION_H
#define PWRTRACE_LOAD_OBSERVATION_H

#include "analyzer/response/calibration/load_filter.h"

/* The mean power over the width_s before time_s, as a counter gives it; width_s 0: a gauge's. */
struct load_observation {
	double time_s;
	double width_s;
	double power_w;
};

#define LOAD_OBSERVATION(observations, i) g_array_index(observations, struct load_observation, i)
#define LOAD_OBSERVATION_FLOOR_W 1e-3 /* least noise: readings are in mW */

/* The mean and the variance of an observation of a load of 0 and 1, over its uncertain time. */
struct load_expectation {
	double level;
	double variance;
};

/* timing_s: the standard deviation of its time. */
struct load_expectation load_observation_expect(const struct response_shape *shape,
	struct load_filter *filter, const struct load_observation *observation, double timing_s);

/* The standard deviation in W of an observation of a load that adds step_w. */
double load_observation_sigma_w(
	double noise_w, double step_w, const struct load_expectation *expectation);

#endif
