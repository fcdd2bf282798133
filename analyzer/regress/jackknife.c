/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/jackknife.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/solve.h"

#define RESPONSES 3 /* a stretch is so many responses and periods long at least */

guint *jackknife_stretches(const struct regression *regression, guint *count)
{
	const struct design *design = regression->design;
	const struct fit *fit = regression->fit;
	double begin_ns = design->readings[0].time_ns,
	       span_ns = design->readings[design->rows - 1].time_ns - begin_ns;
	double width_ns = fit->response.taps * fit->response.step_ns + fit->period_ns;
	double length_ns = MAX(span_ns / JACKKNIFE_STRETCHES, RESPONSES * width_ns);
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

/* Adds a row to the equations of powers and nuisance parameters; right is the score. */
static void add_row(struct normal_equations *equations, const struct regression *regression,
	const struct nuisances *nuisances, guint row, double *line)
{
	const struct design *design = regression->design;
	size_t powers = regression->fit->powers, n = equations->n;

	memset(line, 0, n * sizeof(*line));
	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		line[entry->column] = entry->part;
	}
	line[powers - 1] = 1;
	for (size_t i = 0; i < NUISANCES; i++)
		line[powers + i] = nuisances->slope[i][row];
	for (size_t i = 0; i < n; i++) {
		double own = regression->weight[row] * line[i];

		if (!(own > 0 || own < 0))
			continue;
		equations->right[i] += own * regression->residual_w[row];
		for (size_t k = i; k < n; k++)
			equations->matrix[i * n + k] += own * line[k];
	}
}

/* The equations of some rows. */
static struct normal_equations *equations_of(const struct regression *regression,
	const struct nuisances *nuisances, guint first, guint end)
{
	struct normal_equations *equations = normal_new(regression->fit->powers + NUISANCES);
	double *line = g_new(double, equations->n);

	for (guint row = first; row < end; row++)
		add_row(equations, regression, nuisances, row, line);
	g_free(line);
	return equations;
}

/* Sets moves: by how much powers and nuisance parameters move where a stretch is left out.  Solved
 * by all, the score is 0: that of the other stretches is the negative of the own.  With many powers
 * their information stays that of all, as each solution takes seconds. */
static bool leave_out(struct normal_equations *all, const struct normal_equations *own,
	const double *inverse, double *moves)
{
	size_t n = all->n;
	bool solved;

	if (n > REGRESSION_COLUMNS_FEW) {
		memset(moves, 0, n * sizeof(*moves));
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < n; k++)
				moves[i] += inverse[i * n + k] * own->right[k];
		return true;
	}
	normal_add(all, own, -1);
	solved = solve_partly_nonnegative(n, all->matrix, own->right, 0, n, moves);
	normal_add(all, own, 1);
	return solved;
}

struct jackknife jackknife_of(const struct regression *regression, const struct joint_fit *joint,
	const struct covariance_sums *sums)
{
	size_t n = joint->n, powers = regression->fit->powers;
	struct jackknife jackknife = {g_new0(double, n), g_new0(double, powers)};
	double *moves = g_new(double, n), *weight = g_new0(double, powers);
	guint rows = regression->design->rows, count;
	guint *stretch_of = jackknife_stretches(regression, &count);
	struct normal_equations *all = equations_of(regression, &joint->nuisances, 0, rows);

	for (size_t i = 0; i < n; i++)
		all->matrix[i * n + i] += joint->prior[i];
	remembered_add(regression->fit->remembered, all->matrix, n, NULL);
	for (guint first = 0, end; first < rows; first = end) {
		struct normal_equations *own;

		for (end = first; end < rows && stretch_of[end] == stretch_of[first];)
			end++;
		own = equations_of(regression, &joint->nuisances, first, end);
		if (leave_out(all, own, joint->inverse, moves))
			for (size_t i = 0; i < n; i++)
				jackknife.variance[i] += (count - 1.) / count *
							 pow(covariance_sum(sums, i, moves), 2);
		for (size_t i = 0; i < powers; i++) {
			double own_weight = own->matrix[i * n + i];

			weight[i] += own_weight;
			jackknife.weighing[i] += own_weight * own_weight;
		}
		normal_free(own);
	}
	for (size_t i = 0; i < powers; i++)
		jackknife.weighing[i] = weight[i] * weight[i] / MAX(jackknife.weighing[i], 1e-300);
	normal_free(all);
	g_free(stretch_of);
	g_free(moves);
	g_free(weight);
	return jackknife;
}

void jackknife_clear(struct jackknife *jackknife)
{
	g_free(jackknife->variance);
	g_free(jackknife->weighing);
}
