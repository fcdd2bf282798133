/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/nuisance.h"

#include <math.h>

#include "analyzer/attr/activity.h"
#include "analyzer/model/curve.h"

#define BINS_PER_PERIOD 25.

/* How far the response may be off, as parts of the period and of its width. */
static const double nuisance_sigma[] = {[RESPONSE_ASSUMED] = 0.3,
	[RESPONSE_STATED] = 0.1,
	[RESPONSE_FOUND] = 0.3,
	[RESPONSE_CALIBRATED] = 0.05};

static void predict(const struct design_reading *readings, guint rows,
	const struct activity *activity, const struct response *response, double *power_w)
{
	for (guint row = 0; row < rows; row++) {
		power_w[row] = 0;
		activity_add_parts(activity, response, &readings[row], 1, &power_w[row]);
	}
}

static struct response moved(struct response response, double shift_ns, double stretch)
{
	double width_ns = response.taps * response.step_ns;

	response.begin_ns += shift_ns - stretch * width_ns / 2;
	response.step_ns *= 1 + stretch;
	return response;
}

/* The response with another tail and the same mean. */
static struct response tailed(const struct fit *fit, double by_ns)
{
	struct response response = fit->response;
	struct response_shape shape = fit->identified.shape;

	shape.tail_ns += by_ns;
	shape.lag_ns -= by_ns;
	if (fit->identified.origin != RESPONSE_CALIBRATED)
		response_of_shape(&response, &shape);
	return response;
}

/* Differences of predictions with the response moved, stretched or smeared a little. */
void nuisances_make(struct nuisances *nuisances, const struct fit *fit, const struct model *model,
	const struct design_reading *readings, guint rows)
{
	double period_ns = (double)curve_period_ns(fit->source->sensor), by = 0.05;
	double reach_ns = fabs(response_end(&fit->response)) + 3 * period_ns;
	const struct response pairs[NUISANCES][2] = {
		{moved(fit->response, by * period_ns, 0), moved(fit->response, -by * period_ns, 0)},
		{moved(fit->response, 0, by), moved(fit->response, 0, -by)},
		{tailed(fit, 2 * by * period_ns), tailed(fit, 0)}};
	double *other = g_new(double, rows);
	const struct activity_plan plan = {
		1, NULL, fit->power_w, &fit->influences, fit->power_w + fit->classes->columns};
	struct activity *activity = activity_make(
		model, fit->classes, readings, rows, reach_ns, period_ns / BINS_PER_PERIOD, &plan);

	for (int i = 0; i < NUISANCES; i++) {
		nuisances->slope[i] = g_new(double, rows);
		predict(readings, rows, activity, &pairs[i][0], nuisances->slope[i]);
		predict(readings, rows, activity, &pairs[i][1], other);
		for (guint row = 0; row < rows; row++)
			nuisances->slope[i][row] =
				(nuisances->slope[i][row] - other[row]) / (2 * by);
	}
	activity_free(activity);
	g_free(other);
}

void nuisances_add_score(const struct nuisances *nuisances, const struct fitting *fitting,
	guint row, double error_w, double *score)
{
	const struct design *design = fitting->design;
	size_t powers = fitting->fit->powers;
	double error = fitting->weight[row] * error_w;

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		score[entry->column] += error * entry->part;
	}
	score[powers - 1] += error;
	for (size_t i = 0; i < NUISANCES; i++)
		score[powers + i] += error * nuisances->slope[i][row];
}

double nuisances_sigma(const struct fit *fit)
{
	return nuisance_sigma[fit->identified.origin];
}

void nuisances_clear(struct nuisances *nuisances)
{
	for (int i = 0; i < NUISANCES; i++)
		g_free(nuisances->slope[i]);
}
