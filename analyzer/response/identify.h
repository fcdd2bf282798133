/* SPDX-License-Identifier: MIT */
/*
 * A sensor's response from the trace itself: the one by which what ran explains the readings best.
 *
 * It is a mean over a window, a filter of first order, or both, after a lag: the first two, which
 * have a parameter less, unless the readings tell by the Bayesian information criterion (Schwarz,
 * "Estimating the dimension of a model", Annals of Statistics 6, 1978) that they are not enough.
 * Readings count as far as they are independent.
 */
#ifndef PWRTRACE_IDENTIFY_H
#define PWRTRACE_IDENTIFY_H

#include "analyzer/numeric/estimate.h"
#include "analyzer/regress/design.h"

#define IDENTIFY_COLUMNS 24 /* more of them share slots */

enum response_origin { RESPONSE_ASSUMED, RESPONSE_STATED, RESPONSE_FOUND, RESPONSE_CALIBRATED };

#define IDENTIFY_OTHERS 16
#define IDENTIFY_READINGS_MIN 20

struct identified {
	struct response_shape shape;
	/* Draws from the posterior, where readings do not tell one shape from others. */
	guint others;
	struct response_shape other[IDENTIFY_OTHERS];
	enum response_origin origin; /* RESPONSE_CALIBRATED is fit.c's */
	const char *calibrated; /* when it was measured, on this device or another of its model */
	bool at_edge;           /* of what was tried: it may lie beyond */
	/* Of the box that is like it (response_window): from the fit. */
	struct estimate window_ns, lag_ns;
};

/* What an earlier fit has found: powers by column, so that those alike are put together where there
 * are many, how much each reading weighs, the response and the influences. */
struct identify_earlier {
	const double *power_w, *weight;
	const struct identified *identified;
	const struct influences *influences;
};

/* Of a source's readings; where these do not tell, of those of its kind, too.  earlier may be NULL.
 */
struct identified identify_response(const struct model *model, const struct classes *classes,
	const struct source *source, const GArray *readings,
	const struct identify_earlier *earlier);

#endif
