/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/heldout.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/spans.h"
#include "analyzer/model/sweep.h"
#include "analyzer/regress/normal.h"

/* A block counts if at least this fraction of it was measured. */
#define MEASURED_LEAST 0.5

struct heldout_job {
	const struct model *model;
	const struct fit *fit;
	const struct fold_powers *fold_powers;
	/* By method: powers[fold_powers->folds][fit->powers], without the blocks of the fold. Those
	 * of the fit's own method are added to static power, which is the last one; those of others
	 * are of the whole device, and the last one is that of the idle device. */
	double *power_w[METHODS];
	struct heldout *heldout;
};

/* ---- powers without the blocks of a fold ---- */

/* A method's curve, and how far it has been walked along. */
struct curve_walk {
	GArray *curve;
	guint next;
	double power_w; /* of interval `next` */
};

/* What the other methods attribute to each power, with the idle device last. */
struct class_sums {
	const struct heldout_job *job;
	struct curve_walk walks[METHODS]; /* the fit's own method has no curve */
	double *time_ns;                  /* [BLOCKS_FOLDS][fit->powers] */
	double *energy_nj;                /* [BLOCKS_FOLDS][fit->powers][METHODS] */
	double now_nj[METHODS];           /* of a time in which the same executions run */
};

static void walk_to(struct curve_walk *walk, guint next)
{
	const struct curve_interval *interval = MODEL_AT(walk->curve, struct curve_interval, next);

	walk->next = next;
	if (interval)
		walk->power_w = (double)interval->energy_nj /
				(double)(interval->end_ns - interval->begin_ns);
}

static struct curve_walk walk_along(GArray *curve)
{
	struct curve_walk walk = {.curve = curve};

	walk_to(&walk, 0);
	return walk;
}

/* The energy of a time by a curve; times must not decrease from call to call. */
static double walk_nj(struct curve_walk *walk, uint64_t begin_ns, uint64_t end_ns)
{
	double sum_nj = 0;

	for (; walk->next < walk->curve->len; walk_to(walk, walk->next + 1)) {
		const struct curve_interval *interval =
			&g_array_index(walk->curve, struct curve_interval, walk->next);
		uint64_t from_ns = MAX(begin_ns, interval->begin_ns);
		uint64_t until_ns = MIN(end_ns, interval->end_ns);

		if (from_ns < until_ns)
			sum_nj += walk->power_w * (double)(until_ns - from_ns);
		if (interval->end_ns > end_ns)
			break;
	}
	return sum_nj;
}

static void add_power(struct class_sums *sums, gsize power, double length_ns)
{
	sums->time_ns[power] += length_ns;
	for (guint i = 0; i < METHODS; i++)
		sums->energy_nj[power * METHODS + i] += sums->now_nj[i];
}

/* Adds a time in which the same executions run: they share its energy equally. */
static void add_time(struct class_sums *sums, const struct sweep *sweep, guint fold,
	uint64_t begin_ns, uint64_t end_ns)
{
	const struct fit *fit = sums->job->fit;
	gsize first = fold * fit->powers;

	for (guint i = 0; i < METHODS; i++)
		if (sums->walks[i].curve)
			sums->now_nj[i] =
				walk_nj(&sums->walks[i], begin_ns, end_ns) / MAX(sweep->count, 1);
	for (guint i = 0; i < sweep->count; i++) {
		uint32_t column = columns_find(&fit->classes->columns,
			model_execution_at(sweep->model, sweep->running[i].execution));

		if (column != COLUMNS_NONE)
			add_power(sums, first + column, (double)(end_ns - begin_ns));
	}
	if (!sweep->count)
		add_power(sums, first + fit->powers - 1, (double)(end_ns - begin_ns));
}

static void add_all(struct class_sums *sums, const struct heldout_job *job)
{
	const struct source *source = job->fit->source;
	struct sweep sweep;

	sweep_begin(&sweep, job->model, source);
	for (guint i = 0; i < source->curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(source->curve, struct curve_interval, i);
		guint fold = blocks_fold(&job->fold_powers->blocks, (double)interval->end_ns);
		uint64_t now_ns = interval->begin_ns, until_ns;

		for (; !interval->blurred && now_ns < interval->end_ns; now_ns = until_ns) {
			until_ns = sweep_step(&sweep, now_ns, interval->end_ns);
			add_time(sums, &sweep, fold, now_ns, until_ns);
		}
	}
	sweep_end(&sweep);
}

/* Sets power_w[fit->powers] of a method from all folds but one.  A class that ran in no other fold
 * gets the mean power of all. */
static void set_powers(const struct class_sums *sums, guint method, guint without, double *power_w)
{
	size_t powers = sums->job->fit->powers;
	double all_nj = 0, all_ns = 0;

	for (size_t i = 0; i < powers; i++) {
		double energy_nj = 0, time_ns = 0;

		for (guint fold = 0; fold < BLOCKS_FOLDS; fold++) {
			gsize power = fold * powers + i;

			if (fold == without)
				continue;
			energy_nj += sums->energy_nj[power * METHODS + method];
			time_ns += sums->time_ns[power];
		}
		power_w[i] = time_ns > 0 ? energy_nj / time_ns : NAN;
		all_nj += energy_nj;
		all_ns += time_ns;
	}
	for (size_t i = 0; i < powers; i++)
		if (isnan(power_w[i]))
			power_w[i] = all_nj / MAX(all_ns, 1);
}

/* Sets the powers of the methods that fit none, by fold.  They attribute the whole recording once,
 * and the powers of a fold are summed over the other folds: such methods look at no more than two
 * neighbouring readings, so that other blocks know nothing of this one. */
static void set_powers_of_methods(struct heldout_job *job)
{
	size_t powers = job->fit->powers, size = BLOCKS_FOLDS * powers;
	struct class_sums sums = {.job = job,
		.time_ns = g_new0(double, size),
		.energy_nj = g_new0(double, size *METHODS)};

	for (guint i = 0; i < METHODS; i++)
		if (i != job->heldout->own)
			sums.walks[i] = walk_along(method_curve(methods[i], job->fit->source));
	add_all(&sums, job);
	for (guint i = 0; i < METHODS; i++) {
		if (i == job->heldout->own)
			continue;
		job->power_w[i] = g_new(double, job->fold_powers->folds *powers);
		for (guint fold = 0; fold < job->fold_powers->folds; fold++)
			set_powers(&sums, i, fold, job->power_w[i] + fold * powers);
		g_array_unref(sums.walks[i].curve);
	}
	g_free(sums.time_ns);
	g_free(sums.energy_nj);
}

/* ---- prediction ---- */

/* Predicts a reading by powers of the whole device, which is idle for the rest of the reading. */
static double predict_whole_w(const struct design *design, guint row, const double *power_w)
{
	double sum_w = 0, busy = 0;

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

static double predict_w(const struct heldout_job *job, guint method, guint fold, guint row)
{
	const struct design *design = job->fold_powers->design;
	const double *power_w = job->power_w[method] + fold * job->fit->powers;

	return method == job->heldout->own ? normal_predict(design, row, power_w)
					   : predict_whole_w(design, row, power_w);
}

/* The energy of a block, in W × ns. */
struct block_sums {
	double length_ns, measured;
	double predicted[METHODS];
};

/* Adds the errors of a block, unless it was hardly measured, and clears the sums. */
static void end_block(const struct heldout_job *job, struct block_sums *sums)
{
	struct heldout *heldout = job->heldout;
	bool counts = sums->measured > 0 &&
		      sums->length_ns >= MEASURED_LEAST * job->fold_powers->blocks.length_ns;

	for (guint i = 0; counts && i < METHODS; i++)
		heldout->error[i] += fabs(sums->predicted[i] - sums->measured) / sums->measured;
	heldout->blocks += counts;
	sums->length_ns = sums->measured = 0;
	memset(sums->predicted, 0, sizeof(sums->predicted));
}

/* Whether a reading sees a time at which a replay held the program up. */
static bool sees_replays(const struct fit *fit, const struct power_reading *reading)
{
	double begin_ns, end_ns;

	if (!fit->source->replays)
		return false;
	end_ns = reading->time_ns - response_lag_ns(&fit->response);
	begin_ns = end_ns - response_window_ns(&fit->response) - reading->length_ns;
	return spans_within(
		fit->source->replays, (uint64_t)fmax(begin_ns, 0), (uint64_t)fmax(end_ns, 0));
}

static void test_fold(const struct heldout_job *job, guint fold)
{
	const struct fold_powers *fold_powers = job->fold_powers;
	const struct design *design = fold_powers->design;
	struct block_sums sums = {0};
	guint block = 0;

	for (guint row = 0; row < design->rows; row++) {
		const struct power_reading *reading = &design->readings[row];

		if (blocks_fold(&fold_powers->blocks, reading->time_ns) != fold ||
			sees_replays(job->fit, reading))
			continue;
		if (blocks_at(&fold_powers->blocks, reading->time_ns) != block)
			end_block(job, &sums);
		block = blocks_at(&fold_powers->blocks, reading->time_ns);
		sums.length_ns += reading->length_ns;
		sums.measured += reading->power_w * reading->length_ns;
		for (guint i = 0; i < METHODS; i++)
			sums.predicted[i] += predict_w(job, i, fold, row) * reading->length_ns;
	}
	end_block(job, &sums);
}

/* ---- the test ---- */

static void test(struct heldout_job *job)
{
	struct heldout *heldout = job->heldout;

	set_powers_of_methods(job);
	job->power_w[heldout->own] = job->fold_powers->power_w;
	for (guint fold = 0; fold < job->fold_powers->folds; fold++)
		if (!isnan(job->fold_powers->power_w[fold * job->fit->powers]))
			test_fold(job, fold);
	for (guint i = 0; i < METHODS; i++) {
		heldout->error[i] = heldout->blocks ? heldout->error[i] / heldout->blocks : NAN;
		if (i != heldout->own)
			g_free(job->power_w[i]);
	}
}

struct heldout *heldout_test(const struct model *model, const struct method *own, struct fit *fit)
{
	struct heldout *heldout = g_new0(struct heldout, 1);
	struct heldout_job job = {
		.model = model, .fit = fit, .fold_powers = fit->fold_powers, .heldout = heldout};

	while (methods[heldout->own] != own)
		heldout->own++;
	test(&job);
	fold_powers_free(fit->fold_powers);
	fit->fold_powers = NULL;
	return heldout;
}

void heldout_free(struct heldout *heldout)
{
	g_free(heldout);
}

double heldout_best_other(const struct heldout *heldout)
{
	double best = INFINITY;

	for (guint i = 0; methods[i]; i++)
		if (i != heldout->own)
			best = fmin(best, heldout->error[i]);
	return best;
}
