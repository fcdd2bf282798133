/* SPDX-License-Identifier: MIT */
/*
 * How well the readings tell the powers, by leaving out a stretch of time after the other: a
 * jackknife (Tukey, Annals of Mathematical Statistics 29, 1958) of stretches, as readings are
 * dependent in time (Künsch, Annals of Statistics 17, 1989).  Equation (15) of
 * analyzer/regress/README.md.
 */
#ifndef PWRTRACE_JACKKNIFE_H
#define PWRTRACE_JACKKNIFE_H

#include "analyzer/regress/covariance.h"
#include "analyzer/regress/joint.h"

#define JACKKNIFE_STRETCHES 20 /* know a variance to sqrt(2 / 20), and each sees slow drift */

/* The stretch of each row, counted from 0: JACKKNIFE_STRETCHES at most, each long enough that its
 * readings tell of their own.  A replay would lie in one stretch, without which nothing is known of
 * its kernel; so replays are cut into short blocks, which are dealt to the stretches in turn.
 * count becomes the number of stretches.  g_free it. */
guint *jackknife_stretches(const struct regression *regression, guint *count);

struct jackknife {
	double *variance; /* by sum, in W² */
	double *weighing; /* by power: the effective number of stretches that tell it (Kish) */
};

/* The variance, by the readings, of sums of the powers and nuisance parameters, as many as these
 * are.  jackknife_clear it. */
struct jackknife jackknife_of(const struct regression *regression, const struct joint_fit *joint,
	const struct covariance_sums *sums);
void jackknife_clear(struct jackknife *jackknife);

#endif
