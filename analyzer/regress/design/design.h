/* SPDX-License-Identifier: MIT */
/*
 * The design matrix: for each reading and each column, the part of the reading during which the
 * column ran, weighted by the sensor's response (equation (3) of analyzer/regress/README.md).  It
 * is exact, as the response is integrated over every execution.  Rows are sparse.
 */
#ifndef PWRTRACE_DESIGN_H
#define PWRTRACE_DESIGN_H

#include "analyzer/regress/design/classes.h"
#include "analyzer/regress/design/influence.h"
#include "analyzer/response/reading.h"
#include "analyzer/response/response.h"

struct design_entry {
	uint32_t column;
	float part; /* of the reading; more than 1 where executions overlap; in W for an influence
		     */
};

struct design {
	guint rows;
	uint32_t columns;                     /* of the classes first, then of the influences */
	uint32_t own;                         /* of the classes alone */
	const struct power_reading *readings; /* borrowed; one for each row */
	gsize *first;                         /* [rows + 1]: where each row's entries begin */
	GArray *entries;                      /* struct design_entry, by column in each row */
};

/* Builds the matrix, a row for each of the readings, which are borrowed.  design_free it. */
struct design *design_make(const struct model *model, const struct classes *classes,
	const struct response *response, const struct power_reading *readings, guint rows,
	const struct influences *influences);
void design_free(struct design *design);

/* The sum of a row's parts of classes, each times the element of its column in factor (NULL: 1):
 * for how much of the reading anything ran, or with powers what all that ran drew. */
double design_sum(const struct design *design, guint row, const double *factor);

/* The part of a reading that an execution from begin_ns to end_ns makes: equation (3). */
double design_part(const struct response *response, const struct power_reading *reading,
	double begin_ns, double end_ns);

#endif
