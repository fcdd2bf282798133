/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/deviations.h"

#include <math.h>

#include "analyzer/model/state.h"
#include "analyzer/regress/covariance.h"
#include "analyzer/response/ablation.h"

#define DEVIATES 0.025 /* standard deviation, as a part of the kernel's power */
#define NO_CLOCKS 0.04 /* the same where no clocks were sampled */
#define DRIFTS 0.02    /* the same of the static power, which follows the temperature */
#define MISTOLD 0.5    /* of the difference between what influences and sampled clocks say */
#define EXPONENT 2     /* of power by the sampled clock */

static const struct influence *replays_of(const struct influences *influences)
{
	for (guint i = 0; i < influences->count; i++)
		if (influences->list[i].kind->replays)
			return &influences->list[i];
	return NULL;
}

static bool is_program(const struct model *model, guint execution)
{
	return model_origin_of(model, model_execution_at(model, execution))->replayed ==
	       MODEL_OF_PROGRAM;
}

/* The column of an execution if it was replayed and draws power; else COLUMNS_NONE. */
static uint32_t column_of(const struct fit *fit, const struct model *model, guint execution)
{
	const struct classes *classes = fit->classes;
	uint32_t column = columns_find(&classes->columns, model_execution_at(model, execution));
	bool counts = column != COLUMNS_NONE && classes->replayed_of[column] != CLASSES_NONE &&
		      fit->power_w[column] > 0;

	return counts ? column : COLUMNS_NONE;
}

/* ---- clocks that are told otherwise than they were sampled ---- */

/* What influences of the clock add to an execution less what the sampled clock would, as parts of
 * the power of its column; but for a constant.  NaN: no clock is known. */
static double mistold(const struct fit *fit, const struct model *model, const struct states *states,
	guint i, uint32_t column)
{
	const struct model_execution *execution = model_execution_at(model, i);
	const double *factor = fit->power_w + fit->classes->columns.count;
	struct state_sums sums = {0};
	double told_w = 0, mhz;

	for (guint k = 0; k < fit->influences.count; k++) {
		const struct influence *influence = &fit->influences.list[k];

		if (influence->kind->speeds || influence->kind->states)
			told_w += factor[k] * influence_w(influence, i);
	}
	states_add(states, &sums, model_gpu_of(model, execution), execution->begin_ns,
		execution->end_ns);
	mhz = state_clock_mhz(&sums);
	return mhz > 0 ? told_w / fit->power_w[column] - EXPONENT * log(mhz) : NAN;
}

/* By replayed column, the mean over the program's executions; NaN: not known.  g_free it. */
static double *means_of(
	const struct fit *fit, const struct model *model, const struct states *states)
{
	double *mean = g_new0(double, fit->classes->replayed + 1);
	double *time_ns = g_new0(double, fit->classes->replayed + 1);

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		double length_ns = (double)(execution->end_ns - execution->begin_ns), own;
		uint32_t column = column_of(fit, model, i), replayed;

		if (column == COLUMNS_NONE || !is_program(model, i))
			continue;
		replayed = fit->classes->replayed_of[column];
		own = mistold(fit, model, states, i, column);
		mean[replayed] += isnan(own) ? 0 : own * length_ns;
		time_ns[replayed] += isnan(own) ? 0 : length_ns;
	}
	for (guint i = 0; i < fit->classes->replayed; i++)
		mean[i] = time_ns[i] > 0 ? mean[i] / time_ns[i] : NAN;
	g_free(time_ns);
	return mean;
}

/* An influence whose values are the watts that replays may be off by as their clocks are mistold,
 * beside the program's: one standard deviation.  influence_clear it. */
static struct influence clocks_mistold(const struct fit *fit, const struct model *model,
	const struct states *states, const double *mean)
{
	struct influence influence = {.kind = replays_of(&fit->influences)->kind,
		.end = model->executions->len,
		.value_w = mapped_array_new_unfailing(sizeof(float))};

	mapped_array_lengthen(influence.value_w, influence.end);
	for (guint i = 0; i < influence.end; i++) {
		uint32_t column = column_of(fit, model, i);
		double off;

		if (column == COLUMNS_NONE || is_program(model, i))
			continue;
		off = mistold(fit, model, states, i, column) -
		      mean[fit->classes->replayed_of[column]];
		if (!isnan(off))
			*(float *)mapped_array_at(influence.value_w, i) =
				(float)(MISTOLD * off * fit->power_w[column]);
	}
	return influence;
}

/* ---- what deviations do to the powers ---- */

/* Adds the variance by independent deviations of the replayed columns, each of which changes the
 * readings as the influence does with a factor of 1 for that column alone.  variance: of these
 * factors, by replayed column; NULL: 1. */
static void add(const struct regression *regression, const struct joint_fit *joint,
	const struct model *model, const struct influence *influence, const double *variance)
{
	const struct influences alone = {.count = 1, .list = {*influence}, .by_class = true};
	const struct design *own = regression->design;
	struct fit *fit = regression->fit;
	struct design *design =
		design_make(model, fit->classes, &fit->response, own->readings, own->rows, &alone);
	double *scores = g_new0(double, fit->classes->replayed * joint->n + 1);
	double *moves = g_new(double, joint->n);

	for (guint row = 0; row < design->rows; row++)
		for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
			const struct design_entry *entry =
				&g_array_index(design->entries, struct design_entry, i);
			uint32_t replayed =
				entry->column < design->own
					? CLASSES_NONE
					: fit->classes->replayed_of[entry->column - design->own];

			if (replayed != CLASSES_NONE)
				nuisances_add_score(&joint->nuisances, regression, row, entry->part,
					scores + replayed * joint->n);
		}
	for (guint replayed = 0; replayed < fit->classes->replayed; replayed++) {
		covariance_times(
			joint->inverse, joint->n, scores + replayed * joint->n, fit->powers, moves);
		covariance_add(
			fit->covariance, fit->powers, variance ? variance[replayed] : 1, moves);
	}
	design_free(design);
	g_free(scores);
	g_free(moves);
}

/* The variance of each replayed column's deviation, as a part of its power.  g_free it. */
static double *variances_of(const struct fit *fit, const double *mean)
{
	double drift_w = DRIFTS * fit->power_w[fit->powers - 1];
	double *variance = g_new0(double, fit->classes->replayed + 1);

	for (uint32_t column = 0; column < fit->classes->columns.count; column++) {
		uint32_t replayed = fit->classes->replayed_of[column];

		if (replayed != CLASSES_NONE && fit->power_w[column] > 0)
			variance[replayed] = pow(isnan(mean[replayed]) ? NO_CLOCKS : DEVIATES, 2) +
					     pow(drift_w / fit->power_w[column], 2);
	}
	return variance;
}

void deviations_add(const struct regression *regression, const struct joint_fit *joint,
	const struct model *model)
{
	const struct fit *fit = regression->fit;
	const struct influence *replays = replays_of(&fit->influences);
	struct influence clocks;
	struct states *states;
	double *mean, *variance;

	if (!replays || ablated(ABLATION_DEVIATIONS))
		return;
	states = states_of(model);
	mean = means_of(fit, model, states);
	variance = variances_of(fit, mean);
	clocks = clocks_mistold(fit, model, states, mean);
	add(regression, joint, model, replays, variance);
	add(regression, joint, model, &clocks, NULL);
	influence_clear(&clocks);
	states_free(states);
	g_free(mean);
	g_free(variance);
}
