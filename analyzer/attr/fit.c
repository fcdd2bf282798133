/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/fit.h"

#include <math.h>
#include <string.h>

#include "analyzer/attr/normal.h"
#include "analyzer/attr/solve.h"
#include "analyzer/attr/uncertainty.h"
#include "analyzer/model/curve.h"

#define READINGS_MIN 20
#define LEAST_NOISE                                                                                \
	1e-4 /* of the noise that weights assume: below, digits are all that is left               \
	      */

const char *const fit_ways[FIT_WAYS] = {"regress", "overlap", "linear", "hold"};

static bool any_runs(const struct model *model, const struct source *source)
{
	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution =
			&g_array_index(model->executions, struct model_execution, i);
		uint32_t gpu = model_gpu_of(model, execution);

		if (gpu != MODEL_NONE && source->covers[gpu] &&
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
	readings = design_readings(source);
	enough = readings->len >= READINGS_MIN;
	g_array_free(readings, TRUE);
	return enough && any_runs(model, source);
}

/* ---- what a fit starts from ---- */

static void set_response(
	struct fit *fit, const struct model *model, const GArray *readings, bool again)
{
	const struct model_sensor *sensor = fit->source->sensor;
	struct identified earlier;

	if (response_of_taps(&fit->response, sensor->taps)) {
		fit->identified.origin = RESPONSE_CALIBRATED;
		return;
	}
	earlier = fit->identified;
	fit->identified = identify_response(model, fit->classes, sensor, readings,
		again ? fit->power_w : NULL, again ? &earlier : NULL);
	response_of_shape(&fit->response, &fit->identified.shape);
}

static int by_value(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double busy_part(const struct design *design, guint row)
{
	double sum = 0;

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++)
		sum += g_array_index(design->entries, struct design_entry, i).part;
	return sum;
}

/* What the prior is about: the least that is drawn, and what running adds on average. */
static void typical_powers(const struct design *design, double *low_w, double *typical_w)
{
	double *powers = g_new(double, design->rows), power_w = 0, busy = 0;
	bool idle = false;

	for (guint row = 0; row < design->rows; row++) {
		double own = busy_part(design, row);

		powers[row] = design->readings[row].power_w;
		power_w += powers[row];
		busy += own;
		idle |= own < 0.01;
	}
	qsort(powers, design->rows, sizeof(*powers), by_value);
	*low_w = powers[design->rows / 50];
	*typical_w = MAX(power_w - design->rows * *low_w * (idle ? 1 : 0.5), 0) /
		     MAX(busy, 1e-3 * design->rows);
	g_free(powers);
}

/* ---- solving ---- */

/* The equations of the rows, times scale, and the prior. */
static struct normal *equations(const struct fitting *fitting, double scale)
{
	struct normal *normal = normal_new(fitting->fit->powers);

	for (int fold = 0; fold < FIT_FOLDS; fold++)
		normal_add(normal, fitting->folds[fold], scale);
	normal_add_prior(normal, fitting->design->columns, fitting->typical_w, fitting->low_w,
		fitting->prior);
	return normal;
}

/* Returns false where the equations cannot be solved. */
static bool solve(struct fitting *fitting)
{
	struct normal *normal = equations(fitting, fitting->scale);
	bool solved =
		solve_nonnegative(normal->n, normal->matrix, normal->right, fitting->fit->power_w);

	normal_free(normal);
	return solved;
}

/* Sets the residuals, and returns their weighted squares for each degree of freedom that they have
 * at least. */
static double set_residuals(struct fitting *fitting)
{
	const struct design *design = fitting->design;
	double squares = 0;

	for (guint row = 0; row < design->rows; row++) {
		double predicted_w = normal_predict(design, row, fitting->fit->power_w);

		fitting->residual_w[row] = design->readings[row].power_w - predicted_w;
		squares +=
			fitting->weight[row] * fitting->residual_w[row] * fitting->residual_w[row];
	}
	return squares /
	       MAX((double)design->rows - (double)fitting->fit->powers, design->rows / 3.);
}

static void describe_residuals(const struct fitting *fitting)
{
	const struct design *design = fitting->design;
	struct fit *fit = fitting->fit;
	double squares = 0, products = 0, mean_w = 0, variance = 0;

	for (guint row = 0; row < design->rows; row++) {
		squares += fitting->residual_w[row] * fitting->residual_w[row];
		products += row ? fitting->residual_w[row] * fitting->residual_w[row - 1] : 0;
		mean_w += design->readings[row].power_w / design->rows;
	}
	for (guint row = 0; row < design->rows; row++)
		variance += pow(design->readings[row].power_w - mean_w, 2);
	fit->readings = design->rows;
	fit->residual_w = sqrt(squares / design->rows);
	fit->autocorrelation = squares > 0 ? products / squares : 0;
	fit->explained = variance > 0 ? MAX(1 - squares / variance, 0) : 1;
}

guint fit_block_at(const struct fitting *fitting, double time_ns)
{
	const struct design *design = fitting->design;
	double first_ns = design->readings[0].time_ns;
	double span_ns = design->readings[design->rows - 1].time_ns - first_ns;
	double block_ns = MIN(FIT_BLOCK_NS, span_ns / (2 * FIT_FOLDS) + 1);

	return (guint)(MAX(time_ns - first_ns, 0) / block_ns);
}

/* Sets the weights, and what follows from them.  busy_w: the error of what runs, where a reading
 * sees nothing else; while the device idles, nothing but the sensor errs. */
static void set_weights(struct fitting *fitting, double busy_w)
{
	const struct design *design = fitting->design;

	for (int fold = 0; fold < FIT_FOLDS; fold++) {
		if (fitting->folds[fold])
			normal_free(fitting->folds[fold]);
		fitting->folds[fold] = normal_new(fitting->fit->powers);
	}
	for (guint row = 0; row < design->rows; row++) {
		const struct design_reading *reading = &design->readings[row];
		guint fold = fit_block_at(fitting, reading->time_ns) % FIT_FOLDS;

		fitting->weight[row] = identify_weight(reading->power_w,
			hypot(fitting->floor_w, busy_w * MIN(busy_part(design, row), 1)));
		normal_add_row(fitting->folds[fold], design, row, fitting->weight[row]);
	}
}

static void begin(struct fitting *fitting, const struct model *model, const GArray *readings)
{
	struct fit *fit = fitting->fit;
	double mean_w = 0;

	fitting->design = design_make(model, fit->classes, &fit->response, readings);
	fitting->weight = g_new(double, readings->len);
	fitting->residual_w = g_new0(double, readings->len);
	fitting->prior = g_new0(double, fit->powers);
	fitting->first_w = g_new(double, fit->powers);
	fitting->scale = 1;
	for (guint row = 0; row < readings->len; row++)
		mean_w += fitting->design->readings[row].power_w / readings->len;
	fitting->floor_w = IDENTIFY_FLOOR * mean_w;
	set_weights(fitting, 0);
	typical_powers(fitting->design, &fitting->low_w, &fitting->typical_w);
}

static void end(struct fitting *fitting)
{
	for (int fold = 0; fold < FIT_FOLDS; fold++) {
		normal_free(fitting->folds[fold]);
		fitting->folds[fold] = NULL;
	}
	design_free(fitting->design);
	g_free(fitting->weight);
	g_free(fitting->residual_w);
	g_free(fitting->prior);
	g_free(fitting->first_w);
}

/* The floor of the errors, and their scale, are what the residuals say of them. */
static bool solve_twice(struct fitting *fitting)
{
	double squares = 0;

	if (!solve(fitting))
		return false;
	memcpy(fitting->first_w, fitting->fit->power_w, fitting->fit->powers * sizeof(double));
	set_residuals(fitting);
	for (guint row = 0; row < fitting->design->rows; row++)
		squares += fitting->residual_w[row] * fitting->residual_w[row];
	set_weights(fitting, sqrt(squares / fitting->design->rows));
	if (!solve(fitting))
		return false;
	fitting->scale = 1 / MAX(set_residuals(fitting), LEAST_NOISE);
	if (!solve(fitting))
		return false;
	set_residuals(fitting);
	return true;
}

static struct fit *new_fit(const struct model *model, const struct source *source)
{
	struct fit *fit = g_new0(struct fit, 1);

	fit->source = source;
	fit->classes = classes_of(model, source);
	fit->powers = (size_t)fit->classes->columns + 1;
	fit->power_w = g_new0(double, fit->powers);
	fit->groups = g_ptr_array_new();
	return fit;
}

struct fit *fit_make(const struct model *model, const struct source *source)
{
	struct fit *fit = new_fit(model, source);
	GArray *readings = design_readings(source);
	struct fitting fitting = {.fit = fit};
	bool solved;

	set_response(fit, model, readings, false);
	begin(&fitting, model, readings);
	solved = solve_twice(&fitting);
	if (solved && fit->identified.origin == RESPONSE_FOUND &&
		fit->classes->columns > IDENTIFY_COLUMNS) {
		end(&fitting);
		set_response(fit, model, readings, true);
		begin(&fitting, model, readings);
		solved = solve_twice(&fitting);
	}
	if (solved) {
		describe_residuals(&fitting);
		fit_hold_out(&fitting, model);
		solved = fit_set_covariance(&fitting, model);
	}
	end(&fitting);
	g_array_free(readings, TRUE);
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
	classes_free(fit->classes);
	g_free(fit->power_w);
	g_free(fit->covariance);
	g_free(fit->group_of);
	g_free(fit);
}
