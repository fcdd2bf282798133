/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/deviations.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/state.h"
#include "analyzer/regress/covariance.h"
#include "analyzer/response/ablation.h"

#define DEVIATES 0.02  /* standard deviation, as a part of the kernel's power */
#define NO_CLOCKS 0.04 /* the same where no clocks were sampled */
/* The same, as a part of the difference of durations that the clock does not explain.  The kernel
 * waits in some of it, and half is taken (paces.h); 0.3 is the standard deviation of a uniform
 * distribution between none and all.  Where durations differ by OTHER_WORK or more, it is all. */
#define BY_PACE 0.3
#define OTHER_WORK 0.1
/* Of what is read between repetitions, so that these find a cold cache: it may not draw the same as
 * where nothing else runs. */
#define READS_DEVIATE 0.0025
/* Standard deviation at either end of a replay, as a part of the static power: by how much it is
 * another one there than in the middle. */
#define DRIFTS 0.003
/* A deviation up to which the weights stay as they are: the less replays weigh, the more do errors
 * of the response change what the program's readings tell. */
#define TRUSTED 0.05

/* The number among the replayed columns of an execution that draws power; else CLASSES_NONE. */
static uint32_t replayed_of(const struct fit *fit, const struct model_execution *execution)
{
	uint32_t column = columns_find(&fit->classes->columns, execution);

	return column != COLUMNS_NONE && fit->power_w[column] > 0
		       ? fit->classes->replayed_of[column]
		       : CLASSES_NONE;
}

/* The variance by durations, as a part of the kernel's power.  Where the replay found a cold cache
 * and the program's durations spread more, it may find its data in the cache at one time and in
 * memory at another. */
static double by_durations(const struct pace *pace, enum model_replayed replayed)
{
	double differ = fabs(log(pace->ratio));
	double by_pace = CLAMP(differ / OTHER_WORK, BY_PACE, 1) * differ;
	double by_spread = replayed == MODEL_REPLAYED_COLD ? pace->spread : 0;

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

	for (uint32_t column = 0; column < fit->classes->columns.count; column++) {
		uint32_t replayed = fit->classes->replayed_of[column];

		if (replayed != CLASSES_NONE && fit->power_w[column] > 0)
			variance[replayed] += alike * alike;
	}
	return variance;
}

/* What a reading changes by where a replayed column deviates by as much as its power. */
struct replayed_part {
	guint row;
	uint32_t replayed; /* the column's number */
	double part_w;
};

/* All of them (struct replayed_part), in the order of rows; g_array_unref it. */
static GArray *replayed_parts(const struct regression *regression, const struct model *model)
{
	const struct fit *fit = regression->fit;
	const struct design *own = regression->design;
	struct influences alone = {.count = 1,
		.list = {{.kind = influence_kind_of_replays(), .end = model->executions->len}},
		.by_class = true};
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct replayed_part));
	struct design *design;

	influence_compute(&alone.list[0], model, fit->classes, fit->power_w);
	design = design_make(model, fit->classes, &fit->response, own->readings, own->rows, &alone);
	for (guint row = 0; row < design->rows; row++)
		for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
			const struct design_entry *entry =
				&g_array_index(design->entries, struct design_entry, i);
			struct replayed_part part = {row, CLASSES_NONE, entry->part};

			if (entry->column >= design->own)
				part.replayed =
					fit->classes->replayed_of[entry->column - design->own];
			if (part.replayed != CLASSES_NONE)
				g_array_append_val(parts, part);
		}
	design_free(design);
	influence_clear(&alone.list[0]);
	return parts;
}

void deviations_weigh(const struct regression *regression, const struct model *model)
{
	const struct design *design = regression->design;
	struct fit *fit = regression->fit;
	double *variance, *told, *doubt_w2;
	GArray *parts;
	bool any = false;

	if (!fit->classes->paces || ablated(ABLATION_TRUST))
		return;
	variance = variances_by_durations(fit, model);
	parts = replayed_parts(regression, model);
	told = g_new0(double, fit->classes->replayed + 1);
	doubt_w2 = g_new0(double, design->rows);
	for (guint i = 0; i < parts->len; i++) {
		const struct replayed_part *part = &g_array_index(parts, struct replayed_part, i);

		told[part->replayed] += regression->weight[part->row] * pow(part->part_w, 2);
	}
	for (guint i = 0; i < parts->len; i++) {
		const struct replayed_part *part = &g_array_index(parts, struct replayed_part, i);
		double beyond = MAX(variance[part->replayed] - TRUSTED * TRUSTED, 0);

		doubt_w2[part->row] += told[part->replayed] * beyond * pow(part->part_w, 2);
		any |= beyond > 0;
	}
	if (any)
		fit->trust = g_new(double, design->rows);
	for (guint row = 0; row < design->rows && any; row++)
		fit->trust[row] =
			doubt_w2[row] > 0
				? 1 / (1 + doubt_w2[row] /
						      pow(design_sum(design, row, fit->power_w), 2))
				: 1;
	g_array_unref(parts);
	g_free(doubt_w2);
	g_free(told);
	g_free(variance);
}

/* What others than the replayed column draw in a row. */
static double others_w(const struct regression *regression, const struct replayed_part *part)
{
	const struct design *design = regression->design;
	const struct fit *fit = regression->fit;
	double sum_w = 0;

	for (gsize i = design->first[part->row]; i < design->first[part->row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		if (entry->column < design->own &&
			fit->classes->replayed_of[entry->column] != part->replayed)
			sum_w += entry->part * fit->power_w[entry->column];
	}
	return sum_w;
}

/* Scores by replayed column, joint->n each: of readings that are off by what the column draws, or
 * by what others draw beside it.  g_free them. */
static double *scores_of(const struct regression *regression, const struct joint_fit *joint,
	const GArray *parts, bool of_others)
{
	double *scores = g_new0(double, regression->fit->classes->replayed * joint->n + 1);

	for (guint i = 0; i < parts->len; i++) {
		const struct replayed_part *part = &g_array_index(parts, struct replayed_part, i);

		nuisances_add_score(&joint->nuisances, regression, part->row,
			of_others ? others_w(regression, part) : part->part_w,
			scores + part->replayed * joint->n);
	}
	return scores;
}

/* Adds the variance by deviations that are independent between replayed columns, of those or of the
 * others beside them.  variance: of each, as a part of that power. */
static void add(const struct regression *regression, const struct joint_fit *joint,
	const GArray *parts, bool of_others, const double *variance)
{
	struct fit *fit = regression->fit;
	double *scores = scores_of(regression, joint, parts, of_others);
	double *moves = g_new(double, joint->n);

	for (guint replayed = 0; replayed < fit->classes->replayed; replayed++) {
		covariance_times(
			joint->inverse, joint->n, scores + replayed * joint->n, fit->powers, moves);
		covariance_add(fit->covariance, fit->powers, variance[replayed], moves);
	}
	g_free(scores);
	g_free(moves);
}

/* Adds to score that of a static power which drifts along a straight line while a replay lasts,
 * from drift_w less to drift_w more. */
static void add_drift_score(const struct regression *regression, const struct joint_fit *joint,
	const struct offset *replay, double drift_w, double *score)
{
	const struct power_reading *readings = regression->design->readings;
	double begin_ns = readings[replay->first].time_ns;
	double half_ns = (readings[replay->end - 1].time_ns - begin_ns) / 2;

	for (guint row = replay->first; half_ns > 0 && row < replay->end; row++) {
		double along = (readings[row].time_ns - begin_ns) / half_ns - 1;

		nuisances_add_score(&joint->nuisances, regression, row,
			regression->offsets.share[row] * along * drift_w, score);
	}
}

/* Adds the variance by such drifts, which are independent between replays. */
static void add_drifts(const struct regression *regression, const struct joint_fit *joint)
{
	const struct offsets *offsets = &regression->offsets;
	struct fit *fit = regression->fit;
	double *score = g_new(double, joint->n), *moves = g_new(double, joint->n);

	for (guint o = 0; o < offsets_count(offsets); o++) {
		if (!offsets_at(offsets, o)->of_replay)
			continue;
		memset(score, 0, joint->n * sizeof(*score));
		add_drift_score(regression, joint, offsets_at(offsets, o),
			DRIFTS * fit->power_w[fit->powers - 1], score);
		covariance_times(joint->inverse, joint->n, score, fit->powers, moves);
		covariance_add(fit->covariance, fit->powers, 1, moves);
	}
	g_free(score);
	g_free(moves);
}

void deviations_add(const struct regression *regression, const struct joint_fit *joint,
	const struct model *model)
{
	const struct fit *fit = regression->fit;
	double *variance;
	GArray *parts;

	if (!fit->classes->replayed || ablated(ABLATION_DEVIATIONS))
		return;
	parts = replayed_parts(regression, model);
	variance = variances_of(fit, model);
	add(regression, joint, parts, false, variance);
	for (guint i = 0; i < fit->classes->replayed; i++)
		variance[i] = READS_DEVIATE * READS_DEVIATE;
	add(regression, joint, parts, true, variance);
	add_drifts(regression, joint);
	g_array_unref(parts);
	g_free(variance);
}
