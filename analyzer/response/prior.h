/* SPDX-License-Identifier: MIT */
/* What is taken to be known before readings tell. */
#ifndef PWRTRACE_PRIOR_H
#define PWRTRACE_PRIOR_H

/* The dynamic powers of classes lie about their typical one: a standard deviation. */
#define PRIOR_SPREAD_W 200.

/* An influence is taken to change power by about so much, as a part of it. */
#define PRIOR_FACTOR 0.3

#endif
