/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/deviations.h"

#include <math.h>

#include "analyzer/model/state.h"
#include "analyzer/regress/covariance.h"
#include "analyzer/response/ablation.h"

#define DEVIATES 0.02  /* standard deviation, as a part of the kernel's power */
#define NO_CLOCKS 0.04 /* the same where no clocks were sampled */
#define DRIFTS 0.02    /* the same of the static power, which follows the temperature */
/* The same of the difference of durations that the clock does not explain: as if the part of it in
 * which the kernel waits were any with equal chance.  Where they differ by OTHER_WORK or more, all
 * of the difference. */
#define BY_PACE 0.3
#define OTHER_WORK 0.1
/* The same of the spread of the program's durations, where the replay found a cold cache: the
 * program then finds its data in the cache at one time and in memory at another. */
#define BY_SPREAD 1.5
/* Replays that deviate by no more weigh as the program's readings do: what these tell beside
 * depends on the response. */
#define TRUSTED 0.05

/* The number among the replayed columns of an execution that draws power; else CLASSES_NONE. */
static uint32_t replayed_of(const struct fit *fit, const struct model_execution *execution)
{
	uint32_t column = columns_find(&fit->classes->columns, execution);

	return column != COLUMNS_NONE && fit->power_w[column] > 0
		       ? fit->classes->replayed_of[column]
		       : CLASSES_NONE;
}

/* The variance by durations, as a part of the kernel's power. */
static double by_durations(const struct pace *pace, enum model_replayed replayed)
{
	double differ = fabs(log(pace->ratio));
	double by_pace = CLAMP(differ / OTHER_WORK, BY_PACE, 1) * differ;
	double by_spread = replayed == MODEL_REPLAYED_COLD ? BY_SPREAD * pace->spread : 0;

	return by_pace * by_pace + by_spread * by_spread;
}

/* By replayed column, the mean of that over the time of its replays.  g_free it. */
static double *variances_by_durations(const struct fit *fit, const struct model *model)
{
	double *variance = g_new0(double, fit->classes->replayed + 1);
	double *time_ns = g_new0(double, fit->classes->replayed + 1);

	for (guint i = 0; i < model->executions->len && fit->classes->paces; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		double length_ns = (double)(execution->end_ns - execution->begin_ns);
		enum model_replayed by = model_origin_of(model, execution)->replayed;
		uint32_t replayed = replayed_of(fit, execution);

		if (replayed == CLASSES_NONE || by == MODEL_OF_PROGRAM)
			continue;
		variance[replayed] +=
			by_durations(&fit->classes->paces[execution->origin], by) * length_ns;
		time_ns[replayed] += length_ns;
	}
	for (guint i = 0; i < fit->classes->replayed; i++)
		variance[i] /= MAX(time_ns[i], 1);
	g_free(time_ns);
	return variance;
}

static bool clocks_are_known(const struct model *model, const struct source *source)
{
	const struct model_span *span = &source->recording->span;
	struct states *states = states_of(model);
	struct state_sums sums = {0};

	states_add(states, &sums, source_gpu(model, source), span->begin_ns, span->end_ns);
	states_free(states);
	return state_clock_mhz(&sums) > 0;
}

/* The variance of each replayed column's deviation, as a part of its power.  g_free it. */
static double *variances_of(const struct fit *fit, const struct model *model)
{
	double *variance = variances_by_durations(fit, model);
	double alike = clocks_are_known(model, fit->source) ? DEVIATES : NO_CLOCKS;
	double drift_w = DRIFTS * fit->power_w[fit->powers - 1];

	for (uint32_t column = 0; column < fit->classes->columns.count; column++) {
		uint32_t replayed = fit->classes->replayed_of[column];

		if (replayed != CLASSES_NONE && fit->power_w[column] > 0)
			variance[replayed] +=
				alike * alike + pow(drift_w / fit->power_w[column], 2);
	}
	return variance;
}

/* What deviations of the replayed columns change in the readings: entries behind the design's own
 * are in W, for a deviation as large as the power.  design_free it. */
static struct design *design_of_replays(
	const struct regression *regression, const struct model *model)
{
	const struct fit *fit = regression->fit;
	const struct design *own = regression->design;
	struct influences alone = {.count = 1,
		.list = {{.kind = influence_kind_of_replays(), .end = model->executions->len}},
		.by_class = true};
	struct design *design;

	influence_compute(&alone.list[0], model, fit->classes, fit->power_w);
	design = design_make(model, fit->classes, &fit->response, own->readings, own->rows, &alone);
	influence_clear(&alone.list[0]);
	return design;
}

/* The replayed column that an entry of this design belongs to, else CLASSES_NONE. */
static uint32_t replayed_column(
	const struct fit *fit, const struct design *design, const struct design_entry *entry)
{
	return entry->column < design->own ? CLASSES_NONE
					   : fit->classes->replayed_of[entry->column - design->own];
}

/* By replayed column, what its replays tell of its power, as the inverse of a relative variance.
 * g_free it. */
static double *told_by_replays(const struct regression *regression, const struct design *design)
{
	const struct fit *fit = regression->fit;
	double *told = g_new0(double, fit->classes->replayed + 1);

	for (guint row = 0; row < design->rows; row++)
		for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
			const struct design_entry *entry =
				&g_array_index(design->entries, struct design_entry, i);
			uint32_t replayed = replayed_column(fit, design, entry);

			if (replayed != CLASSES_NONE)
				told[replayed] +=
					regression->weight[row] * entry->part * entry->part;
		}
	return told;
}

/* What a reading's weight is multiplied by.  doubt: by replayed column. */
static double trust_of(
	const struct fit *fit, const struct design *design, guint row, const double *doubt)
{
	double all_w = 0, doubt_w2 = 0;

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);
		uint32_t replayed = replayed_column(fit, design, entry);

		if (entry->column < design->own)
			all_w += entry->part * fit->power_w[entry->column];
		else if (replayed != CLASSES_NONE)
			doubt_w2 += entry->part * entry->part * doubt[replayed];
	}
	return all_w > 0 ? 1 / (1 + doubt_w2 / (all_w * all_w)) : 1;
}

void deviations_weigh(const struct regression *regression, const struct model *model)
{
	struct fit *fit = regression->fit;
	double *variance, *doubt;
	struct design *design;
	bool any = false;

	if (!fit->classes->paces || ablated(ABLATION_TRUST))
		return;
	variance = variances_by_durations(fit, model);
	design = design_of_replays(regression, model);
	doubt = told_by_replays(regression, design);
	for (guint i = 0; i < fit->classes->replayed; i++) {
		doubt[i] *= MAX(variance[i] - TRUSTED * TRUSTED, 0);
		any |= doubt[i] > 0;
	}
	if (any)
		fit->trust = g_new(double, design->rows);
	for (guint row = 0; row < design->rows && any; row++)
		fit->trust[row] = trust_of(fit, design, row, doubt);
	design_free(design);
	g_free(doubt);
	g_free(variance);
}

/* Adds the variance by independent deviations of the replayed columns.  variance: of each, as a
 * part of its power. */
static void add(const struct regression *regression, const struct joint_fit *joint,
	const struct model *model, const double *variance)
{
	struct fit *fit = regression->fit;
	struct design *design = design_of_replays(regression, model);
	double *scores = g_new0(double, fit->classes->replayed * joint->n + 1);
	double *moves = g_new(double, joint->n);

	for (guint row = 0; row < design->rows; row++)
		for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
			const struct design_entry *entry =
				&g_array_index(design->entries, struct design_entry, i);
			uint32_t replayed = replayed_column(fit, design, entry);

			if (replayed != CLASSES_NONE)
				nuisances_add_score(&joint->nuisances, regression, row, entry->part,
					scores + replayed * joint->n);
		}
	for (guint replayed = 0; replayed < fit->classes->replayed; replayed++) {
		covariance_times(
			joint->inverse, joint->n, scores + replayed * joint->n, fit->powers, moves);
		covariance_add(fit->covariance, fit->powers, variance[replayed], moves);
	}
	design_free(design);
	g_free(scores);
	g_free(moves);
}

void deviations_add(const struct regression *regression, const struct joint_fit *joint,
	const struct model *model)
{
	const struct fit *fit = regression->fit;
	double *variance;

	if (!fit->classes->replayed || ablated(ABLATION_DEVIATIONS))
		return;
	variance = variances_of(fit, model);
	add(regression, joint, model, variance);
	g_free(variance);
}
