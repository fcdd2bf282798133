/* SPDX-License-Identifier: MIT */
/* What follows from a comparison. */
#ifndef PWRTRACE_JUDGE_H
#define PWRTRACE_JUDGE_H

#include "analyzer/compare/comparison.h"

/* What must be equal for a comparison: nothing; the clocks of each kernel; or the limit of power,
 * by which each kernel was throttled. */
enum compare_at { COMPARE_AT_ANY, COMPARE_AT_CLOCK, COMPARE_AT_LIMIT };

/* Clocks that are no further apart count as equal. */
#define JUDGE_CLOCK_APART 0.01

/* Returns whether the two sides are as wanted; else one line in *why, which the caller frees, says
 * what differs. */
bool judge_equal(const struct comparison *comparison, enum compare_at at, char **why);

enum verdict { VERDICT_UNKNOWN, VERDICT_SAME, VERDICT_BETTER, VERDICT_WORSE };
extern const char *const verdict_names[]; /* NULL where it is unknown */

/* What is to be said of a change: less is better. */
enum verdict judge_change(const struct change *change);

/* The side on which a figure of a row is not known; SIDES: it is on both. */
enum side judge_unknown(const struct comparison_row *row, enum figure figure);

/* The row that a comparison is about: where paired, that of the pair which took most energy; else
 * the total. */
const struct comparison_row *judge_subject(const struct comparison *comparison, bool paired);

/* The rows, and at last the total, of which a figure is significantly worse, and by more than a
 * part of 1 (const struct comparison_row *); the caller frees the array.  NULL: of none is it
 * known.
 */
GPtrArray *judge_worse(const struct comparison *comparison, enum figure figure, double more);

#endif
