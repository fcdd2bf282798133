/* SPDX-License-Identifier: MIT */
/*
 * A sensor's response from the trace itself: the lag, window and tail by which what ran explains
 * the readings best.
 */
#ifndef PWRTRACE_IDENTIFY_H
#define PWRTRACE_IDENTIFY_H

#include "analyzer/attr/design.h"

#define IDENTIFY_COLUMNS 24 /* more of them share slots */

enum response_origin { RESPONSE_ASSUMED, RESPONSE_STATED, RESPONSE_FOUND, RESPONSE_CALIBRATED };

struct identified {
	struct response_shape shape;
	enum response_origin origin; /* not RESPONSE_CALIBRATED */
	bool at_edge;                /* of what was tried: it may lie beyond */
};

/* What an earlier fit has found: powers by column, so that those alike are put together where there
 * are many, what each reading weighs, the response and the influences. */
struct identify_earlier {
	const double *power_w, *weight;
	const struct identified *identified;
	const struct influences *influences;
};

/* earlier may be NULL. */
struct identified identify_response(const struct model *model, const struct classes *classes,
	const struct model_sensor *sensor, const GArray *readings,
	const struct identify_earlier *earlier);

#endif
