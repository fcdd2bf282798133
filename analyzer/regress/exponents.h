/* SPDX-License-Identifier: MIT */
/*
 * By how much the clock moves the power of each class: its power is the clock to an exponent of its
 * own, which readings tell as far as the class ran at different clocks; beyond that it is what is
 * expected of its kind.
 */
#ifndef PWRTRACE_EXPONENTS_H
#define PWRTRACE_EXPONENTS_H

#include "analyzer/regress/regression.h"

/* Sets the exponent of an influence that has one to the fitted factor, in percent per percent.  Of
 * the clock's, fit->clock_exponent becomes what is expected of each class, or changes by as much.
 */
void exponents_set(struct fit *fit, struct influence *influence, double factor);

/* Moves fit->clock_exponent to what the residuals of a solved regression say, if the clock is among
 * the fit's influences and the equations can be solved. */
void exponents_learn(const struct regression *regression, const struct model *model);

/* Sets fit->clock_mean where there is fit->clock_exponent. */
void exponents_find_clocks(struct fit *fit, const struct model *model);

#endif
