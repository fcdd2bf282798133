/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/identify.h"

#include <math.h>
#include <string.h>

#include "analyzer/attr/activity.h"
#include "analyzer/attr/fit.h"
#include "analyzer/attr/noise.h"
#include "analyzer/attr/solve.h"
#include "analyzer/model/curve.h"

#define ROWS_MAX 1500
#define ROWS_AT_FIRST 750 /* where it is done again with powers known */
#define SLOTS_MAX IDENTIFY_COLUMNS
#define SLOTS_KNOWN 8 /* of powers that are known but for a factor */
#define PART_KNOWN 0.3
#define UNKNOWNS_MAX (SLOTS_MAX + INFLUENCES_CHOSEN_MAX + 1)
#define BINS_PER_PERIOD 25.
#define REACH 13. /* periods: the longest window, lag and tail */
#define FINEST 0.002
#define REFINEMENTS 16
#define REFINEMENTS_AT_FIRST 5
/* What another response must gain in the logarithm of the likelihood, of residuals that are
 * correlated: twice what independent ones would need for one in ten thousand. */
#define GAIN_NEEDED 20.

static const double lags[] = {
	-0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5};
static const double gauge_windows[] = {0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 10};
static const double counter_windows[] = {0.01, 0.25, 0.5, 1};

struct trial {
	const struct design_reading *readings;
	guint rows, slots;              /* slots: of the classes */
	double prior_mean, prior_sigma; /* of a slot's power, or of its part of what is known */
	struct activity *activity;
	double period_ns, mean_w, low_w;
	const double *weight; /* by row; NULL: as noise is assumed to be */
	struct noise noise;
	bool counter;
};

static double weight_of(const struct trial *trial, guint row)
{
	double power_w = trial->readings[row].power_w;
	const struct noise_row terms = {{[NOISE_FLOOR] = 1, [NOISE_PART] = power_w * power_w}};

	return trial->weight ? trial->weight[row] : 1 / noise_variance(&trial->noise, &terms);
}

/* The weighted squares that the best powers leave. */
static double left_over(const struct trial *trial, const struct response_shape *shape)
{
	guint n = trial->activity->slots + 1;
	double matrix[UNKNOWNS_MAX * UNKNOWNS_MAX] = {0}, right[UNKNOWNS_MAX] = {0};
	double x[UNKNOWNS_MAX], squares = 0;
	struct response response;

	response_of_shape(&response, shape);
	for (guint row = 0; row < trial->rows; row++) {
		const struct design_reading *reading = &trial->readings[row];
		double weight = weight_of(trial, row);
		double parts[UNKNOWNS_MAX] = {0};

		activity_add_parts(trial->activity, &response, reading, 1, parts);
		parts[n - 1] = 1;
		squares += weight * reading->power_w * reading->power_w;
		for (guint i = 0; i < n; i++) {
			right[i] += weight * parts[i] * reading->power_w;
			for (guint k = i; k < n; k++)
				matrix[i * n + k] += weight * parts[i] * parts[k];
		}
	}
	for (guint i = 0; i < trial->slots; i++) {
		double weight = 1 / (trial->prior_sigma * trial->prior_sigma);

		matrix[i * n + i] += weight;
		right[i] += weight * trial->prior_mean;
		squares += weight * trial->prior_mean * trial->prior_mean;
	}
	matrix[n * n - 1] += 1 / (trial->low_w * trial->low_w + 1);
	for (guint i = trial->slots; i + 1 < n; i++)
		matrix[i * n + i] += 1;
	if (!solve_partly_nonnegative(n, matrix, right, trial->slots, n - 1, x))
		return INFINITY;
	for (guint i = 0; i < n; i++)
		squares -= right[i] * x[i];
	return MAX(squares, 1e-9 * trial->rows);
}

/* Twice the logarithm of the likelihood ratio. */
static double gain(const struct trial *trial, double from, double to)
{
	return trial->rows * log(from / to);
}

static void search_grid(const struct trial *trial, struct response_shape *best)
{
	const double *windows = trial->counter ? counter_windows : gauge_windows;
	size_t count = trial->counter ? G_N_ELEMENTS(counter_windows) : G_N_ELEMENTS(gauge_windows);
	double least = INFINITY;

	for (size_t i = 0; i < G_N_ELEMENTS(lags); i++) {
		for (size_t k = 0; k < count; k++) {
			struct response_shape shape = {
				lags[i] * trial->period_ns, windows[k] * trial->period_ns, 0};
			double left = left_over(trial, &shape);

			if (left < least) {
				least = left;
				*best = shape;
			}
		}
	}
}

/* What of a response is changed at once: the lag; the window, about its middle; the tail, with the
 * mean delay as it is; the tail for the window, with mean delay and variance as they are. */
enum { MOVE_LAG, MOVE_WINDOW, MOVE_TAIL, MOVE_TAIL_FOR_WINDOW, MOVES };

static bool move(struct response_shape *shape, int which, double by_ns, double period_ns)
{
	struct response_shape old = *shape;
	double square;

	if (which == MOVE_LAG) {
		shape->lag_ns += by_ns;
	} else if (which == MOVE_WINDOW) {
		shape->window_ns += by_ns;
		shape->lag_ns -= by_ns / 2;
	} else {
		shape->tail_ns = MAX(old.tail_ns + by_ns, 0);
		shape->lag_ns -= shape->tail_ns - old.tail_ns;
	}
	if (which == MOVE_TAIL_FOR_WINDOW) {
		square = old.window_ns * old.window_ns +
			 12 * (old.tail_ns * old.tail_ns - shape->tail_ns * shape->tail_ns);
		shape->window_ns = sqrt(MAX(square, 0));
		shape->lag_ns += (old.window_ns - shape->window_ns) / 2;
	}
	return shape->window_ns >= 0.01 * period_ns && shape->window_ns <= 11 * period_ns &&
	       shape->lag_ns >= -0.2 * period_ns && shape->tail_ns <= 2 * period_ns &&
	       (shape->tail_ns > old.tail_ns || shape->tail_ns < old.tail_ns || which < MOVE_TAIL);
}

/* Goes downhill by moves that get smaller. */
static double refine(
	const struct trial *trial, struct response_shape *best, double least, int rounds)
{
	double step_ns = 0.1 * trial->period_ns;

	for (int round = 0; round < rounds && step_ns > FINEST * trial->period_ns; round++) {
		bool better = false;

		for (int i = 0; i < 2 * MOVES; i++) {
			struct response_shape shape = *best;
			double left;

			if (!move(&shape, i / 2, i % 2 ? -step_ns : step_ns, trial->period_ns))
				continue;
			left = left_over(trial, &shape);
			if (left < least) {
				least = left;
				*best = shape;
				better = true;
			}
		}
		if (!better)
			step_ns /= 2;
	}
	return least;
}

static int by_value(gconstpointer a, gconstpointer b, gpointer values)
{
	double x = ((const double *)values)[*(const uint32_t *)a];
	double y = ((const double *)values)[*(const uint32_t *)b];

	if (x < y || x > y)
		return x < y ? -1 : 1;
	return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

/* The columns that ran longest have slots of their own, the others share one; with powers known,
 * neighbours in power share. */
static guint set_slots(const struct classes *classes, const double *power_w, uint32_t *slot_of)
{
	uint32_t *order = g_new(uint32_t, classes->columns);
	double *key = g_new0(double, classes->columns);
	guint slots = MIN(classes->columns, power_w ? SLOTS_KNOWN : SLOTS_MAX);

	for (guint i = 0; i < classes->list->len; i++) {
		const struct class *class = &g_array_index(classes->list, struct class, i);

		key[class->column] -= class->time_ns;
	}
	for (uint32_t i = 0; i < classes->columns; i++) {
		order[i] = i;
		if (power_w)
			key[i] = power_w[i];
	}
	g_qsort_with_data(order, (gint)classes->columns, sizeof(*order), by_value, key);
	for (uint32_t i = 0; i < classes->columns; i++)
		slot_of[order[i]] = power_w ? (uint32_t)((guint64)i * slots / classes->columns)
					    : MIN(i, slots - 1);
	g_free(order);
	g_free(key);
	return slots;
}

static int by_power(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void describe(struct trial *trial)
{
	double *powers = g_new(double, trial->rows);

	for (guint i = 0; i < trial->rows; i++) {
		powers[i] = trial->readings[i].power_w;
		trial->mean_w += powers[i] / trial->rows;
	}
	qsort(powers, trial->rows, sizeof(*powers), by_power);
	trial->low_w = powers[trial->rows / 50];
	trial->noise = noise_assumed(trial->mean_w);
	g_free(powers);
}

/* What the sensor says of itself; where it says nothing, a mean since the reading before. */
static struct identified stated(const struct trial *trial, const struct model_sensor *sensor)
{
	struct identified identified = {.shape = {0, trial->period_ns, 0}};

	if (trial->counter)
		identified.shape.window_ns = 0;
	else if (sensor->window_ns != PWRTRACE_UNKNOWN_U64)
		identified.shape.window_ns = (double)sensor->window_ns;
	if (sensor->lag_ns != PWRTRACE_UNKNOWN_U64)
		identified.shape.lag_ns = (double)sensor->lag_ns;
	if (sensor->window_ns != PWRTRACE_UNKNOWN_U64 || sensor->lag_ns != PWRTRACE_UNKNOWN_U64)
		identified.origin = RESPONSE_STATED;
	return identified;
}

static bool at_edge(const struct trial *trial, const struct response_shape *shape)
{
	return shape->lag_ns <= -0.1 * trial->period_ns ||
	       shape->lag_ns >= 1.5 * trial->period_ns || shape->window_ns >= 10 * trial->period_ns;
}

/* Downhill from the best of the grid, and from what an earlier fit has found: of several dips one
 * may hide the other.  What an influence explains, no response needs to: with the first one, which
 * explains most, the grid is gone through again. */
static double search(const struct trial *trial, const struct identify_earlier *earlier, int rounds,
	struct response_shape *best)
{
	struct response_shape starts[2], *end = starts;
	double least = INFINITY;

	if (!earlier || earlier->influences->count == 1)
		search_grid(trial, end++);
	if (earlier)
		*end++ = earlier->identified->shape;
	for (struct response_shape *shape = starts; shape < end; shape++) {
		double left = refine(trial, shape, left_over(trial, shape), rounds);

		if (left < least) {
			least = left;
			*best = *shape;
		}
	}
	return least;
}

struct identified identify_response(const struct model *model, const struct classes *classes,
	const struct model_sensor *sensor, const GArray *readings,
	const struct identify_earlier *earlier)
{
	const struct influences none = {.count = 0};
	bool again = !earlier && classes->columns > SLOTS_MAX;
	guint rows = MIN(readings->len, again ? ROWS_AT_FIRST : ROWS_MAX),
	      first = (readings->len - rows) / 2;
	struct trial trial = {.rows = rows,
		.readings = &g_array_index(readings, struct design_reading, first),
		.weight = earlier ? earlier->weight + first : NULL,
		.counter = strcmp(sensor->quantity, "energy") == 0};
	uint32_t *slot_of = g_new(uint32_t, classes->columns + 1);
	struct activity_plan plan = {.slot_of = slot_of,
		.slots = set_slots(classes, earlier ? earlier->power_w : NULL, slot_of),
		.weight_of = earlier ? earlier->power_w : NULL,
		.influences = earlier ? earlier->influences : &none};
	struct response_shape shape = {0};
	struct identified identified;
	double before, least;

	describe(&trial);
	trial.period_ns = (double)curve_period_ns(sensor);
	trial.slots = plan.slots;
	trial.prior_mean = earlier ? 1 : trial.mean_w - trial.low_w;
	trial.prior_sigma = earlier ? PART_KNOWN : FIT_PRIOR_W;
	trial.activity = activity_make(model, classes, trial.readings, rows,
		REACH * trial.period_ns, trial.period_ns / BINS_PER_PERIOD, &plan);
	identified = stated(&trial, sensor);
	before = left_over(&trial, &identified.shape);
	least = search(&trial, earlier, again ? REFINEMENTS_AT_FIRST : REFINEMENTS, &shape);
	if (gain(&trial, before, least) > GAIN_NEEDED)
		identified = (struct identified){shape, RESPONSE_FOUND, at_edge(&trial, &shape)};
	activity_free(trial.activity);
	g_free(slot_of);
	return identified;
}
