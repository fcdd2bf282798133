/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/nuisance.h"

#include <math.h>
#include <string.h>

#include "analyzer/response/ablation.h"
#include "analyzer/response/activity.h"

#define BINS_PER_PERIOD 200. /* twice as fine as the search: slopes are differences */
#define BY 0.01              /* step of central differences, as in shape.c */

/* Standard deviations of the prior, in units of the parameters. */
static const double nuisance_sigma[] = {[RESPONSE_ASSUMED] = 0.3,
	[RESPONSE_STATED] = 0.1,
	[RESPONSE_REMEMBERED] = 0.1,
	[RESPONSE_FOUND] = 0.3,
	[RESPONSE_CALIBRATED] = 0.05};

/* The unit of a parameter: a period, or the window where that is longer. */
static double unit_ns(const struct fit *fit, size_t nuisance)
{
	return nuisance == NUISANCE_WINDOW ? MAX(fit->period_ns, fit->found.shape.window_ns)
					   : fit->period_ns;
}

static void move_calibrated(
	const struct fit *fit, const double by[NUISANCES], struct response *response)
{
	*response = fit->response;
	response_move(response, by[NUISANCE_LAG] * fit->period_ns, by[NUISANCE_WINDOW]);
}

void nuisances_move(struct fit *fit, const double by[NUISANCES])
{
	struct response response;
	double by_ns[NUISANCES];

	if (fit->found.origin == RESPONSE_CALIBRATED) {
		move_calibrated(fit, by, &response);
		fit->response = response;
		return;
	}
	for (size_t i = 0; i < NUISANCES; i++)
		by_ns[i] = by[i] * unit_ns(fit, i);
	fit->found.shape = response_shape_moved(&fit->found.shape, by_ns);
	response_of_shape(&fit->response, &fit->found.shape);
}

/* Sets the two responses (and, unless calibrated, their shapes) on either side of the fit's,
 * between which a slope is the difference quotient.  Returns their distance in units.  A calibrated
 * response keeps its taps: it is moved and stretched about its middle, and has no tail. */
static double set_sides(const struct fit *fit, int nuisance, struct response_shape shapes[2],
	struct response responses[2])
{
	double apart = 2 * BY;

	if (fit->found.origin == RESPONSE_CALIBRATED) {
		for (int side = 0; side < 2; side++) {
			double by[NUISANCES] = {0};

			by[nuisance] = side ? -BY : BY;
			move_calibrated(fit, by, &responses[side]);
		}
		return apart;
	}
	apart = response_shape_sides(&fit->found.shape, nuisance, unit_ns(fit, nuisance), shapes);
	for (int side = 0; side < 2; side++)
		response_of_shape(&responses[side], &shapes[side]);
	return apart;
}

void nuisances_response_slopes(
	const struct fit *fit, double window_ns[NUISANCES], double lag_ns[NUISANCES])
{
	for (int i = 0; i < NUISANCES; i++) {
		struct response_shape shapes[2];
		struct response sides[2];
		double apart = set_sides(fit, i, shapes, sides);

		window_ns[i] =
			(response_window_ns(&sides[0]) - response_window_ns(&sides[1])) / apart;
		lag_ns[i] = (response_lag_ns(&sides[0]) - response_lag_ns(&sides[1])) / apart;
	}
}

double nuisances_length(const struct fit *fit, size_t nuisance)
{
	const struct response_shape *shape = &fit->found.shape;

	if (nuisance == NUISANCE_LAG || fit->found.origin == RESPONSE_CALIBRATED)
		return 1;
	return (nuisance == NUISANCE_WINDOW ? shape->window_ns : shape->tail_ns) /
	       unit_ns(fit, nuisance);
}

/* The predicted power of each reading with the calibrated response or, where that is NULL, the
 * shape. */
static void predict(struct activity_view *view, const struct response *calibrated,
	const struct response_shape *shape, const struct power_reading *readings, guint rows,
	double *power_w)
{
	if (!calibrated) {
		activity_view_parts(view, shape, readings, rows, 1, power_w);
		return;
	}
	memset(power_w, 0, rows * sizeof(*power_w));
	for (guint row = 0; row < rows; row++)
		activity_add_parts(view->activity, calibrated, &readings[row], 1, &power_w[row]);
}

void nuisances_make(struct nuisances *nuisances, const struct fit *fit,
	const struct power_reading *readings, guint rows)
{
	bool calibrated = fit->found.origin == RESPONSE_CALIBRATED;
	double period_ns = fit->period_ns, *other = g_new(double, rows);
	double reach_ns = fabs(response_end_ns(&fit->response)) + 3 * period_ns;
	const struct activity_plan plan = {.slots = 1,
		.weight_of = fit->power_w,
		.factors = influences_factors(&fit->influences),
		.factor = fit->power_w + fit->classes->columns.count};
	struct activity *activity = activity_make(&fit->classes->columns, readings, rows, reach_ns,
		period_ns / BINS_PER_PERIOD, &plan);
	struct activity_view view;

	nuisances->offset_lines = NULL;
	activity_view_begin(&view, activity);
	for (int i = 0; i < NUISANCES; i++) {
		struct response_shape shapes[2];
		struct response sides[2];
		double apart = set_sides(fit, i, shapes, sides), *slope = g_new(double, rows);

		predict(&view, calibrated ? &sides[0] : NULL, &shapes[0], readings, rows, slope);
		predict(&view, calibrated ? &sides[1] : NULL, &shapes[1], readings, rows, other);
		for (guint row = 0; row < rows; row++)
			slope[row] = (slope[row] - other[row]) / apart;
		nuisances->slope[i] = slope;
	}
	activity_view_end(&view);
	activity_free(activity);
	g_free(other);
}

void nuisances_set_offset_lines(struct nuisances *nuisances, const struct regression *regression)
{
	const struct offsets *offsets = &regression->offsets;
	size_t powers = regression->fit->powers, n = powers + NUISANCES;

	if (!offsets_count(offsets))
		return;
	nuisances->offset_lines = g_new(double, offsets_count(offsets) * n);
	for (guint o = 0; o < offsets_count(offsets); o++) {
		const struct offset *offset = offsets_at(offsets, o);
		double *line = nuisances->offset_lines + o * n;

		memcpy(line, offset->sum, powers * sizeof(*line));
		for (size_t i = 0; i < NUISANCES; i++)
			line[powers + i] = offsets_sum(
				offsets, offset, regression->weight, nuisances->slope[i]);
	}
}

void nuisances_add_score(const struct nuisances *nuisances, const struct regression *regression,
	guint row, double error_w, double *score)
{
	const struct design *design = regression->design;
	size_t powers = regression->fit->powers;
	const struct offsets *offsets = &regression->offsets;
	double error = regression->weight[row] * error_w;

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		score[entry->column] += error * entry->part;
	}
	score[powers - 1] += error;
	for (size_t i = 0; i < NUISANCES; i++)
		score[powers + i] += error * nuisances->slope[i][row];
	if (nuisances->offset_lines) {
		guint offset = offsets->of_row[row];
		const double *line = nuisances_offset_line(nuisances, regression, offset);
		double part = error * offsets->share[row] / offsets_at(offsets, offset)->weight;

		for (size_t i = 0; i < powers + NUISANCES; i++)
			score[i] -= part * line[i];
	}
}

double nuisances_sigma(const struct fit *fit)
{
	return ablated(ABLATION_NUISANCES) ? 1e-6 : nuisance_sigma[fit->found.origin];
}

void nuisances_clear(struct nuisances *nuisances)
{
	for (int i = 0; i < NUISANCES; i++)
		g_clear_pointer(&nuisances->slope[i], g_free);
	g_clear_pointer(&nuisances->offset_lines, g_free);
}
