/* SPDX-License-Identifier: MIT */
/*
 * The regression's matrix: for each reading, how long each column ran in what the reading saw, as a
 * part of it.  Exact: the sensor's response is integrated over every execution.  Rows are sparse.
 */
#ifndef PWRTRACE_DESIGN_H
#define PWRTRACE_DESIGN_H

#include "analyzer/regress/classes.h"
#include "analyzer/regress/influence.h"
#include "analyzer/response/reading.h"
#include "analyzer/response/response.h"

struct design_entry {
	uint32_t column;
	float part; /* of the reading, more than 1 where executions overlap; of an influence, W */
};

struct design {
	guint rows;
	uint32_t columns;                     /* of the classes, then of the influences */
	uint32_t own;                         /* of the classes alone */
	const struct power_reading *readings; /* borrowed: a row each */
	gsize *first;                         /* rows + 1: where each row's entries begin */
	GArray *entries;                      /* struct design_entry, by column in each row */
};

/* readings are borrowed. */
struct design *design_make(const struct model *model, const struct classes *classes,
	const struct response *response, const struct power_reading *readings, guint rows,
	const struct influences *influences);
void design_free(struct design *design);

/* The entry of a row for one stretch of time. */
double design_part(const struct response *response, const struct power_reading *reading,
	double begin_ns, double end_ns);

#endif
