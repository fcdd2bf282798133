/* SPDX-License-Identifier: MIT */
/* The loop that a program runs: the same executions, one after the other, again and again. */
#ifndef PWRTRACE_LOOP_H
#define PWRTRACE_LOOP_H

#include "analyzer/regress/fit.h"

struct loop {
	double period_ns; /* its mean length; NaN: there is no loop */
	guint classes;    /* that run in it */
};

/* Finds the shortest sequence of classes that repeats itself in the middle of the recording and has
 * nearly all that the program ran. */
struct loop loop_of(const struct fit *fit);

#endif
