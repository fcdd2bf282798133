/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/fit.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/regress/design/limit.h"
#include "analyzer/regress/design/paces.h"
#include "analyzer/regress/design/reading_spans.h"
#include "analyzer/regress/design/size_prior.h"
#include "analyzer/regress/deviations.h"
#include "analyzer/regress/exponents.h"
#include "analyzer/regress/fit_response.h"
#include "analyzer/regress/forecast.h"
#include "analyzer/regress/selection.h"
#include "analyzer/regress/uncertainty.h"
#include "analyzer/regress/utilization/utilization_power.h"
#include "analyzer/response/ablation.h"

#define ROUGH_ROWS 1500         /* of a first fit, together with: more cost time and add little */
#define ROUGH_ROWS_PER_COLUMN 5 /* enough that each power is roughly known */
#define MOSTLY 0.8              /* of the busy time: what else runs has the mean power */
#define SATURATED_MIN 10        /* readings of the highest value: fewer may be chance */
#define SATURATED_OVER 0.01     /* of the highest value: a sensor's stated error */

static bool any_runs(const struct model *model, const struct source *source)
{
	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);

		if (source_covers(source, model_gpu_of(model, execution)) &&
			execution->end_ns > execution->begin_ns)
			return true;
	}
	return false;
}

bool fit_possible(const struct model *model, const struct source *source)
{
	GArray *readings;
	bool enough;

	if (source->estimated || !source->top_level || !source->curve->len ||
		!source_covers_any(model, source))
		return false;
	readings = readings_of(source, NULL);
	enough = readings->len >= FIND_READINGS_MIN;
	g_array_free(readings, TRUE);
	return enough && any_runs(model, source);
}

struct fit *fit_of_source(const GPtrArray *fits, const struct source *source)
{
	for (guint i = 0; i < fits->len; i++) {
		struct fit *fit = g_ptr_array_index(fits, i);

		if (fit->source == source ||
			(source->fills && source_measures_same(fit->source, source)))
			return fit;
	}
	return NULL;
}

static void describe_residuals(const struct regression *regression)
{
	const struct design *design = regression->design;
	struct fit *fit = regression->fit;
	double squares = 0, products = 0, mean_w = 0, variance = 0;

	for (guint row = 0; row < design->rows; row++) {
		squares += regression->residual_w[row] * regression->residual_w[row];
		products += row ? regression->residual_w[row] * regression->residual_w[row - 1] : 0;
		mean_w += design->readings[row].power_w / design->rows;
	}
	for (guint row = 0; row < design->rows; row++)
		variance += pow(design->readings[row].power_w - mean_w, 2);
	fit->readings = design->rows;
	fit->fitted = g_array_sized_new(FALSE, FALSE, sizeof(struct fitted_reading), design->rows);
	for (guint row = 0; row < design->rows; row++) {
		struct fitted_reading fitted = {(uint64_t)design->readings[row].time_ns,
			design->readings[row].power_w,
			design->readings[row].power_w - regression->residual_w[row]};

		g_array_append_val(fit->fitted, fitted);
	}
	fit->residual_w = sqrt(squares / design->rows);
	fit->autocorrelation = squares > 0 ? products / squares : 0;
	fit->explained = variance > 0 ? MAX(1 - squares / variance, 0) : 1;
}

/* Moves the readings of the highest value into an array of their own. */
static GArray *take_highest(GArray *readings, double most_w)
{
	GArray *highest = g_array_new(FALSE, FALSE, sizeof(struct power_reading));
	guint kept = 0;

	for (guint row = 0; row < readings->len; row++) {
		const struct power_reading reading =
			g_array_index(readings, struct power_reading, row);

		if (reading.power_w < most_w)
			g_array_index(readings, struct power_reading, kept++) = reading;
		else
			g_array_append_val(highest, reading);
	}
	g_array_set_size(readings, kept);
	return highest;
}

/* The mean of predicted minus measured power over some readings. */
static double exceed_w(
	const struct regression *regression, const struct model *model, const GArray *readings)
{
	const struct fit *fit = regression->fit;
	struct design *design = design_make(model, fit->classes, &fit->response,
		(const void *)readings->data, readings->len, &fit->influences);
	double sum_w = 0;

	for (guint row = 0; row < design->rows; row++)
		sum_w += normal_predict(design, row, fit->power_w) - design->readings[row].power_w;
	design_free(design);
	return sum_w / readings->len;
}

/* Leaves out the readings of a saturated sensor: it reads its highest value again and again, while
 * a fit of all other readings predicts more.  They only show that the power was not less. */
static void leave_out_saturated(struct fit *fit, const struct model *model, GArray *readings)
{
	GArray *kept = g_array_copy(readings), *highest;
	double most_w = 0;
	bool saturated = false;

	for (guint row = 0; row < readings->len; row++)
		most_w = MAX(most_w, g_array_index(readings, struct power_reading, row).power_w);
	highest = take_highest(kept, most_w);
	if (highest->len >= SATURATED_MIN && kept->len >= FIND_READINGS_MIN) {
		struct regression regression;

		fit_set_response(fit, model, kept, NULL, false);
		regression_begin(&regression, fit, model, kept);
		saturated = regression_solve(&regression) &&
			    exceed_w(&regression, model, highest) > SATURATED_OVER * most_w;
		regression_end(&regression);
	}
	if (saturated && !ablated(ABLATION_SATURATED)) {
		fit->left_out.saturated = highest->len;
		fit->left_out.ceiling_w = most_w;
		g_array_free(take_highest(readings, most_w), TRUE);
	}
	g_array_free(kept, TRUE);
	g_array_free(highest, TRUE);
}

/* Leaves out readings that may have seen the device asleep, unless too few others are left: then it
 * slept between all executions, and one static power stands for both states. */
static void leave_out_sleep(struct fit *fit, const struct model *model, GArray **readings)
{
	GArray *awake = g_array_copy(*readings);
	guint asleep;

	fit->sleep = sleep_of(model, fit->source, *readings);
	asleep = fit->sleep ? reading_spans_leave_out(fit->sleep->spans, awake) : 0;
	if (awake->len < FIND_READINGS_MIN || ablated(ABLATION_SLEEP)) {
		sleep_free(fit->sleep);
		fit->sleep = NULL;
		g_array_free(awake, TRUE);
		return;
	}
	fit->left_out.asleep = asleep;
	g_array_free(*readings, TRUE);
	*readings = awake;
}

/* Leaves out readings of replays that a limit held back, unless too few others are left. */
static void leave_out_limited(struct fit *fit, const struct model *model, GArray *readings)
{
	GArray *spans = limit_spans(model, fit->source, fit->classes, readings),
	       *kept = g_array_copy(readings);
	guint limited = reading_spans_leave_out(spans, kept);

	if (kept->len >= FIND_READINGS_MIN && !ablated(ABLATION_LIMITED)) {
		fit->left_out.limited = limited;
		g_array_set_size(readings, 0);
		g_array_append_vals(readings, kept->data, kept->len);
	}
	g_array_free(kept, TRUE);
	g_array_free(spans, TRUE);
}

static struct fit *new_fit(
	const struct model *model, const struct source *source, const struct fit_memory *memory)
{
	struct fit *fit = g_new0(struct fit, 1);

	fit->source = source;
	fit->shift_part = 1;
	fit->period_ns = (double)curve_period_ns(source->sensor);
	fit->classes = classes_of(model, source);
	if (!ablated(ABLATION_PACES))
		paces_find(model, fit->classes);
	fit->utilization = utilization_of(model, source, fit->classes);
	if (!ablated(ABLATION_UTILIZATION_POWER))
		fit->expected = utilization_powers_of(model, fit->classes, fit->utilization);
	if (!fit->expected && !ablated(ABLATION_SIZE_PRIOR))
		fit->expected = size_priors_of(model, fit->classes);
	fit->powers = (size_t)fit->classes->columns.count + 1;
	fit->power_w = g_new0(double, fit->powers);
	fit->groups = g_ptr_array_new();
	fit->raked = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	if (memory)
		fit->remembered = memory->remember(memory->library, model, source, fit->classes);
	return fit;
}

/* Makes room for the factors of the selected influences, and computes their values from the present
 * powers. */
static void set_influences(struct fit *fit, const struct model *model)
{
	struct influences *influences = &fit->influences;

	for (guint i = 0; i < influences->count; i++) {
		struct influence *influence = &influences->list[i];
		bool fitted = fit->classes->columns.count + i + 1 < fit->powers;

		influence_clear(influence);
		influence->end = model->executions->len;
		if (influence->kind->exponent)
			exponents_set(fit, influence,
				fitted && !ablated(ABLATION_EXPONENT)
					? fit->power_w[fit->classes->columns.count + i]
					: influence->parameter);
		influence_compute(influence, model, fit->classes, fit->power_w);
	}
	fit->powers = (size_t)fit->classes->columns.count + influences->count + 1;
	fit->power_w = g_renew(double, fit->power_w, fit->powers);
	memset(fit->power_w + fit->classes->columns.count, 0,
		(influences->count + 1) * sizeof(double));
}

/* Sets what each influence adds to each class with a factor of 1. */
static void sum_influences(struct fit *fit, const struct model *model)
{
	const struct influences *influences = &fit->influences;
	gsize classes = fit->classes->list->len, cells = classes * influences->count + 1;
	double *own_s = g_new0(double, classes + 1);

	g_free(fit->influence_j);
	g_free(fit->influence_w);
	fit->influence_j = g_new0(double, cells);
	fit->influence_w = g_new0(double, cells);
	for (guint i = 0; influences->count && i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t class_index = classes_find(fit->classes, execution);
		double length_s = (double)(execution->end_ns - execution->begin_ns) / 1e9;
		const struct kernel_class *class;
		bool counts;

		if (class_index == CLASSES_NONE)
			continue;
		class = &g_array_index(fit->classes->list, struct kernel_class, class_index);
		counts = class->replayed == class->executions ||
			 model_origin_of(model, execution)->replayed == MODEL_OF_PROGRAM;
		own_s[class_index] += counts ? length_s : 0;
		for (guint k = 0; k < influences->count; k++) {
			gsize cell = (gsize)class_index * influences->count + k;
			double energy_j = influence_w(&influences->list[k], i) * length_s;

			fit->influence_j[cell] += energy_j;
			fit->influence_w[cell] += counts ? energy_j : 0;
		}
	}
	for (gsize i = 0; i + 1 < cells; i++)
		fit->influence_w[i] /= MAX(own_s[i / influences->count], 1e-12);
	g_free(own_s);
}

/* Whether what other recordings tell says more of the response than a fit that does not know it. */
static bool is_remembered(const struct fit *fit)
{
	return remembered_part(fit->remembered, fit->classes->columns.time_ns) > MOSTLY;
}

/* Finds the response again with powers from a rough fit of some readings in the middle of the
 * recording, or with those that are remembered, and then both together. */
static void refine_response(struct fit *fit, const struct model *model, const GArray *readings)
{
	guint count = MIN(
		readings->len, ROUGH_ROWS + ROUGH_ROWS_PER_COLUMN * fit->classes->columns.count);
	GArray *some = g_array_sized_new(FALSE, FALSE, sizeof(struct power_reading), count);
	bool of_others = is_remembered(fit);
	struct regression regression;

	g_array_append_vals(some,
		&g_array_index(readings, struct power_reading, (readings->len - count) / 2), count);
	regression_begin(&regression, fit, model, some);
	if (of_others ? regression_expect(&regression) : regression_solve(&regression)) {
		struct joint_fit joint = {.n = 0};

		fit_set_response(fit, model, some, regression.weight, of_others);
		if (regression_refit(&regression, model, some))
			joint_solve(&joint, &regression, model, some);
		joint_clear(&joint);
	}
	regression_end(&regression);
	g_array_free(some, TRUE);
}

/* Solves anew, with the weights that follow from the fit by now.  Returns false where the equations
 * cannot be solved. */
static bool solve_anew(struct regression *regression, struct joint_fit *joint,
	const struct model *model, const GArray *readings)
{
	joint_clear(joint);
	return regression_refit(regression, model, readings) &&
	       joint_solve(joint, regression, model, readings);
}

/* Weighs the readings by the noise that they show between stretches of time, where other recordings
 * tell of the powers, too: else readings would decide by more than they tell.  Returns false where
 * the equations cannot be solved. */
static bool weigh_against_others(struct regression *regression, struct joint_fit *joint,
	const struct model *model, const GArray *readings)
{
	struct fit *fit = regression->fit;

	if (!fit->remembered || !fit->remembered->rows || ablated(ABLATION_WEIGHED))
		return true;
	sum_influences(fit, model);
	fit->excess_variance = fit_overdispersion(regression, joint) - 1;
	return solve_anew(regression, joint, model, readings);
}

/* Weighs the readings of replays less that deviate from the program by much.  Returns false where
 * the equations cannot be solved. */
static bool weigh_replays(struct regression *regression, struct joint_fit *joint,
	const struct model *model, const GArray *readings)
{
	deviations_weigh(regression, model);
	return !regression->fit->trust || solve_anew(regression, joint, model, readings);
}

struct fit *fit_make(
	const struct model *model, const struct source *source, const struct fit_memory *memory)
{
	struct fit *fit = new_fit(model, source, memory);
	GArray *readings = readings_of(source, &fit->left_out);
	struct joint_fit joint = {.n = 0};
	struct regression regression;
	bool solved;

	leave_out_sleep(fit, model, &readings);
	leave_out_limited(fit, model, readings);
	leave_out_saturated(fit, model, readings);
	fit_set_response(fit, model, readings, NULL, false);
	/* Also where none was found: the search distinguishes a few classes, and others may have
	 * hidden it. */
	if (fit->found.origin != RESPONSE_CALIBRATED &&
		(fit->classes->columns.count > FIND_COLUMNS || is_remembered(fit)) &&
		!ablated(ABLATION_ROUGH))
		refine_response(fit, model, readings);
	regression_begin(&regression, fit, model, readings);
	solved = regression_solve(&regression) && joint_solve(&joint, &regression, model, readings);
	fit->clock = clock_field_of(model, fit->classes);
	while (solved && !ablated(ABLATION_SELECTION) &&
		selection_add(&regression, model, &fit->influences)) {
		joint_clear(&joint);
		set_influences(fit, model);
		fit_set_response(fit, model, readings, regression.weight, false);
		solved = regression_refit(&regression, model, readings);
		if (solved)
			exponents_learn(&regression, model);
		/* The influences' values depend on the powers, which have just changed. */
		if (!ablated(ABLATION_RECOMPUTED))
			set_influences(fit, model);
		solved = solved && regression_refit(&regression, model, readings) &&
			 joint_solve(&joint, &regression, model, readings);
	}
	solved = solved && weigh_replays(&regression, &joint, model, readings) &&
		 weigh_against_others(&regression, &joint, model, readings);
	if (solved) {
		describe_residuals(&regression);
		sum_influences(fit, model);
		exponents_find_clocks(fit, model);
		fit_set_covariance(&regression, &joint, model);
		forecast_make(fit, &joint);
		fit->fold_powers = fold_powers_of(&regression, readings);
		regression_keep_prior(&regression);
	}
	joint_clear(&joint);
	regression_end(&regression);
	g_array_unref(readings);
	if (!solved) {
		fit_free(fit);
		return NULL;
	}
	return fit;
}

void fit_free(struct fit *fit)
{
	for (guint i = 0; i < fit->groups->len; i++) {
		struct fit_group *group = g_ptr_array_index(fit->groups, i);

		g_array_free(group->classes, TRUE);
		g_free(group);
	}
	g_ptr_array_free(fit->groups, TRUE);
	sleep_free(fit->sleep);
	fold_powers_free(fit->fold_powers);
	g_array_free(fit->raked, TRUE);
	if (fit->fitted)
		g_array_free(fit->fitted, TRUE);
	classes_free(fit->classes);
	for (guint i = 0; i < fit->influences.count; i++)
		influence_clear(&fit->influences.list[i]);
	clock_field_free(fit->clock);
	utilization_free(fit->utilization);
	g_free(fit->expected);
	g_free(fit->trust);
	g_free(fit->clock_exponent);
	g_free(fit->clock_mean);
	g_free(fit->influence_j);
	g_free(fit->influence_w);
	remembered_free(fit->remembered);
	g_free(fit->power_w);
	g_free(fit->prior);
	g_free(fit->covariance);
	g_free(fit->posterior);
	forecast_free(fit->forecast);
	g_free(fit->vif);
	g_free(fit->group_of);
	g_free(fit->partner_of);
	g_free(fit);
}
