/* SPDX-License-Identifier: MIT */
/* When a kernel that runs again and again from idle is steady, and which of its runs are alike:
 * steps 3 to 5 of FinGraV (guidance.h).  Execution numbers are from 1; 0 means that there is none.
 */
#ifndef PWRTRACE_STEADY_H
#define PWRTRACE_STEADY_H

#include "analyzer/profile/runs.h"

/* A power with half its 95 % interval; NaN where it is not known. */
struct steady_power {
	double power_w, ci95_w;
	double freedom; /* degrees of it, of the interval, which is Student's */
};

/* Execution numbers, both included. */
struct number_range {
	guint first, last;
};

/* SSE, the steady-state execution: the first whose time is at most 1 + margin times the least from
 * it on.  times_s[count], by execution number. */
guint steady_execution(const double *times_s, guint count, double margin);

/* SSP, the steady-state power: the first execution from `from` on such that its power and each
 * after it is within the part `stable`, or within its own interval, of their mean, and at least
 * three follow.  Executions without a power are passed over. */
guint steady_power(const struct steady_power *powers, guint count, guint from, double stable);

/* Durations from low_s to high_s. */
struct steady_bin {
	double low_s, high_s;
};

/* The least and the greatest time that an execution number took in the runs that are marked in
 * chosen (by run); NaN where none has it. */
struct steady_bin steady_times(const struct runs *runs, guint number, const bool *chosen);

/* Chooses golden runs among those that are marked in chosen (by run), and unmarks the others: those
 * whose execution of a number took a time within the bin [t, t(1 + margin)] that holds most of
 * them. outlier_s: the bin that begins there is studied instead; NaN: it is not.  Returns the bin.
 */
struct steady_bin steady_choose_golden(
	const struct runs *runs, guint number, double margin, double outlier_s, bool *chosen);

#endif
