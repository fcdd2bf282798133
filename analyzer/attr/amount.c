/* SPDX-License-Identifier: MIT */
/* Intervals of sums. */
#include <math.h>

#include "analyzer/attr/fit.h"

static double rest_of(const struct fit *fit, const struct fit_amount *amount)
{
	const struct class *class =
		&g_array_index(fit->classes->list, struct class, amount->class_index);
	double power_w = fit->power_w[class->column] + fit->power_w[fit->powers - 1];
	double energy_j = power_w * amount->time_ns / 1e9;
	double launches = MAX((double)amount->executions, 1);
	double part = 1 - MIN(launches / MAX((double)class->executions, 1), 1);
	double rare_j = class->rare ? fit->rare_w * amount->time_ns / 1e9 : 0;

	return rare_j * rare_j + part * pow(fit->launch_part * energy_j, 2) / launches;
}

double fit_half_width(double deviation_j, double shift_j)
{
	return MAX(1.96 * deviation_j, 1.645 * deviation_j + fabs(shift_j));
}

/* The variance of so many seconds of some powers. */
static double variance_of(
	const struct fit *fit, const size_t *used, const double *seconds, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++)
			sum += seconds[i] * seconds[k] *
			       fit->covariance[used[i] * fit->powers + used[k]];
	return MAX(sum, 0);
}

double fit_ci95_j(const struct fit *fit, const struct fit_amount *amounts, size_t count)
{
	size_t *used = g_new(size_t, count + 1);
	double *seconds = g_new(double, count + 1), rest = 0, shift_j = 0, width_j;

	used[count] = fit->powers - 1;
	seconds[count] = 0;
	for (size_t i = 0; i < count; i++) {
		const struct class *class =
			&g_array_index(fit->classes->list, struct class, amounts[i].class_index);

		used[i] = class->column;
		seconds[i] = amounts[i].time_ns / 1e9;
		seconds[count] += amounts[i].static_ns / 1e9;
		rest += rest_of(fit, &amounts[i]);
		if (class->energy_j > 0)
			shift_j += amounts[i].energy_j * (class->seen_j - class->found_j) /
				   class->energy_j;
	}
	width_j = fit_half_width(sqrt(variance_of(fit, used, seconds, count + 1) + rest), shift_j);
	g_free(used);
	g_free(seconds);
	return width_j;
}
