/* SPDX-License-Identifier: MIT */
/* Two sides, each of one or more runs, compared row by row. */
#ifndef PWRTRACE_COMPARISON_H
#define PWRTRACE_COMPARISON_H

#include "analyzer/compare/change.h"
#include "analyzer/compare/conditions.h"
#include "analyzer/model/boards.h"

/* A row that is there on both sides, or on one alone. */
struct comparison_row {
	const char *by;
	char *name;  /* with its shape, where there is one; of a pair both, as "a = b" */
	char *label; /* the same for people: as short as it can be told apart by */
	bool there[SIDES];
	double count[SIDES];    /* of executions, openings or units, the mean of the runs */
	double energy_j[SIDES]; /* of all of them, the mean of the runs; NaN: not known */
	struct figures figures[SIDES];
	struct change change[FIGURES]; /* not known where it is on one side alone */
	bool modelled;
};

struct comparison {
	GArray *rows; /* struct comparison_row: kernels, then layers, each by falling energy */
	struct comparison_row total;
	const char *unit;             /* of the total's work; NULL: runs */
	GArray *conditions;           /* struct condition */
	bool other_board;             /* some board is on one side alone, or none is known */
	bool one_recording;           /* some recording is on both sides */
	bool estimated;               /* some energy is an estimate: the changes have no p */
	const GPtrArray *runs[SIDES]; /* struct compare_run * */
};

/* Kernels of different names to compare: kernel A of the base with B of the other. */
struct kernel_pair {
	const struct run_row *base, *other;
};

/* Half of the 95 % interval of what one board reads as a part of what another does. */
#define COMPARISON_GAIN95 (1.96 * BOARDS_DIFFER)

/* Compares runs (struct compare_run *, one a side at least), which must outlive the result; free
 * with comparison_free.  pairs: struct kernel_pair; where there are some, they are all rows. */
struct comparison *comparison_new(
	const GPtrArray *base, const GPtrArray *other, const GArray *pairs);
void comparison_free(struct comparison *comparison);

/* Says in *why, which the caller frees, what the two sides count their work in, where that has no
 * unit in common.  Returns whether it has, or a side counts none. */
bool comparison_units_alike(const GPtrArray *base, const GPtrArray *other, char **why);

#endif
