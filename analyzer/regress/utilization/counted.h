/* SPDX-License-Identifier: MIT */
/* The intervals of a device's counters, and how busy each part was in them. */
#ifndef PWRTRACE_COUNTED_H
#define PWRTRACE_COUNTED_H

#include "analyzer/response/columns.h"
#include "analyzer/response/reading.h"
#include "pwrtrace/parts.h"

#define COUNTED_BLOCK 500 /* intervals that follow each other */

struct counted {
	const char *uuid;              /* of the device; the model's */
	guint rows;                    /* of whole blocks */
	struct power_reading *times;   /* rows; their power means nothing */
	double *share[PWRTRACE_PARTS]; /* rows; NULL: not counted */
};

/* Of the one device that a source covers, within its span: at most 200 blocks in which executions
 * of columns ran, evenly spread, of the intervals that all parts have.  rows is 0 where there are
 * no counters.  counted_clear it. */
struct counted counted_of(
	const struct model *model, const struct source *source, const struct columns *columns);
void counted_clear(struct counted *counted);

#endif
