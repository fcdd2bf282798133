/* SPDX-License-Identifier: MIT */
/*
 * The measured responses of sensors: one file per device and driver below
 * $XDG_CONFIG_HOME/pwrtrace/responses, lines of a word and its value:
 *
 *   pwrtrace-response 1
 *   device GPU-...                   as in sensor_def, the driver too
 *   driver 580.159
 *   calibrated 2026-11-21T09:00:00Z
 *   sensor SOURCE<tab>DOMAIN<tab>QUANTITY
 *   period_ns 20000100               and others of struct kept_response, in any order; what is not
 *   ...                              known is not there
 *   tap LAG_NS WEIGHT                all of one length, from the least lag on; the weights add up
 *                                    to 1
 *   sensor ...                       the next sensor of the device
 */
#ifndef PWRTRACE_KEPT_RESPONSE_H
#define PWRTRACE_KEPT_RESPONSE_H

#include <stdio.h>

#include "preload/power/core/power.h"

#define KEPT_TAPS_MAX 64
#define KEPT_RESPONSE_WHY_MAX 512

struct kept_tap {
	int64_t lag_ns; /* where it begins; it ends where the next one does */
	double weight;
};

/* Times that are not known are PWRTRACE_UNKNOWN_U64, numbers NaN. */
struct kept_response {
	char calibrated[32]; /* when, in UTC */
	uint64_t period_ns, window_ns, lag_ns;
	uint64_t jitter_ns; /* standard deviation of the times of values */
	double noise_w;     /* standard deviation of values */
	double gain;        /* relative to the energy counter of the same domain */
	double off_grid;    /* the share of stamps that are of no update */
	size_t tap_count;   /* 0: the response is not known */
	struct kept_tap taps[KEPT_TAPS_MAX];
};

/* Returns whether one is kept for the sensor of the source called so.  The sensor then has its
 * times. */
bool kept_response_apply(
	struct kept_response *response, const char *source, struct power_sensor *sensor);

/* Keeps text, which is of the form above and can be sought in, in place of the file for the same
 * device and driver, which is there until the new one is whole.  Returns 0 with the file's name in
 * where (size bytes), or -1 with one line there: what is wrong. */
int kept_response_write(FILE *text, char *where, size_t size);

#endif
