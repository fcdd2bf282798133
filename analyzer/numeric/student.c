/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/student.h"

#include <math.h>

#define STEPS 2000 /* of Simpson's rule: an even number */
#define NORMAL 1e6 /* from this freedom on, it is the normal distribution */
#define NORMAL_T95 1.959963984540054
#define EXACT 1e-12 /* a step of Newton's method that is no longer one, as a part */

static double norm_of(double freedom)
{
	return exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(M_PI);
}

/* With t = sqrt(freedom) tan(angle), the density is cos(angle)^(freedom - 1) up to its norm. */
double student_two_sided(double t, double freedom)
{
	double from, step, sum = 0;

	if (isnan(t) || isnan(freedom))
		return NAN;
	if (freedom >= NORMAL)
		return erfc(fabs(t) / M_SQRT2);
	from = atan(fabs(t) / sqrt(freedom));
	step = (M_PI_2 - from) / STEPS;
	for (int i = 0; i <= STEPS; i++)
		sum += (i == 0 || i == STEPS ? 1
			       : i % 2       ? 4
					     : 2) *
		       pow(cos(from + i * step), freedom - 1);
	return 2 * norm_of(freedom) * sum * step / 3;
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
