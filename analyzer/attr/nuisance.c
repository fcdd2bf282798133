/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/nuisance.h"

#include <math.h>

#include "analyzer/attr/activity.h"

#define BINS_PER_PERIOD 50.
#define BY 0.05

/* How far the response may be off, as parts of the period and of its width. */
static const double nuisance_sigma[] = {[RESPONSE_ASSUMED] = 0.3,
	[RESPONSE_STATED] = 0.1,
	[RESPONSE_FOUND] = 0.3,
	[RESPONSE_CALIBRATED] = 0.05};

/* Of which differences are taken, over twice BY. */
static const double pairs[NUISANCES][2][NUISANCES] = {
	[NUISANCE_LAG] = {{[NUISANCE_LAG] = BY}, {[NUISANCE_LAG] = -BY}},
	[NUISANCE_WIDTH] = {{[NUISANCE_WIDTH] = BY}, {[NUISANCE_WIDTH] = -BY}},
	[NUISANCE_TAIL] = {{[NUISANCE_TAIL] = 2 * BY}, {0}}};

/* With another tail, the mean stays the same. */
static void move(const struct fit *fit, const double by[NUISANCES], struct response *response,
	struct response_shape *shape)
{
	double period_ns = fit->period_ns, tail_ns = by[NUISANCE_TAIL] * period_ns;

	*response = fit->response;
	*shape = fit->identified.shape;
	response_move(response, by[NUISANCE_LAG] * period_ns, by[NUISANCE_WIDTH]);
	if (fit->identified.origin == RESPONSE_CALIBRATED)
		return;
	shape->lag_ns += response->begin_ns - fit->response.begin_ns - tail_ns;
	shape->window_ns *= 1 + by[NUISANCE_WIDTH];
	shape->tail_ns = MAX(shape->tail_ns * (1 + by[NUISANCE_WIDTH]) + tail_ns, 0);
	response_of_shape(response, shape);
}

void nuisances_move(struct fit *fit, const double by[NUISANCES])
{
	struct response_shape shape;
	struct response response;

	move(fit, by, &response, &shape);
	fit->response = response;
	fit->identified.shape = shape;
}

void nuisances_response_slopes(
	const struct fit *fit, double window_ns[NUISANCES], double lag_ns[NUISANCES])
{
	for (size_t i = 0; i < NUISANCES; i++) {
		struct response_shape shape;
		struct response up, down;

		move(fit, pairs[i][0], &up, &shape);
		move(fit, pairs[i][1], &down, &shape);
		window_ns[i] = (response_window(&up) - response_window(&down)) / (2 * BY);
		lag_ns[i] = (response_lag(&up) - response_lag(&down)) / (2 * BY);
	}
}

double nuisances_tail(const struct fit *fit)
{
	return fit->identified.shape.tail_ns / fit->period_ns;
}

/* What readings would say with the response moved. */
static void predict(const struct fit *fit, const double by[NUISANCES],
	const struct design_reading *readings, guint rows, const struct activity *activity,
	double *power_w)
{
	struct response_shape shape;
	struct response response;

	move(fit, by, &response, &shape);
	for (guint row = 0; row < rows; row++) {
		power_w[row] = 0;
		activity_add_parts(activity, &response, &readings[row], 1, &power_w[row]);
	}
}

/* Differences of predictions with the response moved, stretched or smeared a little. */
void nuisances_make(struct nuisances *nuisances, const struct fit *fit, const struct model *model,
	const struct design_reading *readings, guint rows)
{
	double period_ns = fit->period_ns, *other = g_new(double, rows);
	double reach_ns = fabs(response_end(&fit->response)) + 3 * period_ns;
	const struct activity_plan plan = {
		1, NULL, fit->power_w, &fit->influences, fit->power_w + fit->classes->columns};
	struct activity *activity = activity_make(
		model, fit->classes, readings, rows, reach_ns, period_ns / BINS_PER_PERIOD, &plan);

	for (int i = 0; i < NUISANCES; i++) {
		nuisances->slope[i] = g_new(double, rows);
		predict(fit, pairs[i][0], readings, rows, activity, nuisances->slope[i]);
		predict(fit, pairs[i][1], readings, rows, activity, other);
		for (guint row = 0; row < rows; row++)
			nuisances->slope[i][row] =
				(nuisances->slope[i][row] - other[row]) / (2 * BY);
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
		g_clear_pointer(&nuisances->slope[i], g_free);
}
