/* SPDX-License-Identifier: MIT */
/* The nuisance parameters: the derivatives of the predicted readings by the response's lag, window
 * and, unless it is calibrated, tail.  Their unit is the sensor's period; that of the window is the
 * window itself where it is longer. */
#ifndef PWRTRACE_NUISANCE_H
#define PWRTRACE_NUISANCE_H

#include "analyzer/regress/regression.h"

enum {
	NUISANCE_LAG = SHAPE_LAG,
	NUISANCE_WINDOW = SHAPE_WINDOW,
	NUISANCE_TAIL = SHAPE_TAIL,
	NUISANCES = SHAPE_PARAMETERS
};

struct nuisances {
	double *slope[NUISANCES]; /* by row: W for a unit */
	/* What the normal matrix would have between each offset of replays, and the powers and then
	 * the nuisance parameters, had the offsets not been eliminated: a line for each offset.
	 * NULL where there are none. */
	double *offset_lines;
};

/* Computes the slopes for readings, with the powers of the fit; there are no lines of offsets.
 * nuisances_clear frees all. */
void nuisances_make(struct nuisances *nuisances, const struct fit *fit,
	const struct power_reading *readings, guint rows);
void nuisances_clear(struct nuisances *nuisances);

/* Sets the lines of the offsets, with the weights of the regression. */
void nuisances_set_offset_lines(struct nuisances *nuisances, const struct regression *regression);

/* The line of an offset. */
static inline const double *nuisances_offset_line(
	const struct nuisances *nuisances, const struct regression *regression, guint offset)
{
	return nuisances->offset_lines + offset * (regression->fit->powers + NUISANCES);
}

/* Adds to score (by power, then by nuisance parameter) that of a row whose residual is error_w: its
 * weighted residual times its derivatives, less what the row's offset explains of them. */
void nuisances_add_score(const struct nuisances *nuisances, const struct regression *regression,
	guint row, double error_w, double *score);

/* The standard deviation of the prior of each, in its unit. */
double nuisances_sigma(const struct fit *fit);

/* Moves the response of a fit by so many units of each parameter. */
void nuisances_move(struct fit *fit, const double by[NUISANCES]);

/* The derivatives of the response's equivalent window and lag (response.h) by each parameter, in ns
 * for a unit. */
void nuisances_response_slopes(
	const struct fit *fit, double window_ns[NUISANCES], double lag_ns[NUISANCES]);

/* The length of the response's window or tail in its unit, by which it can get shorter; 1 for the
 * lag, which is free, and for a calibrated response. */
double nuisances_length(const struct fit *fit, size_t nuisance);

#endif
