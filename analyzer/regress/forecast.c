/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/forecast.h"

#include <math.h>

#include "analyzer/numeric/solve.h"
#include "analyzer/regress/repetition.h"
#include "analyzer/regress/regression.h"

void forecast_make(struct fit *fit, const struct joint_fit *joint)
{
	size_t n = joint->n;
	struct forecast *forecast;

	if (fit->powers > REGRESSION_COLUMNS_FEW)
		return;
	forecast = g_new(struct forecast, 1);
	*forecast = (struct forecast){n, g_memdup2(joint->inverse, n * n * sizeof(double)),
		g_memdup2(joint->prior, n * sizeof(double))};
	fit->forecast = forecast;
	if (!solve_invert(n, forecast->information)) {
		forecast_free(g_steal_pointer(&fit->forecast));
		return;
	}
	for (size_t i = 0; i < n; i++)
		forecast->information[i * n + i] -= forecast->prior[i];
}

void forecast_free(struct forecast *forecast)
{
	if (!forecast)
		return;
	g_free(forecast->information);
	g_free(forecast->prior);
	g_free(forecast);
}

/* The posterior's covariance of powers and nuisance parameters, n × n; NULL where it cannot be
 * computed. */
static double *posterior(const struct forecast *forecast, double times)
{
	size_t n = forecast->n;
	double *inverse = g_new(double, n * n);

	for (size_t i = 0; i < n * n; i++)
		inverse[i] = times * forecast->information[i];
	for (size_t i = 0; i < n; i++)
		inverse[i * n + i] += forecast->prior[i];
	if (!solve_invert(n, inverse))
		g_clear_pointer(&inverse, g_free);
	return inverse;
}

/* The covariance of the powers: the readings' part of the posterior's, widened as that of the fit
 * is, the prior's part (13), and what repetition hides. */
static double *covariance_after(const struct fit *fit, double times)
{
	const struct forecast *forecast = fit->forecast;
	size_t n = forecast->n, powers = fit->powers;
	double widened = fit->inflation * fit->inflation;
	double *inverse = posterior(forecast, times), *covariance;

	if (!inverse)
		return NULL;
	covariance = g_new(double, powers * powers);
	for (size_t i = 0; i < powers; i++)
		for (size_t k = 0; k < powers; k++) {
			double prior = 0;

			for (size_t j = 0; j < n; j++)
				prior += inverse[i * n + j] * forecast->prior[j] *
					 inverse[k * n + j];
			covariance[i * powers + k] = widened * (inverse[i * n + k] - prior) +
						     prior + fit->repetition[i * powers + k];
		}
	g_free(inverse);
	return covariance;
}

/* The widths by a covariance. */
static double *widths_by(const struct fit *fit, double *covariance)
{
	guint count = fit->classes->list->len;
	double *widths = g_new(double, count + 1);
	struct fit by = *fit;

	by.covariance = covariance;
	for (guint i = 0; i < count; i++) {
		const struct fit_amount amount = fit_program_amount(fit, i);

		widths[i] = amount.energy_j > 0 ? fit_ci95_j(&by, &amount, 1) / amount.energy_j
						: NAN;
	}
	return widths;
}

double *forecast_widths(const struct fit *fit, double times)
{
	double *now = fit->forecast ? covariance_after(fit, 1) : NULL;
	double *after = now ? covariance_after(fit, times) : NULL, *widths = NULL;

	if (after) {
		double *by_now = widths_by(fit, now), *by_after = widths_by(fit, after);

		widths = widths_by(fit, fit->covariance);
		for (guint i = 0; i < fit->classes->list->len; i++)
			widths[i] *= by_after[i] / by_now[i];
		g_free(by_now);
		g_free(by_after);
	}
	g_free(now);
	g_free(after);
	return widths;
}
