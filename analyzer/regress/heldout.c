/* SPDX-License-Identifier: MIT */
/*
 * Prediction of blocks that a fit has not seen: the only test that needs no truth.  Every way of
 * attribution yields a power for each class from the other blocks; with what ran in a block it
 * predicts the block's energy.
 */
#include <math.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/sweep.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/regress/uncertainty.h"

/* The energies and times that a way attributes, by fold and column; idle is the last column. */
struct naive {
	double *energy[FIT_WAYS]; /* nJ */
	double *time_ns;
};

struct holding {
	struct fitting *fitting;
	struct naive naive;
	double *power_w[FIT_WAYS]; /* from all but one fold */
};

static double power_of(const struct curve_interval *interval)
{
	return (double)interval->energy_nj / (double)(interval->end_ns - interval->begin_ns);
}

static void share(struct holding *holding, const struct sweep *sweep, guint fold,
	const double energy[FIT_WAYS], double length_ns)
{
	const struct fit *fit = holding->fitting->fit;
	guint count = sweep->count;

	for (guint i = 0; i < MAX(count, 1); i++) {
		size_t column = fit->powers - 1, place;

		if (count) {
			uint32_t class_index = classes_find(fit->classes,
				&g_array_index(sweep->model->executions, struct model_execution,
					sweep->running[i].execution));

			if (class_index == CLASSES_NONE)
				continue;
			column = g_array_index(fit->classes->list, struct kernel_class, class_index)
					 .column;
		}
		place = (size_t)fold * fit->powers + column;
		holding->naive.time_ns[place] += length_ns;
		for (int way = FIT_OVERLAP; way < FIT_WAYS; way++)
			holding->naive.energy[way][place] += energy[way] / MAX(count, 1);
	}
}

static void attribute_naively(struct holding *holding, const struct model *model)
{
	const struct source *source = holding->fitting->fit->source;
	struct sweep sweep;

	sweep_begin(&sweep, model, source);
	for (guint i = 0; i < source->curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(source->curve, struct curve_interval, i);
		double power_w = power_of(interval),
		       before_w = power_of(i ? interval - 1 : interval);
		guint fold = fitting_fold_at(holding->fitting, (double)interval->end_ns);

		for (uint64_t now_ns = interval->begin_ns; now_ns < interval->end_ns;) {
			uint64_t until_ns = sweep_step(&sweep, now_ns, interval->end_ns);
			double length_ns = (double)(until_ns - now_ns);
			double middle = ((double)(now_ns - interval->begin_ns) + length_ns / 2) /
					(double)(interval->end_ns - interval->begin_ns);
			double energy[FIT_WAYS] = {0, power_w * length_ns,
				(before_w + middle * (power_w - before_w)) * length_ns,
				before_w * length_ns};

			share(holding, &sweep, fold, energy, length_ns);
			now_ns = until_ns;
		}
	}
	sweep_end(&sweep);
}

/* The powers that the naive ways find in all folds but one; of the whole device while a class runs.
 */
static void set_naive_powers(struct holding *holding, int without)
{
	size_t powers = holding->fitting->fit->powers;

	for (int way = FIT_OVERLAP; way < FIT_WAYS; way++) {
		double all_nj = 0, all_ns = 0;

		for (size_t i = 0; i < powers; i++) {
			double energy_nj = 0, time_ns = 0;

			for (int fold = 0; fold < FIT_FOLDS; fold++) {
				if (fold == without)
					continue;
				energy_nj += holding->naive.energy[way][fold * powers + i];
				time_ns += holding->naive.time_ns[fold * powers + i];
			}
			holding->power_w[way][i] = time_ns > 0 ? energy_nj / time_ns : NAN;
			all_nj += energy_nj;
			all_ns += time_ns;
		}
		for (size_t i = 0; i < powers; i++)
			if (isnan(holding->power_w[way][i]))
				holding->power_w[way][i] = all_nj / MAX(all_ns, 1);
	}
}

static bool set_fitted_powers(struct holding *holding, int without)
{
	const struct fitting *fitting = holding->fitting;
	struct normal *normal = normal_new(fitting->fit->powers);
	double *weights = g_new(double, normal->n);
	bool solved;

	for (int fold = 0; fold < FIT_FOLDS; fold++)
		if (fold != without)
			normal_add(normal, fitting->folds[fold], 1);
	fitting_add_prior(fitting, normal, weights);
	solved = solve_partly_nonnegative(normal->n, normal->matrix, normal->right,
		fitting->design->own, fitting->design->columns, holding->power_w[FIT_REGRESS]);
	normal_free(normal);
	g_free(weights);
	return solved;
}

/* With naive powers, what does not run anything is idle. */
static double predict(const struct holding *holding, guint row, int way)
{
	const struct design *design = holding->fitting->design;
	const double *power_w = holding->power_w[way];
	double sum_w = 0, busy = 0;

	if (way == FIT_REGRESS)
		return normal_predict(design, row, power_w);
	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		if (entry->column >= design->own)
			break;
		sum_w += entry->part * power_w[entry->column];
		busy += entry->part;
	}
	return sum_w + MAX(1 - busy, 0) * power_w[design->columns];
}

/* Of a block that was hardly measured, nothing is asked. */
static void end_block(const struct fitting *fitting, const double predicted[FIT_WAYS],
	double measured, double length_ns)
{
	struct fit *fit = fitting->fit;

	if (!(measured > 0) || length_ns < fitting_block_ns(fitting) / 2)
		return;
	for (int way = 0; way < FIT_WAYS; way++)
		fit->heldout[way] += fabs(predicted[way] - measured) / measured;
	fit->blocks++;
}

static void try_fold(struct holding *holding, int fold)
{
	const struct fitting *fitting = holding->fitting;
	const struct design *design = fitting->design;
	double predicted[FIT_WAYS] = {0}, measured = 0, length_ns = 0;
	guint block = 0;

	for (guint row = 0; row < design->rows; row++) {
		double time_ns = design->readings[row].time_ns;
		guint own = fitting_block_at(fitting, time_ns);

		if (fitting_fold_at(fitting, time_ns) != (guint)fold)
			continue;
		if (own != block) {
			end_block(fitting, predicted, measured, length_ns);
			for (int way = 0; way < FIT_WAYS; way++)
				predicted[way] = 0;
			measured = length_ns = 0;
			block = own;
		}
		measured += design->readings[row].power_w * design->readings[row].length_ns;
		length_ns += design->readings[row].length_ns;
		for (int way = 0; way < FIT_WAYS; way++)
			predicted[way] +=
				predict(holding, row, way) * design->readings[row].length_ns;
	}
	end_block(fitting, predicted, measured, length_ns);
}

void fit_hold_out(struct fitting *fitting, const struct model *model)
{
	struct fit *fit = fitting->fit;
	struct holding holding = {.fitting = fitting};
	int folds = /* else one is enough work */ fit->powers > FITTING_COLUMNS_FEW ? 1 : FIT_FOLDS;

	for (int way = 0; way < FIT_WAYS; way++) {
		holding.naive.energy[way] = g_new0(double, FIT_FOLDS * fit->powers);
		holding.power_w[way] = g_new0(double, fit->powers);
	}
	holding.naive.time_ns = g_new0(double, FIT_FOLDS * fit->powers);
	attribute_naively(&holding, model);
	for (int fold = 0; fold < folds; fold++) {
		if (!set_fitted_powers(&holding, fold))
			continue;
		set_naive_powers(&holding, fold);
		try_fold(&holding, fold);
	}
	for (int way = 0; way < FIT_WAYS; way++) {
		fit->heldout[way] = fit->blocks ? fit->heldout[way] / fit->blocks : NAN;
		g_free(holding.naive.energy[way]);
		g_free(holding.power_w[way]);
	}
	g_free(holding.naive.time_ns);
}
