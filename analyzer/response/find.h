/* SPDX-License-Identifier: MIT */
/*
 * Finds a sensor's response from the trace itself: the one with which the executions explain the
 * readings best.
 *
 * It is a mean over a window, a filter of first order, or both, after a lag.  The first two, which
 * have one parameter less, are preferred unless the Bayesian information criterion (Schwarz,
 * "Estimating the dimension of a model", Annals of Statistics 6, 1978) decides for both, with the
 * effective sample size of the readings.
 */
#ifndef PWRTRACE_FIND_H
#define PWRTRACE_FIND_H

#include "analyzer/numeric/estimate.h"
#include "analyzer/response/columns.h"
#include "analyzer/response/reading.h"
#include "analyzer/response/response.h"

#define FIND_COLUMNS 24 /* more columns than these share slots: a trial costs their square */

enum response_origin {
	RESPONSE_ASSUMED,
	RESPONSE_STATED,
	RESPONSE_REMEMBERED, /* found in another recording */
	RESPONSE_FOUND,
	RESPONSE_CALIBRATED
};

#define FIND_OTHERS 16       /* shapes drawn: each is one more fit */
#define FIND_READINGS_MIN 20 /* several for each parameter */

struct found_response {
	struct response_shape shape;
	/* Draws from the posterior, where several shapes stay likely. */
	guint others;
	struct response_shape other[FIND_OTHERS];
	enum response_origin origin; /* RESPONSE_CALIBRATED is set by fit.c only */
	const char
		*calibrated; /* date of the calibration, on this device or another of its model */
	bool at_edge;        /* of the bounds of the search: the true one may lie beyond */
	/* Of the equivalent boxcar (response_window_ns), with intervals from the fit. */
	struct estimate window_ns, lag_ns;
};

/* A sensor, its readings (struct power_reading) and the executions during these; borrowed. */
struct find_input {
	const struct columns *columns;
	const struct model_sensor *sensor;
	const GArray *readings;
	/* What another recording found of a sensor of the same kind; NULL: nothing. */
	const struct response_shape *remembered;
};

/* The results of an earlier fit: powers by column, by which similar columns share a slot, weights
 * by reading, the response, and the influences. */
struct earlier_fit {
	const double *power_w, *weight;
	const struct found_response *found;
	struct column_factors factors;
	bool fades;     /* the first influence fades over time, and so resembles a response */
	bool of_others; /* the powers are those of other recordings */
};

/* Finds the response of a sensor from its readings.  earlier may be NULL. */
struct found_response response_find(
	const struct find_input *input, const struct earlier_fit *earlier);

/* Finds the response that several sensors of one kind share, for the first of them.  Their devices
 * repeat themselves at other times, so that together they decide where each alone cannot. */
#define FIND_TOGETHER_MAX 4 /* sensors: more cost time and add little */
struct found_response response_find_together(const struct find_input *inputs, guint count);

#endif
