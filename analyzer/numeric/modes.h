/* SPDX-License-Identifier: MIT */
/* The modes of a distribution that are apart from each other. */
#ifndef PWRTRACE_MODES_H
#define PWRTRACE_MODES_H

#include <stddef.h>

/* Finds gaps in count positive numbers in ascending order.  A gap is between two numbers of which
 * the larger one is at least ratio times the smaller, with at most a hundredth of all numbers
 * between them.  There are at least `least` numbers between two gaps, before the first and behind
 * the last.  Writes the geometric mean of the two neighbours that are farthest apart in each gap to
 * cuts, most at most, in ascending order; returns how many. */
size_t modes_cut(
	const double *sorted, size_t count, double ratio, size_t least, double *cuts, size_t most);

#endif
