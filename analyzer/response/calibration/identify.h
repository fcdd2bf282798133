/* SPDX-License-Identifier: MIT */
/* A sensor's character, from a recording of a load of two levels. */
#ifndef PWRTRACE_CALIBRATION_IDENTIFY_H
#define PWRTRACE_CALIBRATION_IDENTIFY_H

#include "analyzer/model/model.h"
#include "analyzer/response/calibration/calibrate.h"
#include "analyzer/response/calibration/grid.h"
#include "analyzer/response/calibration/taps.h"

/* The kernel of our own load: where a trace has it, nothing else is the load. */
#define IDENTIFY_KERNEL "pwrtrace_load"

/* How the time of an update is known. */
struct identity_timing {
	const char *name, *help;
	bool stamped, needs_grid; /* where it can be */
	double (*time_s)(const struct grid *grid, const struct update *update);
};

struct identity {
	const struct model_sensor *sensor;
	bool stamped;        /* a reading's time is the device's own stamp of a new value */
	bool every_reading;  /* as good as each had a new value: there are more than were seen */
	double readings_s;   /* the usual distance of two readings */
	double updates_s;    /* and of two new values */
	double resolution_w; /* of a gauge: the least difference between two values; NaN: unknown */

	bool has_grid;
	struct grid grid;

	const char *trouble; /* why there is no response, and what to do; NULL: there is one */
	struct calibrated_response response;
	const struct identity_timing *timing;
	GArray *observed; /* struct observation, that it was found with */
	guint left_out;   /* because their time is not known */

	bool has_taps;
	bool formula; /* the taps are those of the shape, which the free ones confirm */
	struct taps taps;

	struct estimate gain; /* relative to the energy counter of the same domain */
};

/* The load that a device of the model ran; NULL where it ran none.  The caller frees it. */
struct load *identify_load(const struct model *model, guint gpu);

/* The same from a CSV file: kernel,begin_ns,end_ns, CLOCK_MONOTONIC.  What follows the first of
 * another name (but for digits at its end) is not the load.  Returns NULL after saying why. */
struct load *identify_load_csv(const char *path);

/* Identifies every sensor of the model whose device ran a load: with the load given, or its own
 * where that is NULL.  Returns struct identity. */
GArray *identify(const struct model *model, const struct load *load);
void identities_free(GArray *identities);

#endif
