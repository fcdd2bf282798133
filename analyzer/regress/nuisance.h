/* SPDX-License-Identifier: MIT */
/* What is not known of the response: by how much predictions move with its lag, its window and,
 * unless it is calibrated, its tail. */
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
	double *slope[NUISANCES]; /* by row: W for a period, or a window that is longer */
};

void nuisances_make(struct nuisances *nuisances, const struct fit *fit,
	const struct power_reading *readings, guint rows);
void nuisances_clear(struct nuisances *nuisances);

/* Adds to score (by power, then by nuisance) that of a row whose residual is error_w. */
void nuisances_add_score(const struct nuisances *nuisances, const struct regression *regression,
	guint row, double error_w, double *score);

/* The standard deviation of each before readings tell, in periods. */
double nuisances_sigma(const struct fit *fit);

/* Moves the response of a fit by so many periods of each. */
void nuisances_move(struct fit *fit, const double by[NUISANCES]);

/* By how much each moves the response's window and lag (response.h), for a period. */
void nuisances_response_slopes(
	const struct fit *fit, double window_ns[NUISANCES], double lag_ns[NUISANCES]);

/* How long the response's window or tail is, in periods: it can get shorter by so much.  1 of
 * the lag and of a calibrated response. */
double nuisances_length(const struct fit *fit, size_t nuisance);

#endif
