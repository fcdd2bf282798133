/* SPDX-License-Identifier: MIT */
/* Identifies how a sensor works from a recording of a load of two levels: when it has new values,
 * and its response. */
#ifndef PWRTRACE_CALIBRATION_IDENTIFY_H
#define PWRTRACE_CALIBRATION_IDENTIFY_H

#include "analyzer/model/model.h"
#include "analyzer/response/calibration/calibrate.h"
#include "analyzer/response/calibration/grid.h"
#include "analyzer/response/calibration/taps.h"

/* A way to know the time of an update. */
struct identity_timing {
	const char *name, *help;
	bool stamped, needs_grid; /* whether it is for stamped readings, and only with a grid */
	double (*time_s)(const struct grid *grid, const struct update *update);
};

struct identity {
	const struct model_sensor *sensor;
	bool stamped;       /* a reading's time is the device's own stamp of a new value */
	bool every_reading; /* nearly each had a new value: the sensor may have more than were read
			     */
	double readings_s;  /* median distance of the readings */
	double updates_s;   /* and of the new values */

	bool has_grid;
	struct grid grid;

	const char *trouble; /* why there is no response, and what to do; NULL: there is one */
	struct calibrated_response response;
	const struct identity_timing *timing;
	GArray *observed; /* struct load_observation: what the response was fitted to */
	guint left_out;   /* updates whose time is not known */

	bool has_taps;
	bool formula; /* taps are those of the shape, which free taps do not improve significantly
		       */
	struct taps taps;

	struct estimate gain; /* relative to the energy counter of the same domain */
};

/* The load that a device of the model ran; NULL where it ran none.  load_free it. */
struct load *identify_load(const struct model *model, guint gpu);

/* The same from a CSV file with lines kernel,begin_ns,end_ns in CLOCK_MONOTONIC.  The load ends
 * before the first kernel whose name, without digits at its end, is another than the first one's.
 * Returns NULL after printing why.  load_free it. */
struct load *identify_load_csv(const char *path);

/* Identifies every sensor of the model whose device ran a load: with the load given, or its own
 * where that is NULL.  Returns struct identity. */
GArray *identify(const struct model *model, const struct load *load);
void identities_free(GArray *identities);

#endif
