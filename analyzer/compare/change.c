/* SPDX-License-Identifier: MIT */
#include "analyzer/compare/change.h"

#include <math.h>

#include "analyzer/numeric/significance.h"
#include "analyzer/numeric/student.h"

#define NORMAL95 1.959963984540054

/* A figure's logarithms on one side. */
struct sample {
	guint runs;
	double mean;
	double variance; /* of the mean, by the spread of the runs; NaN of fewer than two */
	double half95;   /* of the mean, by the runs' own intervals; NaN: not known */
	double common95; /* the part of that which the spread does not show */
};

static struct sample sample_of(enum figure figure, const GArray *runs)
{
	struct sample sample = {.half95 = figures_mean(runs).part95[figure],
		.common95 = figures_common95(figure, runs)};
	double squares = 0;

	for (guint i = 0; i < runs->len; i++) {
		const struct figures *run = &g_array_index(runs, struct figures, i);
		double value = log(run->value[figure]), shift = value - sample.mean;

		if (!isfinite(value))
			continue;
		sample.runs++;
		sample.mean += shift / sample.runs;
		squares += shift * (value - sample.mean);
	}
	if (!sample.runs)
		return (struct sample){0, NAN, NAN, NAN, NAN};
	sample.variance = sample.runs > 1 ? squares / (sample.runs - 1) / sample.runs : NAN;
	return sample;
}

/* The p of a difference of logarithms, and half of its interval. */
static void judge(
	struct change *change, double difference, double deviation, double freedom, double *half95)
{
	*half95 = deviation > 0 ? student_t95(freedom) * deviation : deviation;
	change->p = deviation > 0    ? student_two_sided(difference / deviation, freedom)
		    : deviation == 0 ? difference == 0
				     : NAN;
}

/* Welch and Satterthwaite's degrees of freedom of a sum of variances; what is known without runs
 * has no end of them. */
static double freedom_of(const struct sample *a, const struct sample *b, double variance)
{
	double parts = a->variance * a->variance / (a->runs - 1) +
		       b->variance * b->variance / (b->runs - 1);

	return parts > 0 ? variance * variance / parts : INFINITY;
}

struct change change_of(
	enum figure figure, const GArray *base, const GArray *other, double unlike95, bool one_fit)
{
	struct sample a = sample_of(figure, base), b = sample_of(figure, other);
	double difference = b.mean - a.mean;
	/* (a + b)² = a² + b² + 2 a b */
	double together95 = hypot(unlike95, one_fit ? sqrt(2 * a.common95 * b.common95) : 0);
	struct change change = {.delta = expm1(difference)};
	double half95;

	if (MIN(a.runs, b.runs) >= CHANGE_WELCH_RUNS) {
		double unseen = hypot(hypot(a.common95, b.common95), together95) / NORMAL95;
		double variance = a.variance + b.variance + unseen * unseen;

		judge(&change, difference, sqrt(variance), freedom_of(&a, &b, variance), &half95);
	} else {
		judge(&change, difference, hypot(hypot(a.half95, b.half95), together95) / NORMAL95,
			INFINITY, &half95);
	}
	change.ci95 = half95 * exp(difference);
	change.significant = change.p < SIGNIFICANCE_CHANCE;
	return change;
}

void changes_judge(struct change *const *changes, guint count)
{
	double *p = g_new(double, count + 1), largest;

	for (guint i = 0; i < count; i++)
		p[i] = changes[i]->p;
	largest = significance_largest(p, count);
	for (guint i = 0; i < count; i++)
		changes[i]->significant = p[i] <= largest;
	g_free(p);
}
