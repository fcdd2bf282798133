/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/polynomial.h"

#include <glib.h>
#include <lapacke.h>
#include <math.h>

#define SINGULAR 1e-10 /* of the largest singular value: a smaller one is none */

bool polynomial_fit(
	const double *x, const double *y, size_t count, size_t degree, double *coefficients)
{
	size_t terms = degree + 1;
	double *powers = g_new(double, count *terms + 1), *right = g_new(double, count + terms);
	double *singular = g_new(double, terms);
	lapack_int rank = 0;
	bool fine;

	for (size_t i = 0; i < count; i++) {
		right[i] = y[i];
		for (size_t k = 0; k < terms; k++)
			powers[i * terms + k] = k ? x[i] * powers[i * terms + k - 1] : 1;
	}
	fine = count >= terms &&
	       LAPACKE_dgelsd(LAPACK_ROW_MAJOR, (lapack_int)count, (lapack_int)terms, 1, powers,
		       (lapack_int)terms, right, 1, singular, SINGULAR, &rank) == 0 &&
	       rank == (lapack_int)terms;
	for (size_t k = 0; fine && k < terms; k++)
		coefficients[k] = right[k];
	g_free(powers);
	g_free(right);
	g_free(singular);
	return fine;
}
