/* SPDX-License-Identifier: MIT */
/*
 * What other recordings tell of the powers of a fit's columns: section 3 of
 * analyzer/regress/README.md.
 *
 * A recording tells of powers what equivalent measurements would, each of a sum of powers with a
 * variance of 1 (analyzer/library/).  From there to here a power differs by a part of its own, and
 * all of them by the gain of another board.  A class whose power the readings contradict counts for
 * less (Student's t, by reweighting).
 */
#ifndef PWRTRACE_REMEMBERED_H
#define PWRTRACE_REMEMBERED_H

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "analyzer/response/shape.h"

/* The normal prior of a class's dynamic power: its mean, and 1 / its variance in W^-2. */
struct class_prior {
	double mean_w, precision;
};

/* How a column's class is known from elsewhere. */
enum remembered_as { REMEMBERED_NOT, REMEMBERED_SAME, REMEMBERED_OTHER_SHAPE };

/* What is remembered of a column. */
struct remembered_column {
	enum remembered_as as;
	bool measured; /* readings there told its power, so that its size tells nothing more */
	double spread; /* relative standard deviation of its power from one recording to another */
	double doubt;  /* by which the variance of that is multiplied: 1 or more */
	/* Set by remembered_compare: what other recordings expect and its standard deviation, in W,
	 * and how many standard deviations the estimate is off; NaN: they tell nothing. */
	double expected_w, expected_deviation_w, conflict;
};

/* A recording that something is remembered from. */
struct remembered_recording {
	guint board;    /* 0: the board of the fit; others are numbered from 1 */
	double *seen_w; /* by column: its power there; 0: it did not run */
};

struct remembered {
	const char *path; /* of the file that it comes from, borrowed */
	size_t columns;
	struct remembered_column *column;
	GArray *recordings; /* struct remembered_recording */
	/* The equivalent measurements: sum[row] = sum over columns of part[row][column] * power. */
	size_t rows;
	double *part, *sum;
	guint *recording; /* by row */
	double *noise;    /* rows × rows: their covariance where nothing differs */
	guint refused;    /* classes that took another time there, so that they did other work */
	double *moves; /* rows × columns: of a sum, by one standard deviation of a power's spread */
	/* By the present doubts: */
	double *weights;   /* rows × rows, the inverse of the sums' covariance */
	double *precision; /* columns × columns, W^-2 */
	double *right;     /* columns, W^-1 */
	/* The response that another recording found of a sensor of the same kind. */
	bool has_response;
	struct response_shape response;
};

/* Nothing remembered of so many columns, with room for rows measurements, whose noise is 1 each.
 * Fill in the rest and call remembered_begin before the others; remembered_free it. */
struct remembered *remembered_new(size_t columns, size_t rows);
void remembered_free(struct remembered *remembered);

/* Adds a recording; returns its number.  board as in struct remembered_recording. */
guint remembered_add_recording(struct remembered *remembered, guint board);

/* Sets all doubts to 1.  NULL: does nothing. */
void remembered_begin(struct remembered *remembered);

/* Sets the doubts by what a solution says of the powers.  Returns whether any changed by more than
 * a tenth.  NULL: nothing is remembered. */
bool remembered_weigh(struct remembered *remembered, const double *power_w);

/* Adds to the upper left corner of an n × n matrix (its upper triangle), and to a right-hand side
 * where that is not NULL.  NULL: adds nothing. */
void remembered_add(const struct remembered *remembered, double *matrix, size_t n, double *right);

/* x' precision x, for a line of which the first elements belong to the columns; 0 where remembered
 * is NULL. */
double remembered_square(const struct remembered *remembered, const double *line);

/* The part of the time (by column) that classes of the same shape have; 0 where remembered is NULL.
 */
double remembered_part(const struct remembered *remembered, const double *time_ns);

/* Sets what is expected, and conflict, by what a fit has found: its powers, their variances (the
 * diagonal of covariance, n × n), and the prior that it had besides, by column.  All doubts are 1
 * again. */
void remembered_compare(struct remembered *remembered, const double *power_w,
	const double *covariance, size_t n, const struct class_prior *prior);

/* The conflict from which a report names a class: by chance, one class of four hundred. */
#define REMEMBERED_CONFLICT 3.
static inline bool remembered_is_contradicted(const struct remembered_column *column)
{
	return fabs(column->conflict) > REMEMBERED_CONFLICT;
}

/* The response that other recordings tell; NULL: none. */
static inline const struct response_shape *remembered_response(const struct remembered *remembered)
{
	return remembered && remembered->has_response ? &remembered->response : NULL;
}

/* What a report says of all columns. */
struct remembered_summary {
	guint same, other_shape;      /* columns known as such */
	bool same_board, other_board; /* that something is known from */
	guint conflicts;              /* columns, of which this is the worst */
	guint worst;
};
struct remembered_summary remembered_summarize(const struct remembered *remembered);

#endif
