/* SPDX-License-Identifier: MIT */
/* Under which conditions two sides ran. */
#ifndef PWRTRACE_CONDITIONS_H
#define PWRTRACE_CONDITIONS_H

#include "analyzer/compare/run.h"

enum side { SIDE_BASE, SIDE_OTHER, SIDES };
extern const char *const side_names[SIDES]; /* "base" and "other" */

/* A condition under which both sides ran.  Of numbers, texts are NULL. */
struct condition {
	const char *name;
	const char *unit; /* of numbers: an SI unit, or "" for a part of 1 */
	char *text[SIDES];
	double value[SIDES]; /* NaN: not known */
	bool agree;          /* unknown ones agree */
};

/* The conditions (struct condition) of the runs (struct compare_run *) of two sides; free with
 * conditions_free. */
GArray *conditions_of(const GPtrArray *base, const GPtrArray *other);
void conditions_free(GArray *conditions);

/* Whether the two sides ran on other boards, or it is not known on which. */
bool conditions_other_board(const GArray *conditions);

/* The first of some runs (struct compare_run *) with a recording that another has, too; NULL: none.
 * On one side, it is the same run; on both, one fit may tell the powers of both. */
const struct compare_run *conditions_one_recording(
	const GPtrArray *runs, const struct compare_run *other);

/* The condition of a name, which must be one of theirs. */
const struct condition *conditions_find(const GArray *conditions, const char *name);

#endif
