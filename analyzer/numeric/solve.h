/* SPDX-License-Identifier: MIT */
/* Least squares from normal equations: symmetric matrices, of which the upper triangle is used,
 * row by row. */
#ifndef PWRTRACE_SOLVE_H
#define PWRTRACE_SOLVE_H

#include <stdbool.h>
#include <stddef.h>

/* To be called before all others: sums that several threads share out are rounded in another order
 * where there are other cores, and reports are to be the same. */
void solve_in_one_thread(void);

/* The x >= 0 with the least x'Gx/2 - g'x, by block principal pivoting (Portugal, Judice, Vicente,
 * "A comparison of block pivoting and interior-point algorithms for linear least squares problems
 * with nonnegative variables", Mathematics of Computation 63, 1994).  false: not positive
 * definite. */
bool solve_nonnegative(size_t n, const double *matrix, const double *right, double *x);

/* The same, but those from free_from to before free_end may be negative. */
bool solve_partly_nonnegative(size_t n, const double *matrix, const double *right, size_t free_from,
	size_t free_end, double *x);

/* Replaces a positive definite matrix by its inverse, both triangles; false: it is not. */
bool solve_invert(size_t n, double *matrix);

#endif
