/* SPDX-License-Identifier: MIT */
/* The modes of a distribution that are apart from each other. */
#ifndef PWRTRACE_MODES_H
#define PWRTRACE_MODES_H

#include <stddef.h>

/* Finds gaps in count positive numbers in ascending order: neighbours of which the larger one is at
 * least ratio times the smaller, with at least so many numbers between two gaps, and before the
 * first and behind the last. Writes the geometric mean of each such pair to cuts, most at most, in
 * ascending order; returns how many. */
size_t modes_cut(
	const double *sorted, size_t count, double ratio, size_t least, double *cuts, size_t most);

#endif
