/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/student.h"

#include <math.h>

#define STEPS 10000          /* at most: it takes about the square root of the freedom */
#define EXACT_FRACTION 1e-16 /* a step of the continued fraction that changes nothing */
#define NORMAL 1e6           /* from this freedom on, it is the normal distribution */
#define NORMAL_T95 1.959963984540054
#define EXACT 1e-12 /* a step of Newton's method that is no longer one, as a part */

static double norm_of(double freedom)
{
	return exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(M_PI);
}

/* The continued fraction of the incomplete beta function of a and b at x < (a + 1) / (a + b + 2)
 * [DLMF 8.17.22], by Lentz's method: each step multiplies with numerator / denominator. */
static double beta_fraction(double a, double b, double x)
{
	double numerator = 1, denominator = 0, fraction = 1, change;
	int i = 1;

	do {
		double m = (i - i % 2) / 2.;
		double d = i % 2 ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
				 : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));

		numerator = 1 + d / numerator;
		denominator = 1 / (1 + d * denominator);
		change = numerator * denominator;
		fraction *= change;
	} while (fabs(change - 1) > EXACT_FRACTION && i++ < STEPS);
	return 1 / fraction;
}

/* With x = freedom / (freedom + t²) it is the regularized incomplete beta function of freedom / 2
 * and 1/2 at x, and 1 less that of 1/2 and freedom / 2 at 1 - x. */
double student_two_sided(double t, double freedom)
{
	double half = freedom / 2, square = t * t / freedom, x, rest, both;

	if (isnan(t) || isnan(freedom))
		return NAN;
	if (freedom >= NORMAL)
		return erfc(fabs(t) / M_SQRT2);
	x = 1 / (1 + square);
	rest = isinf(square) ? 1 : square / (1 + square);
	/* x^half rest^(1/2) / B(half, 1/2) */
	both = exp(-half * log1p(square)) * sqrt(rest) * norm_of(freedom);
	return x < (half + 1) / (half + 2.5) ? both / half * beta_fraction(half, 0.5, x)
					     : 1 - 2 * both * beta_fraction(0.5, half, rest);
}

/* By Newton's method, from below: the tail is convex, so no step goes too far. */
double student_t95(double freedom)
{
	double t = NORMAL_T95, step;

	if (isnan(freedom))
		return NAN;
	if (freedom >= NORMAL)
		return NORMAL_T95;
	do {
		double density = norm_of(freedom) / sqrt(freedom) *
				 pow(1 + t * t / freedom, -(freedom + 1) / 2);

		step = (student_two_sided(t, freedom) - 0.05) / (2 * density);
		t += step;
	} while (step > EXACT * t);
	return t;
}
