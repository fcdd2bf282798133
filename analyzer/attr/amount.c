/* SPDX-License-Identifier: MIT */
/* Intervals of sums. */
#include <math.h>

#include "analyzer/attr/fit.h"

#define INFLUENCE_DIFFERS 0.05

double fit_influence_rest_j(const struct fit *fit, guint class_index)
{
	guint count = fit->influences.count;
	double sum = 0;

	for (guint i = 0; i < count; i++)
		sum += pow(INFLUENCE_DIFFERS * fit->power_w[fit->classes->columns + i] *
				   fit->influence_j[(gsize)class_index * count + i],
			2);
	return sqrt(sum);
}

static double rest_of(const struct fit *fit, const struct fit_amount *amount)
{
	const struct class *class =
		&g_array_index(fit->classes->list, struct class, amount->class_index);
	double power_w = fit->power_w[class->column] + fit->power_w[fit->powers - 1];
	double energy_j = power_w * amount->time_ns / 1e9;
	double launches = MAX((double)amount->executions, 1);
	double part = 1 - MIN(launches / MAX((double)class->executions, 1), 1);
	double rare_j = class->rare ? fit->rare_w * amount->time_ns / 1e9 : 0;

	double influence_j = fit_influence_rest_j(fit, amount->class_index) * amount->time_ns /
			     MAX(class->time_ns, 1);

	return influence_j * influence_j + rare_j * rare_j +
	       part * pow(fit->launch_part * energy_j, 2) / launches;
}

static double power_ci95(const struct fit *fit, size_t power)
{
	return 1.96 * sqrt(fit->covariance[power * fit->powers + power]);
}

double fit_influence_ci95(const struct fit *fit, guint influence)
{
	return power_ci95(fit, fit->classes->columns + influence);
}

double fit_static_ci95_w(const struct fit *fit)
{
	return power_ci95(fit, fit->powers - 1);
}

double fit_half_width(double deviation_j, double shift_j)
{
	return MAX(1.96 * deviation_j, 1.645 * deviation_j + fabs(shift_j));
}

/* The variance of a sum of powers and factors, each with its load: seconds, or joules by a factor
 * of 1. */
static double variance_of(
	const struct fit *fit, const size_t *used, const double *loads, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++)
			sum += loads[i] * loads[k] *
			       fit->covariance[used[i] * fit->powers + used[k]];
	return MAX(sum, 0);
}

/* An execution is taken to be influenced as its class is in the mean. */
double fit_ci95_j(const struct fit *fit, const struct fit_amount *amounts, size_t count)
{
	guint influences = fit->influences.count;
	size_t shared = fit->classes->columns, all = count + influences + 1;
	size_t *used = g_new(size_t, all);
	double *loads = g_new0(double, all), *rest_loads = loads + count;
	double rest = 0, shift_j = 0, width_j;

	for (size_t i = 0; i <= influences; i++)
		used[count + i] = shared + i;
	for (size_t i = 0; i < count; i++) {
		const struct class *class =
			&g_array_index(fit->classes->list, struct class, amounts[i].class_index);
		const double *influence_j =
			fit->influence_j + (gsize)amounts[i].class_index * influences;

		used[i] = class->column;
		loads[i] = amounts[i].time_ns / 1e9;
		for (guint k = 0; k < influences; k++)
			rest_loads[k] += influence_j[k] * amounts[i].time_ns / class->time_ns;
		rest_loads[influences] += amounts[i].static_ns / 1e9;
		rest += rest_of(fit, &amounts[i]);
		if (class->energy_j > 0)
			shift_j += amounts[i].energy_j * (class->seen_j - class->found_j) /
				   class->energy_j;
	}
	width_j = fit_half_width(sqrt(variance_of(fit, used, loads, all) + rest), shift_j);
	g_free(used);
	g_free(loads);
	return width_j;
}

double fit_class_off(const struct fit *fit, guint class_index)
{
	const struct class *class = &g_array_index(fit->classes->list, struct class, class_index);
	const struct fit_amount all = {.class_index = class_index,
		.executions = class->executions,
		.time_ns = class->raked_ns,
		.static_ns = class->static_ns,
		.energy_j = class->energy_j};

	return class->energy_j > 0 ? fit_ci95_j(fit, &all, 1) / class->energy_j : NAN;
}
