/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/forecast.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/solve.h"
#include "analyzer/regress/regression.h"

/* The precision of what is known without the readings, n × n.  g_free it. */
static double *assumed_of(const struct fit *fit, const struct joint_fit *joint)
{
	size_t n = joint->n;
	double *assumed = g_new0(double, n *n);

	remembered_add(fit->remembered, assumed, n, NULL);
	for (size_t i = 0; i < n; i++) {
		assumed[i * n + i] += joint->prior[i];
		for (size_t k = 0; k < i; k++)
			assumed[i * n + k] = assumed[k * n + i];
	}
	return assumed;
}

void forecast_make(struct fit *fit, const struct joint_fit *joint)
{
	size_t n = joint->n;
	struct forecast *forecast;

	if (fit->powers > REGRESSION_COLUMNS_FEW)
		return;
	forecast = g_new(struct forecast, 1);
	*forecast = (struct forecast){
		n, g_memdup2(joint->inverse, n * n * sizeof(double)), assumed_of(fit, joint)};
	fit->forecast = forecast;
	if (!solve_invert(n, forecast->information)) {
		forecast_free(g_steal_pointer(&fit->forecast));
		return;
	}
	for (size_t i = 0; i < n * n; i++)
		forecast->information[i] -= forecast->assumed[i];
}

void forecast_free(struct forecast *forecast)
{
	if (!forecast)
		return;
	g_free(forecast->information);
	g_free(forecast->assumed);
	g_free(forecast);
}

/* The posterior's covariance of powers and nuisance parameters, n × n; NULL where it cannot be
 * computed. */
static double *posterior(const struct forecast *forecast, double times)
{
	size_t n = forecast->n;
	double *inverse = g_new(double, n *n);

	for (size_t i = 0; i < n * n; i++)
		inverse[i] = times * forecast->information[i] + forecast->assumed[i];
	if (!solve_invert(n, inverse))
		g_clear_pointer(&inverse, g_free);
	return inverse;
}

/* The covariance of the powers by the readings' noise and by what is assumed (13), the former
 * widened as that of the fit is. */
static double *covariance_after(const struct fit *fit, double times)
{
	const struct forecast *forecast = fit->forecast;
	size_t n = forecast->n, powers = fit->powers;
	double widened = fit->inflation * fit->inflation;
	double *inverse = posterior(forecast, times), *covariance, *line;

	if (!inverse)
		return NULL;
	covariance = g_new(double, powers *powers);
	line = g_new(double, n);
	for (size_t i = 0; i < powers; i++) {
		memset(line, 0, n * sizeof(*line));
		for (size_t k = 0; k < n; k++)
			for (size_t j = 0; j < n; j++)
				line[j] += inverse[i * n + k] * forecast->assumed[k * n + j];
		for (size_t k = 0; k < powers; k++) {
			double assumed = 0;

			for (size_t j = 0; j < n; j++)
				assumed += line[j] * inverse[k * n + j];
			covariance[i * powers + k] =
				widened * (inverse[i * n + k] - assumed) + assumed;
		}
	}
	g_free(line);
	g_free(inverse);
	return covariance;
}

/* Half the interval, as a part of its energy, that a class would have by a covariance, in so many
 * times the recording. */
static double width_by(const struct fit *fit, guint class_index, double *covariance, double times)
{
	struct fit by = *fit;

	by.covariance = covariance;
	/* What chance moved averages out; a sensor that saturates has a bias. */
	by.shift_part = fit->left_out.saturated ? 1 : 1 / sqrt(times);
	return fit_program_off(&by, class_index);
}

double *forecast_widths(const struct fit *fit, double times)
{
	double *before = fit->forecast ? covariance_after(fit, 1) : NULL;
	double *after = before ? covariance_after(fit, times) : NULL, *widths = NULL;

	if (after) {
		widths = g_new(double, fit->classes->list->len + 1);
		for (guint i = 0; i < fit->classes->list->len; i++) {
			double whole = width_by(fit, i, fit->covariance, 1);
			double falls = width_by(fit, i, fit->posterior, 1);
			double left = width_by(fit, i, after, times) / width_by(fit, i, before, 1);

			widths[i] = sqrt(MAX(whole * whole - falls * falls, 0) +
					 falls * falls * left * left);
		}
	}
	g_free(before);
	g_free(after);
	return widths;
}
