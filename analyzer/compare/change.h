/* SPDX-License-Identifier: MIT */
/*
 * How much a figure changed between two sides, each of one or more runs, and whether that is more
 * than chance.
 *
 * From three runs a side on, by Welch's test of the logarithms: the runs themselves say how much
 * they differ; what they have in common (figures_common95) is added.  Of fewer runs, by the
 * intervals that each has of its own: the square root of the sum of their squares.
 */
#ifndef PWRTRACE_CHANGE_H
#define PWRTRACE_CHANGE_H

#include "analyzer/compare/figures.h"

struct change {
	double delta; /* other / base - 1; NaN: not known */
	double ci95;  /* half of its 95 % interval; NaN: not known */
	double p;     /* how likely it is by chance that it is as large; NaN: not known */
	bool significant;
};

/* The least number of runs a side for Welch's test. */
#define CHANGE_WELCH_RUNS 3

/* base, other: struct figures, for each run.  unlike95: half of the 95 % interval of what makes the
 * two sides read unlike, as a part of 1, as the gains of two sensors; 0: nothing.  one_fit: one fit
 * told the powers of both sides, of unlike kernels: how they depend on one another is not known,
 * and as a fit may take from one what it gives to the other, half intervals of power are added.
 * Significant is what has p < 0.05 by itself. */
struct change change_of(
	enum figure figure, const GArray *base, const GArray *other, double unlike95, bool one_fit);

/* Sets which of several changes are significant together (significance_largest). */
void changes_judge(struct change *const *changes, guint count);

#endif
