/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/scatter.h"

#include <math.h>
#include <string.h>

#define STRETCH_MAX_NS 10e9

double scatter_length_ns(const struct fitting *fitting, guint stretches)
{
	const struct design *design = fitting->design;
	const struct fit *fit = fitting->fit;
	double span_ns = design->readings[design->rows - 1].time_ns - design->readings[0].time_ns;
	double width_ns = fit->response.taps * fit->response.step_ns + fit->period_ns;

	return MAX(MIN(span_ns / stretches, STRETCH_MAX_NS), 3 * width_ns);
}

guint *scatter_stretches(const struct fitting *fitting, guint stretches, guint *count)
{
	const struct design *design = fitting->design;
	double begin_ns = design->readings[0].time_ns,
	       length_ns = scatter_length_ns(fitting, stretches);
	guint *stretch_of = g_new0(guint, design->rows);

	*count = 0;
	for (guint row = 0; row < design->rows; row++) {
		if (design->readings[row].time_ns >= begin_ns + length_ns) {
			begin_ns = design->readings[row].time_ns;
			++*count;
		}
		stretch_of[row] = *count;
	}
	++*count;
	return stretch_of;
}

/* Sums over the stretch that is gone through. */
struct stretch_sums {
	const struct fitting *fitting;
	const struct nuisances *nuisances;
	const double *lines;
	size_t n;
	double *score;           /* by power and nuisance */
	double *weight, *before; /* by power: of the stretch, and of those before */
};

static void add_row(struct stretch_sums *sums, guint row)
{
	const struct fitting *fitting = sums->fitting;
	const struct design *design = fitting->design;
	size_t always = fitting->fit->powers - 1;
	const double *line = sums->lines + always * sums->n;
	double weight = fitting->weight[row], moves = line[always];

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		sums->weight[entry->column] += weight * entry->part * entry->part;
		moves += line[entry->column] * entry->part;
	}
	/* The static power is in every reading, but those while nothing runs tell it. */
	sums->weight[always] += weight * moves * moves;
	nuisances_add_score(sums->nuisances, fitting, row, fitting->residual_w[row], sums->score);
}

/* Adds the square of what a stretch moves each quantity by, and forgets its sums. */
static void end_stretch(struct stretch_sums *sums, struct scatter *scatter)
{
	for (size_t i = 0; i < sums->n; i++) {
		const double *line = sums->lines + i * sums->n;
		double move = 0;

		for (size_t k = 0; k < sums->n; k++)
			move += line[k] * sums->score[k];
		scatter->variance[i] += move * move;
		sums->before[i] += sums->weight[i];
		scatter->telling[i] += sums->weight[i] * sums->weight[i];
	}
	memset(sums->score, 0, sums->n * sizeof(double));
	memset(sums->weight, 0, sums->n * sizeof(double));
}

struct scatter scatter_of(const struct fitting *fitting, const struct nuisances *nuisances,
	const double *lines, size_t n, guint stretches)
{
	struct stretch_sums sums = {fitting, nuisances, lines, n, g_new0(double, n),
		g_new0(double, n), g_new0(double, n)};
	struct scatter scatter = {g_new0(double, n), g_new0(double, n)};
	guint count, *stretch_of = scatter_stretches(fitting, stretches, &count);

	for (guint row = 0; row < fitting->design->rows; row++) {
		if (row && stretch_of[row] != stretch_of[row - 1])
			end_stretch(&sums, &scatter);
		add_row(&sums, row);
	}
	end_stretch(&sums, &scatter);
	for (size_t i = 0; i < n; i++)
		scatter.telling[i] =
			sums.before[i] * sums.before[i] / MAX(scatter.telling[i], 1e-300);
	g_free(stretch_of);
	g_free(sums.score);
	g_free(sums.weight);
	g_free(sums.before);
	return scatter;
}

void scatter_clear(struct scatter *scatter)
{
	g_free(scatter->variance);
	g_free(scatter->telling);
}

double scatter_quantile(double freedom, double z)
{
	double part = 2 / (9 * freedom);

	return pow(MAX(1 - part + z * sqrt(part), 0), 3);
}
