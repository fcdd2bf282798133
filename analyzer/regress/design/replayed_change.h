/* SPDX-License-Identifier: MIT */
/*
 * How much replays change the power within what a reading sees, in two ways: by all changes, and by
 * those alone that are longer than some repetitions.  Where repetitions take turns with reads of
 * other memory every few microseconds the power changes all the time, but no error of the response
 * or of times shows in readings, as it does where replays have pauses.
 */
#ifndef PWRTRACE_REPLAYED_CHANGE_H
#define PWRTRACE_REPLAYED_CHANGE_H

#include "analyzer/regress/design/classes.h"
#include "analyzer/response/reading.h"
#include "analyzer/response/response.h"

struct replayed_change {
	double part; /* of the dynamic power that a reading sees: what replays draw of it */
	/* The variance within the reading of the power's means over 0.3 ms, or over a thousandth of
	 * what a reading sees if that is longer. */
	double coarse_w2;
};

/* By row of count readings, in the order of time; NULL where nothing is replayed.  power_w: dynamic
 * powers by column.  g_free it. */
struct replayed_change *replayed_changes_of(const struct classes *classes,
	const struct response *response, const struct power_reading *readings, guint count,
	const double *power_w);

#endif
