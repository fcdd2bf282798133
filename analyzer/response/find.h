/* SPDX-License-Identifier: MIT */
/*
 * A sensor's response from the trace itself: the one by which what ran explains the readings best.
 *
 * It is a mean over a window, a filter of first order, or both, after a lag: the first two, which
 * have a parameter less, unless the readings tell by the Bayesian information criterion (Schwarz,
 * "Estimating the dimension of a model", Annals of Statistics 6, 1978) that they are not enough.
 * Readings count as far as they are independent.
 */
#ifndef PWRTRACE_FIND_H
#define PWRTRACE_FIND_H

#include "analyzer/numeric/estimate.h"
#include "analyzer/response/columns.h"
#include "analyzer/response/reading.h"
#include "analyzer/response/response.h"

#define FIND_COLUMNS 24 /* more of them share slots */

enum response_origin { RESPONSE_ASSUMED, RESPONSE_STATED, RESPONSE_FOUND, RESPONSE_CALIBRATED };

#define FIND_OTHERS 16
#define FIND_READINGS_MIN 20

struct found_response {
	struct response_shape shape;
	/* Draws from the posterior, where readings do not tell one shape from others. */
	guint others;
	struct response_shape other[FIND_OTHERS];
	enum response_origin origin; /* RESPONSE_CALIBRATED is fit.c's */
	const char *calibrated; /* when it was measured, on this device or another of its model */
	bool at_edge;           /* of what was tried: it may lie beyond */
	/* Of the box that is like it (response_window): from the fit. */
	struct estimate window_ns, lag_ns;
};

/* A sensor, its readings (struct power_reading) and what ran meanwhile.  Borrowed. */
struct find_input {
	const struct columns *columns;
	const struct model_sensor *sensor;
	const GArray *readings;
};

/* What an earlier fit has found: powers by column, so that those alike are put together where there
 * are many, how much each reading weighs, the response, and what else moves powers. */
struct earlier_fit {
	const double *power_w, *weight;
	const struct found_response *found;
	struct column_factors factors;
	bool fades; /* the first factor fades over time, as a response does */
};

/* Of a sensor's readings.  earlier may be NULL. */
struct found_response response_find(
	const struct find_input *input, const struct earlier_fit *earlier);

/* The response of the first of some sensors of one kind, which repeat themselves at other times. */
#define FIND_TOGETHER_MAX 4
struct found_response response_find_together(const struct find_input *inputs, guint count);

#endif
