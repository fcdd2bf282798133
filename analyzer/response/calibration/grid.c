/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/grid.h"

#include <stdlib.h>

#include "analyzer/numeric/order.h"
#include "analyzer/numeric/posterior.h"

#define UPDATES_MIN 12   /* several for each parameter */
#define FIRST_LOOK 150   /* updates for a first period, which more then refine */
#define LEARN_STEPS 4000 /* in which the walk learns its step */
#define DRAWS 2000       /* for 95 % intervals */
#define HALF_WAY 0.5     /* of a period: wider gaps between readings hardly constrain the grid */
#define ROOT_TWO 1.4142135623730951 /* of erfc's argument */
#define JITTER_MIN 1e-3 /* of the period: keeps the density of stamps without jitter finite */
#define MOMENT_S 1e-6   /* resolution of a stamp */
#define JITTER_MAX 0.25 /* of the period: more is no grid */
#define ON_TICK 4       /* standard deviations: chance leaves one stamp of 16 000 out */

enum { PERIOD, TICK, JITTER, OFF, PARAMETERS };

struct grid_problem {
	const GArray *updates;
	double period_s; /* a first guess */
	double tick_s;
};

static double nearest(double tick_s, double period_s, double time_s)
{
	return tick_s + period_s * round((time_s - tick_s) / period_s);
}

static double below(double distance_s, double jitter_s)
{
	return 0.5 * erfc(-distance_s / (jitter_s * ROOT_TWO));
}

/* The probabilities of a stamp within a microsecond, if it is on a tick and if it is not. */
static void stamped(double distance_s, double jitter_s, double period_s, double *on, double *off)
{
	double off_s = period_s - 2 * ON_TICK * jitter_s;

	*on = MOMENT_S / (jitter_s * sqrt(2 * G_PI)) * exp(-0.5 * pow(distance_s / jitter_s, 2));
	*off = fabs(distance_s) < ON_TICK * jitter_s ? 0 : MOMENT_S / fmax(off_s, MOMENT_S);
}

/* The probabilities that a value changed between two readings, on a tick and not on one. */
static void seen(const struct update *update, double tick_s, double jitter_s, double period_s,
	double *on, double *off)
{
	*on = below(update->until_s - tick_s, jitter_s) - below(update->from_s - tick_s, jitter_s);
	*off = fmin(1, (update->until_s - update->from_s) / period_s);
}

static double log_density(const double *p, const void *data)
{
	const struct grid_problem *problem = data;
	double jitter_s = p[JITTER] + JITTER_MIN * problem->period_s, sum = 0;

	if (fabs(p[PERIOD] / problem->period_s - 1) > 0.2 ||
		fabs(p[TICK] - problem->tick_s) > problem->period_s / 2 || p[JITTER] < 0 ||
		p[JITTER] > JITTER_MAX * problem->period_s || p[OFF] < 0 || p[OFF] > 1)
		return -INFINITY;
	for (guint i = 0; i < problem->updates->len; i++) {
		const struct update *update = &UPDATE(problem->updates, i);
		double tick_s = nearest(p[TICK], p[PERIOD], update_middle_s(update));
		double on, off;

		if (update->until_s - update->from_s > MOMENT_S)
			seen(update, tick_s, jitter_s, p[PERIOD], &on, &off);
		else
			stamped(update->until_s - tick_s, jitter_s, p[PERIOD], &on, &off);
		sum += log((1 - p[OFF]) * on + p[OFF] * off + 1e-300);
	}
	return sum;
}

/* The median of value over the updates from first on. */
static double median(const GArray *updates, guint first, double (*value)(const struct update *))
{
	guint count = updates->len - first;
	double *values = g_new(double, count), middle;

	for (guint i = 0; i < count; i++)
		values[i] = value(&UPDATE(updates, first + i));
	qsort(values, count, sizeof(*values), order_doubles);
	middle = values[count / 2];
	g_free(values);
	return middle;
}

static double distance_s(const struct update *update)
{
	return update_middle_s(update) - update_middle_s(update - 1);
}

static double width_s(const struct update *update)
{
	return update->until_s - update->from_s;
}

/* How far the phases of the first count updates within a period agree: the length, 0 to 1, of the
 * mean of their unit vectors; phase (unless NULL) becomes its angle in turns. */
static double concentration(const GArray *updates, guint count, double period_s, double *phase)
{
	double x = 0, y = 0;

	for (guint i = 0; i < count; i++) {
		double angle = 2 * G_PI * update_middle_s(&UPDATE(updates, i)) / period_s;

		x += cos(angle) / count;
		y += sin(angle) / count;
	}
	if (phase)
		*phase = atan2(y, x) / (2 * G_PI);
	return hypot(x, y);
}

/* The period between from_s and to_s with the largest concentration of the first count updates. */
static double best_period(
	const GArray *updates, guint count, double from_s, double to_s, double *concentrated)
{
	double span_s =
		update_middle_s(&UPDATE(updates, count - 1)) - update_middle_s(&UPDATE(updates, 0));
	double best_s = from_s, at_s = from_s;

	*concentrated = 0;
	while (at_s < to_s) {
		double length = concentration(updates, count, at_s, NULL);

		if (length > *concentrated) {
			*concentrated = length;
			best_s = at_s;
		}
		at_s += at_s * at_s / (8 * span_s);
	}
	return best_s;
}

/* Refines a period with twice as many updates each time, until all are used: the longer the span,
 * the smaller are the differences of periods that it shows. */
static double refine_period(const GArray *updates, guint count, double period_s)
{
	while (count < updates->len) {
		double span_s = update_middle_s(&UPDATE(updates, count - 1)) -
				update_middle_s(&UPDATE(updates, 0));
		double around_s = period_s * period_s / (2 * span_s), concentrated;

		count = MIN(2 * count, updates->len);
		period_s = best_period(
			updates, count, period_s - around_s, period_s + around_s, &concentrated);
	}
	return period_s;
}

/* A first period.  Where updates were missed, their usual distance is several periods.  Updates
 * also concentrate on half the period, and even more where some stamps are late by half a period;
 * on twice the period they do not.  So the longest period with at least half the concentration is
 * taken. */
static double guess_period(const GArray *updates)
{
	guint count = MIN(updates->len, FIRST_LOOK);
	double usual_s = median(updates, 1, distance_s), best, found_s;

	found_s = best_period(updates, count, usual_s / 6, 1.4 * usual_s, &best);
	for (int times = (int)(1.4 * usual_s / found_s); times > 1; times--) {
		double length, at_s = best_period(updates, count, times * found_s * 0.99,
				       times * found_s * 1.01, &length);

		if (length > best / 2)
			return refine_period(updates, count, at_s);
	}
	return refine_period(updates, count, found_s);
}

static double typical_off_s(const struct grid *grid, const GArray *updates)
{
	GArray *offs = g_array_new(FALSE, FALSE, sizeof(double));
	double middle = NAN;

	for (guint i = 0; i < updates->len; i++) {
		const struct update *update = &UPDATE(updates, i);
		double off_s = update->until_s - grid_nearest_s(grid, update->until_s);

		if (off_s < 0)
			off_s += grid->period_s.value;
		if (!grid_has(grid, update->until_s))
			g_array_append_val(offs, off_s);
	}
	if (offs->len) {
		qsort(offs->data, offs->len, sizeof(double), order_doubles);
		middle = g_array_index(offs, double, offs->len / 2);
	}
	g_array_free(offs, TRUE);
	return middle;
}

bool grid_fit(struct grid *grid, const GArray *updates)
{
	struct grid_problem problem = {.updates = updates};
	struct posterior posterior = {.parameters = PARAMETERS,
		.log_density = log_density,
		.data = &problem,
		.learn_steps = LEARN_STEPS};
	struct estimate *const estimates[PARAMETERS] = {
		&grid->period_s, &grid->tick_s, &grid->jitter_s, &grid->off_share};
	static const double floors[PARAMETERS] = {-INFINITY, -INFINITY, 0, 0};
	double phase, span_s, *draws;

	if (updates->len < UPDATES_MIN)
		return false;
	problem.period_s = guess_period(updates);
	if (median(updates, 0, width_s) > HALF_WAY * problem.period_s)
		return false;
	concentration(updates, updates->len, problem.period_s, &phase);
	span_s = update_middle_s(&UPDATE(updates, updates->len - 1)) -
		 update_middle_s(&UPDATE(updates, 0));
	problem.tick_s = nearest(phase * problem.period_s, problem.period_s,
		update_middle_s(&UPDATE(updates, updates->len / 2)));
	memcpy(posterior.start,
		(double[PARAMETERS]){problem.period_s, problem.tick_s, problem.period_s / 20, 0.1},
		sizeof(double[PARAMETERS]));
	memcpy(posterior.scale,
		(double[PARAMETERS]){problem.period_s * problem.period_s / (20 * span_s),
			problem.period_s / 50, problem.period_s / 50, 0.05},
		sizeof(double[PARAMETERS]));
	draws = g_new(double, DRAWS *PARAMETERS);
	posterior_draw(&posterior, draws, DRAWS, NULL);
	for (int i = 0; i < PARAMETERS; i++)
		*estimates[i] = posterior_estimate(draws + i, DRAWS, PARAMETERS, floors[i]);
	g_free(draws);
	grid->off_by_s = typical_off_s(grid, updates);
	return grid->jitter_s.value < 0.9 * JITTER_MAX * grid->period_s.value &&
	       grid->off_share.value < 0.5;
}

double grid_nearest_s(const struct grid *grid, double time_s)
{
	return nearest(grid->tick_s.value, grid->period_s.value, time_s);
}

bool grid_has(const struct grid *grid, double time_s)
{
	return fabs(time_s - grid_nearest_s(grid, time_s)) <=
	       ON_TICK * (grid->jitter_s.high + JITTER_MIN * grid->period_s.value);
}
