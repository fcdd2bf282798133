/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/jackknife.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/spans.h"
#include "analyzer/numeric/solve.h"

/* A stretch lasts so many responses and periods at least; a block of replays, so many equivalent
 * windows. */
#define RESPONSES 3

/* Whether all that a reading sees was replayed. */
static bool is_replay(const struct fit *fit, const struct power_reading *reading)
{
	double end_ns = reading->time_ns - response_lag_ns(&fit->response);
	double begin_ns = end_ns - response_window_ns(&fit->response) - reading->length_ns;

	return fit->source->replays && begin_ns > 0 &&
	       spans_within(fit->source->replays, (uint64_t)begin_ns, (uint64_t)end_ns) ==
		       (uint64_t)end_ns - (uint64_t)begin_ns;
}

guint *jackknife_stretches(const struct regression *regression, guint *count)
{
	const struct power_reading *readings = regression->design->readings;
	const struct fit *fit = regression->fit;
	guint rows = regression->design->rows, *stretch_of = g_new(guint, rows);
	double width_ns = fit->response.taps * fit->response.step_ns;
	double *at_ns = g_new(double, rows); /* in the time of its own kind */
	bool *replayed = g_new(bool, rows);
	double spent_ns[] = {0, 0}, length_ns[2]; /* of the program, and of replays */

	for (guint row = 0; row < rows; row++) {
		replayed[row] = is_replay(fit, &readings[row]);
		if (row > 0)
			spent_ns[replayed[row]] +=
				readings[row].time_ns - readings[row - 1].time_ns;
		at_ns[row] = spent_ns[replayed[row]];
	}
	length_ns[false] = MAX((spent_ns[false] + 1) / JACKKNIFE_STRETCHES,
		RESPONSES * (width_ns + fit->period_ns));
	length_ns[true] = MAX(RESPONSES * response_window_ns(&fit->response), 1);
	*count = 0;
	for (guint row = 0; row < rows; row++) {
		stretch_of[row] =
			(guint)(at_ns[row] / length_ns[replayed[row]]) % JACKKNIFE_STRETCHES;
		*count = MAX(*count, stretch_of[row] + 1);
	}
	g_free(at_ns);
	g_free(replayed);
	return stretch_of;
}

/* Whether a parameter is a power that is held at 0.  It does not move: what readings say below 0 is
 * balanced by the bound, not by others. */
static bool is_held(const struct fit *fit, size_t i)
{
	return i < fit->powers && !(fit->power_w[i] > 0);
}

/* What is summed over rows of a stretch that share an offset. */
struct offset_part {
	guint offset;
	double weight, right; /* Σ weight · share², and · share · residual */
	double *sum;          /* Σ weight · share · row */
};

/* Adds a row to the equations of powers and nuisance parameters, and to those that share its
 * offset; right is the score. */
static void add_row(struct normal_equations *equations, const struct regression *regression,
	const struct nuisances *nuisances, guint row, double *line, struct offset_part *part)
{
	const struct design *design = regression->design;
	const struct fit *fit = regression->fit;
	size_t powers = fit->powers, n = equations->n;
	double weight = regression->weight[row], residual_w = regression->residual_w[row];

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
		double own = weight * line[i];

		if (is_held(fit, i) || !(own > 0 || own < 0))
			continue;
		equations->right[i] += own * residual_w;
		for (size_t k = i; k < n; k++)
			equations->matrix[i * n + k] += own * line[k] * !is_held(fit, k);
	}
	if (nuisances->offset_lines) {
		double share = weight * regression->offsets.share[row];

		part->offset = regression->offsets.of_row[row];
		part->weight += share * regression->offsets.share[row];
		part->right += share * residual_w;
		for (size_t i = 0; i < n; i++)
			part->sum[i] += share * line[i];
	}
}

/* Subtracts from the equations what the offset explains of these rows, and begins anew. */
static void take_offset(struct normal_equations *equations, const struct regression *regression,
	const struct nuisances *nuisances, struct offset_part *part)
{
	const struct fit *fit = regression->fit;
	size_t n = equations->n;

	if (part->weight > 0) {
		const double *line = nuisances_offset_line(nuisances, regression, part->offset);
		double weight = offsets_at(&regression->offsets, part->offset)->weight;

		for (size_t i = 0; i < n; i++) {
			if (is_held(fit, i))
				continue;
			equations->right[i] -= line[i] * part->right / weight;
			for (size_t k = i; k < n; k++)
				equations->matrix[i * n + k] +=
					!is_held(fit, k) *
					(part->weight / weight * line[i] * line[k] -
						part->sum[i] * line[k] - line[i] * part->sum[k]) /
					weight;
		}
	}
	memset(part->sum, 0, n * sizeof(*part->sum));
	part->weight = part->right = 0;
}

/* The equations of the rows of a stretch, each without what its offset explains of it. */
static struct normal_equations *equations_of(const struct regression *regression,
	const struct nuisances *nuisances, const guint *stretch_of, guint stretch)
{
	const struct offsets *offsets = &regression->offsets;
	struct normal_equations *equations = normal_new(regression->fit->powers + NUISANCES);
	double *line = g_new(double, equations->n);
	struct offset_part part = {.sum = g_new0(double, equations->n)};

	for (guint row = 0; row < regression->design->rows; row++) {
		if (stretch_of[row] != stretch)
			continue;
		if (nuisances->offset_lines && offsets->of_row[row] != part.offset)
			take_offset(equations, regression, nuisances, &part);
		add_row(equations, regression, nuisances, row, line, &part);
	}
	take_offset(equations, regression, nuisances, &part);
	g_free(part.sum);
	g_free(line);
	return equations;
}

/* What the sum of all stretches lacks of the normal matrix is what the prior of the offsets tells.
 */
static void add_offsets(struct normal_equations *all, const struct regression *regression,
	const struct nuisances *nuisances)
{
	const struct fit *fit = regression->fit;
	const struct offsets *offsets = &regression->offsets;

	for (guint o = 0; o < offsets_count(offsets); o++) {
		const double *line = nuisances_offset_line(nuisances, regression, o);
		const struct offset *offset = offsets_at(offsets, o);
		double weight = offset->prior / pow(offset->weight, 2);

		for (size_t i = 0; i < all->n; i++)
			for (size_t k = i; k < all->n; k++)
				if (!is_held(fit, i) && !is_held(fit, k))
					all->matrix[i * all->n + k] += weight * line[i] * line[k];
	}
}

/* With many powers, what stretches tell stays that of all when one is left out, as each solution
 * takes seconds. */
static bool keeps_information(size_t n)
{
	return n > REGRESSION_COLUMNS_FEW;
}

/* What the sum of squared moves is multiplied with, for a variance.  Without one of M stretches of
 * which it is the mean, a quantity moves by r / (M - 1), with r how far that stretch is off, or, if
 * it keeps its information, by r / M; and the mean's variance is the sum of r² / (M (M - 1)).  What
 * fewer than two tell has no variance (uncertainty.c). */
static double factor_of(double stretches, bool keeps)
{
	double all = MAX(stretches, 2);

	return keeps ? all / (all - 1) : (all - 1) / all;
}

/* Sets moves: by how much powers and nuisance parameters move where a stretch is left out.  Solved
 * by all, the score is 0: that of the other stretches is the negative of the own. */
static bool leave_out(struct normal_equations *all, const struct normal_equations *own,
	const double *inverse, double *moves)
{
	size_t n = all->n;
	bool solved;

	if (keeps_information(n)) {
		covariance_times(inverse, n, own->right, n, moves);
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
	guint count, *stretch_of = jackknife_stretches(regression, &count);
	struct normal_equations *all = normal_new(n),
				**own = g_new(struct normal_equations *, count);

	for (guint stretch = 0; stretch < count; stretch++) {
		own[stretch] = equations_of(regression, &joint->nuisances, stretch_of, stretch);
		normal_add(all, own[stretch], 1);
	}
	for (size_t i = 0; i < n; i++)
		all->matrix[i * n + i] += joint->prior[i];
	add_offsets(all, regression, &joint->nuisances);
	remembered_add(regression->fit->remembered, all->matrix, n, NULL);
	for (guint stretch = 0; stretch < count; stretch++) {
		if (leave_out(all, own[stretch], joint->inverse, moves))
			for (size_t i = 0; i < n; i++)
				jackknife.variance[i] += pow(covariance_sum(sums, i, moves), 2);
		for (size_t i = 0; i < powers; i++) {
			double own_weight = own[stretch]->matrix[i * n + i];

			weight[i] += own_weight;
			jackknife.weighing[i] += own_weight * own_weight;
		}
		normal_free(own[stretch]);
	}
	for (size_t i = 0; i < powers; i++)
		jackknife.weighing[i] = weight[i] * weight[i] / MAX(jackknife.weighing[i], 1e-300);
	for (size_t i = 0; i < n; i++)
		jackknife.variance[i] *=
			factor_of(i < powers ? jackknife.weighing[i] : count, keeps_information(n));
	normal_free(all);
	g_free(own);
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
