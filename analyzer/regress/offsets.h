/* SPDX-License-Identifier: MIT */
/*
 * The offsets of the static power.  It follows the temperature, and is another one in each replay,
 * and in each block of the time that is left: off by an error that all readings there share, with a
 * normal prior about 0.  These offsets are eliminated from the normal equations (Schur complement),
 * so that they take no columns, and the residuals are those with the offsets that belong to the
 * powers: section 5 of analyzer/regress/README.md.
 */
#ifndef PWRTRACE_OFFSETS_H
#define PWRTRACE_OFFSETS_H

#include "analyzer/regress/design/blocks.h"
#include "analyzer/regress/fit.h"
#include "analyzer/regress/normal.h"

/* The offset of the readings of a replay, or of a block as far as no replay takes it. */
struct offset {
	guint first, end; /* rows */
	bool of_replay;   /* not of a block */
	guint fold;       /* of all of them: that of the block, or in which the replay begins */
	double *sum;      /* by power: Σ weight · share · part of its column, over the rows */
	double right;     /* Σ weight · share · reading, in W^-1 */
	double weight;    /* Σ weight · share², and the prior's weight, in W^-2 */
	double prior;     /* that of the prior */
	double found_w;   /* its estimate */
};

struct offsets {
	GArray *list;  /* struct offset, in the order of rows; NULL: there are none */
	double *share; /* by row: the part of the reading that lies in its replay, or in none */
	guint *of_row; /* by row: index in list */
};

/* Finds the replays that readings saw, and the blocks of the others.  low_w: the static power as
 * far as it is known before the powers are, as in the prior.  offsets_end frees them. */
void offsets_begin(struct offsets *offsets, const struct fit *fit, const struct design *design,
	const struct blocks *blocks, double low_w);
void offsets_end(struct offsets *offsets);

/* The fold of a row: that of its offset, or of its block where there are none. */
guint offsets_fold(const struct offsets *offsets, const struct design *design,
	const struct blocks *blocks, guint row);

/* Eliminates them from the normal equations of the folds, to which all rows were added with these
 * weights. */
void offsets_eliminate(struct offsets *offsets, const struct design *design, const double *weight,
	struct normal_equations *const *folds);

/* Estimates them from residuals from which the estimates so far are subtracted, and subtracts the
 * new ones instead. */
void offsets_find(struct offsets *offsets, const double *weight, double *residual_w);

/* Σ weight · share · value over the rows of an offset. */
double offsets_sum(const struct offsets *offsets, const struct offset *offset, const double *weight,
	const double *value);

/* How many degrees of freedom they take: those that the readings tell, and not the prior. */
double offsets_effective(const struct offsets *offsets);

static inline guint offsets_count(const struct offsets *offsets)
{
	return offsets->list ? offsets->list->len : 0;
}

static inline const struct offset *offsets_at(const struct offsets *offsets, guint i)
{
	return &g_array_index(offsets->list, struct offset, i);
}

/* What the present estimate adds to a reading. */
static inline double offsets_w(const struct offsets *offsets, guint row)
{
	return offsets->list
		       ? offsets->share[row] * offsets_at(offsets, offsets->of_row[row])->found_w
		       : 0;
}

#endif
