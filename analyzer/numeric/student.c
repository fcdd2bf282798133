/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/student.h"

#include <math.h>

#define STEPS 2000   /* of Simpson's rule: an even number */
#define NORMAL 1e6   /* from this freedom on, it is the normal distribution */
#define LARGEST 12.8 /* the t95 of one degree of freedom is 12.706 */
#define HALVINGS 60

/* With t = sqrt(freedom) tan(angle), the density is cos(angle)^(freedom - 1) up to its norm. */
double student_two_sided(double t, double freedom)
{
	double from, step, norm, sum = 0;

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
	norm = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(M_PI);
	return 2 * norm * sum * step / 3;
}

double student_t95(double freedom)
{
	double low = 0, high = LARGEST;

	if (isnan(freedom))
		return NAN;
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		*(student_two_sided(middle, freedom) > 0.05 ? &low : &high) = middle;
	}
	return low;
}
