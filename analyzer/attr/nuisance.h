/* SPDX-License-Identifier: MIT */
/* What is not known of the response: by how much predictions move with its lag, its width and,
 * unless it is calibrated, its tail. */
#ifndef PWRTRACE_NUISANCE_H
#define PWRTRACE_NUISANCE_H

#include "analyzer/attr/fitting.h"

enum { NUISANCE_LAG, NUISANCE_WIDTH, NUISANCE_TAIL, NUISANCES };

struct nuisances {
	double *slope[NUISANCES]; /* by row: W for a whole period or width */
};

void nuisances_make(struct nuisances *nuisances, const struct fit *fit, const struct model *model,
	const struct design_reading *readings, guint rows);
void nuisances_clear(struct nuisances *nuisances);

/* Adds to score (by power, then by nuisance) that of a row whose residual is error_w. */
void nuisances_add_score(const struct nuisances *nuisances, const struct fitting *fitting,
	guint row, double error_w, double *score);

/* The standard deviation of each, in periods or widths. */
double nuisances_sigma(const struct fit *fit);

/* Moves the response of a fit by so much of each, in periods or widths. */
void nuisances_move(struct fit *fit, const double by[NUISANCES]);

/* By how much each moves the response's window and lag (response.h), for a whole period or width.
 */
void nuisances_response_slopes(
	const struct fit *fit, double window_ns[NUISANCES], double lag_ns[NUISANCES]);

/* How long the response's tail is, in periods. */
double nuisances_tail(const struct fit *fit);

#endif
