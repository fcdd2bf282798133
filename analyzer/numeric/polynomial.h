/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_POLYNOMIAL_H
#define PWRTRACE_POLYNOMIAL_H

#include <stdbool.h>
#include <stddef.h>

/* Sets coefficients[degree + 1], that of x^0 first, to the polynomial of least squares through
 * points (x[i], y[i]).  Returns false
 * where the points do not determine it. */
bool polynomial_fit(
	const double *x, const double *y, size_t count, size_t degree, double *coefficients);

#endif
