/* SPDX-License-Identifier: MIT */
/* The intervals of energies: equation (16) of README.md. */
#include <math.h>
#include <stdlib.h>

#include "analyzer/regress/covariance.h"
#include "analyzer/regress/fit.h"

#include "analyzer/response/ablation.h"

#define INFLUENCE_DIFFERS 0.05 /* relative deviation of a class from the fitted factor */

double fit_influence_rest_w(const struct fit *fit, guint class_index)
{
	guint count = fit->influences.count;
	double sum = 0;

	for (guint i = 0; i < count && !ablated(ABLATION_INFLUENCE_REST); i++)
		sum += pow(INFLUENCE_DIFFERS * fit->power_w[fit->classes->columns.count + i] *
				   fit->influence_w[(gsize)class_index * count + i],
			2);
	return sqrt(sum);
}

/* The variance, in J², of a term's energy that is independent of all others: of a class's response
 * to influences, and of a sample of its executions. */
static double rest_of(const struct fit *fit, const struct fit_amount *amount)
{
	const struct kernel_class *class =
		&g_array_index(fit->classes->list, struct kernel_class, amount->class_index);
	double power_w = fit->power_w[class->column] + fit->power_w[fit->powers - 1];
	double energy_j = power_w * amount->time_ns / 1e9;
	double launches = MAX((double)amount->executions, 1);
	double part = 1 - MIN(launches / MAX((double)class->executions, 1), 1);
	double influence_j = fit_influence_rest_w(fit, amount->class_index) * amount->time_ns / 1e9;

	return influence_j * influence_j + part * pow(fit->launch_part * energy_j, 2) / launches;
}

/* The variance, in J², of rare classes, whose powers d deviate independently from the shared one by
 * rare_w, while their sum b'd over all times b is known to be 0.  For the times a in the sum, the
 * variance of a'd given b'd = 0 is rare_w² (a'a - (a'b)² / b'b). */
static double rare_variance(const struct fit *fit, const struct fit_amount *amounts, size_t count)
{
	double squares = 0, products = 0;

	for (size_t i = 0; i < count; i++) {
		const struct kernel_class *class = &g_array_index(
			fit->classes->list, struct kernel_class, amounts[i].class_index);

		if (!class->rare)
			continue;
		squares += pow(amounts[i].time_ns / 1e9, 2);
		products += amounts[i].time_ns / 1e9 * class->time_ns / 1e9;
	}
	if (squares > 0)
		squares -= products * products / fit->classes->rare_squares;
	return fit->rare_w * fit->rare_w * MAX(squares, 0);
}

static double power_ci95(const struct fit *fit, size_t power)
{
	return 1.96 * sqrt(fit->covariance[power * fit->powers + power]);
}

double fit_influence_ci95(const struct fit *fit, guint influence)
{
	return power_ci95(fit, fit->classes->columns.count + influence);
}

double fit_static_ci95_w(const struct fit *fit)
{
	return power_ci95(fit, fit->powers - 1);
}

double fit_half_width(double deviation_j, double shift_j)
{
	if (ablated(ABLATION_SHIFT))
		return 1.96 * deviation_j;
	return MAX(1.96 * deviation_j, 1.645 * deviation_j + fabs(shift_j));
}

static int by_power(const void *a, const void *b)
{
	const struct covariance_term *x = a, *y = b;

	return x->of < y->of ? -1 : x->of > y->of;
}

/* Joins terms of one power; returns how many are left.  Of tens of thousands of classes most are
 * rare and share a power, and a variance costs the square of the number of terms. */
static size_t join_terms(struct covariance_term *terms, size_t count)
{
	size_t kept = 0;

	qsort(terms, count, sizeof(*terms), by_power);
	for (size_t i = 1; i < count; i++) {
		if (terms[i].of == terms[kept].of)
			terms[kept].amount += terms[i].amount;
		else
			terms[++kept] = terms[i];
	}
	return kept + 1;
}

/* Each execution is taken to be influenced like the mean of the program's in its class. */
double fit_ci95_j(const struct fit *fit, const struct fit_amount *amounts, size_t count)
{
	guint influences = fit->influences.count;
	size_t shared = fit->classes->columns.count, all = count + influences + 1;
	struct covariance_term *terms = g_new0(struct covariance_term, all),
			       *shared_terms = terms + count;
	double variance = rare_variance(fit, amounts, count), shift_j = 0;

	for (size_t i = 0; i <= influences; i++)
		shared_terms[i].of = shared + i;
	for (size_t i = 0; i < count; i++) {
		const struct kernel_class *class = &g_array_index(
			fit->classes->list, struct kernel_class, amounts[i].class_index);
		const double *influence_w =
			fit->influence_w + (gsize)amounts[i].class_index * influences;

		terms[i] = (struct covariance_term){class->column, amounts[i].time_ns / 1e9};
		for (guint k = 0; k < influences; k++)
			shared_terms[k].amount += influence_w[k] * amounts[i].time_ns / 1e9;
		shared_terms[influences].amount += amounts[i].static_ns / 1e9;
		variance += rest_of(fit, &amounts[i]);
		if (class->energy_j > 0)
			shift_j += amounts[i].energy_j * (class->seen_j - class->found_j) /
				   class->energy_j;
	}
	variance +=
		covariance_variance(terms, join_terms(terms, all), fit->covariance, fit->powers);
	g_free(terms);
	return fit_half_width(sqrt(variance), fit->shift_part * shift_j);
}

double fit_told(const struct fit *fit, const struct fit_amount *amounts, size_t count)
{
	struct covariance_term *terms = g_new(struct covariance_term, count + 1);
	double before = 0, left;

	for (size_t i = 0; i < count; i++) {
		const struct kernel_class *class = &g_array_index(
			fit->classes->list, struct kernel_class, amounts[i].class_index);

		terms[i] = (struct covariance_term){class->column, amounts[i].time_ns / 1e9};
	}
	count = join_terms(terms, count);
	for (size_t i = 0; i < count; i++)
		before += terms[i].amount * terms[i].amount / fit->prior[terms[i].of].precision;
	left = covariance_variance(terms, count, fit->posterior, fit->powers);
	g_free(terms);
	return left > 0 ? before / left - 1 : INFINITY;
}

struct fit_amount fit_class_amount(const struct fit *fit, guint class_index)
{
	const struct kernel_class *class =
		&g_array_index(fit->classes->list, struct kernel_class, class_index);

	return (struct fit_amount){.class_index = class_index,
		.executions = class->executions,
		.time_ns = class->raked_ns,
		.static_ns = class->static_ns,
		.energy_j = class->energy_j};
}

struct fit_amount fit_program_amount(const struct fit *fit, guint class_index)
{
	const struct kernel_class *class =
		&g_array_index(fit->classes->list, struct kernel_class, class_index);

	return (struct fit_amount){.class_index = class_index,
		.executions = class->executions - class->replayed,
		.time_ns = class->program.raked_ns,
		.static_ns = class->program.static_ns,
		.energy_j = class->program.energy_j};
}

double fit_class_off(const struct fit *fit, guint class_index)
{
	const struct fit_amount all = fit_class_amount(fit, class_index);

	return all.energy_j > 0 ? fit_ci95_j(fit, &all, 1) / all.energy_j : NAN;
}

double fit_program_off(const struct fit *fit, guint class_index)
{
	const struct fit_amount own = fit_program_amount(fit, class_index);

	return own.energy_j > 0 ? fit_ci95_j(fit, &own, 1) / own.energy_j : NAN;
}
