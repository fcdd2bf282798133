/* SPDX-License-Identifier: MIT */
/* Student's t distribution, for whatever freedom >= 1, INFINITY (the normal distribution) too. */
#ifndef PWRTRACE_STUDENT_H
#define PWRTRACE_STUDENT_H

/* How likely a |t| of at least this is by chance. */
double student_two_sided(double t, double freedom);

/* The t of which student_two_sided() is 0.05: half the width of a 95 % interval in standard
 * deviations. */
double student_t95(double freedom);

#endif
