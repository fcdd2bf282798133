/* SPDX-License-Identifier: MIT */
/* Least squares from normal equations.  Matrices are symmetric, n × n, stored by rows; only the
 * upper triangle is read. */
#ifndef PWRTRACE_SOLVE_H
#define PWRTRACE_SOLVE_H

#include <stdbool.h>
#include <stddef.h>

/* Makes LAPACK use one thread.  To be called once, before the other functions: with more threads,
 * rounding would depend on the number of cores, and reports would differ between machines. */
void solve_in_one_thread(void);

/* Sets x[n] to the x >= 0 that minimizes x'Gx/2 - g'x, where G is matrix[n][n] and g is right[n],
 * by block principal pivoting (Portugal, Judice, Vicente, "A comparison of block pivoting and
 * interior-point algorithms for linear least squares problems with nonnegative variables",
 * Mathematics of Computation 63, 1994).  Returns false where G is not positive definite. */
bool solve_nonnegative(size_t n, const double *matrix, const double *right, double *x);

/* The same, but variables i with free_from <= i < free_end may be negative. */
bool solve_partly_nonnegative(size_t n, const double *matrix, const double *right, size_t free_from,
	size_t free_end, double *x);

/* Replaces a positive definite matrix by its inverse, in both triangles.  Returns false where it is
 * not positive definite; its content is then undefined. */
bool solve_invert(size_t n, double *matrix);

/* Sets *log_det to the logarithm of the determinant of a positive definite matrix.  Returns false
 * where it is not positive definite. */
bool solve_log_det(size_t n, const double *matrix, double *log_det);

/* Replaces a matrix by its eigenvectors, one a row, and stores their eigenvalues in ascending
 * order.  Returns false where they are not found; the content is then undefined. */
bool solve_eigen(size_t n, double *matrix, double *values);

#endif
