/* SPDX-License-Identifier: MIT */
/*
 * The regression's matrix: for each reading, how long each column ran in what the reading saw, as a
 * part of it.  Exact: the sensor's response is integrated over every execution.  Rows are sparse.
 */
#ifndef PWRTRACE_DESIGN_H
#define PWRTRACE_DESIGN_H

#include "analyzer/regress/classes.h"
#include "analyzer/regress/influence.h"
#include "analyzer/response/response.h"

/* What a sensor said: the mean power_w between the two times for a counter, whose response is then
 * that of its rate; for a gauge since_ns is time_ns. */
struct design_reading {
	double time_ns;
	double since_ns;
	double length_ns; /* that it stands for */
	double power_w;
};

struct design_entry {
	uint32_t column;
	float part; /* of the reading, more than 1 where executions overlap; of an influence, W */
};

struct design {
	guint rows;
	uint32_t columns;                      /* of the classes, then of the influences */
	uint32_t own;                          /* of the classes alone */
	const struct design_reading *readings; /* borrowed: a row each */
	gsize *first;                          /* rows + 1: where each row's entries begin */
	GArray *entries;                       /* struct design_entry, by column in each row */
};

/* Readings that a fit does not use. */
struct design_left_out {
	guint backwards; /* of a counter that fell, or from which it fell back */
	guint stalled;   /* a sensor that stood still */
	guint asleep;    /* of a device that slept */
	guint saturated; /* one that says no more than ceiling_w */
	double ceiling_w;
};

/* The readings of a source that a fit can use (struct design_reading), in order: what lies before
 * the recording, runs backwards or stands still is left out, and counted in left_out (or NULL); so
 * is what a counter gained over a hole (curve.h), of which it says nothing but the mean. The caller
 * frees the array. */
GArray *design_readings(const struct source *source, struct design_left_out *left_out);

/* readings are borrowed. */
struct design *design_make(const struct model *model, const struct classes *classes,
	const struct response *response, const struct design_reading *readings, guint rows,
	const struct influences *influences);
void design_free(struct design *design);

/* The entry of a row for one stretch of time. */
double design_part(const struct response *response, const struct design_reading *reading,
	double begin_ns, double end_ns);

#endif
