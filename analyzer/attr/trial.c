/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/trial.h"

#include <math.h>
#include <string.h>

#include "analyzer/attr/fitting.h"
#include "analyzer/attr/noise.h"
#include "analyzer/attr/solve.h"
#include "analyzer/model/curve.h"
#include "analyzer/order.h"

#define SLOTS_MAX IDENTIFY_COLUMNS
#define SLOTS_KNOWN 8 /* of powers that are known but for a factor */
#define PART_KNOWN 0.3
#define UNKNOWNS_MAX (SLOTS_MAX + INFLUENCES_CHOSEN_MAX + 1)
#define BINS_PER_PERIOD 100.
#define REACH 13. /* periods: the longest window, lag and tail */
#define TAIL_LEAST_NS 1000.

/* What the readings would see of each slot, and a 1 for the static power. */
static void set_parts(struct trial *trial, const struct response_shape *shape)
{
	const struct response_shape box = {shape->lag_ns, shape->window_ns, 0};
	double tail_ns = shape->tail_ns, window_ns = shape->window_ns;
	const struct activity *activity = trial->activity;
	double beyond = 0; /* of the response, what cutting it leaves out: an exponential */
	struct response now, late;

	response_of_shape(&now, &box);
	if (tail_ns >= TAIL_LEAST_NS) {
		const struct response_shape cut = {
			shape->lag_ns + window_ns + RESPONSE_TAILS * tail_ns, 0, 0};

		beyond = -tail_ns / window_ns * expm1(-window_ns / tail_ns) * exp(-RESPONSE_TAILS);
		response_of_shape(&late, &cut);
		if (fabs(trial->smeared_ns - tail_ns) > 0)
			activity_smear(trial->smeared, activity, tail_ns);
		trial->smeared_ns = tail_ns;
		activity = trial->smeared;
	}
	memset(trial->parts, 0, (gsize)trial->rows * trial->unknowns * sizeof(*trial->parts));
	for (guint row = 0; row < trial->rows; row++) {
		const struct design_reading *reading = &trial->readings[row];
		double *parts = trial->parts + (gsize)row * trial->unknowns;

		activity_add_parts(activity, &now, reading, 1 / (1 - beyond), parts);
		if (beyond > 0)
			activity_add_parts(activity, &late, reading, -beyond / (1 - beyond), parts);
		parts[trial->unknowns - 1] = 1;
	}
}

/* Adds what is known before; returns its squares. */
static double add_prior(const struct trial *trial, double *matrix, double *right)
{
	guint n = trial->unknowns;
	double weight = 1 / (trial->prior_sigma * trial->prior_sigma);

	for (guint i = 0; i < trial->slots; i++) {
		matrix[i * n + i] += weight;
		right[i] += weight * trial->prior_mean;
	}
	for (guint i = trial->slots; i + 1 < n; i++)
		matrix[i * n + i] += 1 / (FITTING_INFLUENCE_SPREAD * FITTING_INFLUENCE_SPREAD);
	matrix[n * n - 1] += 1 / (trial->low_w * trial->low_w + 1);
	return trial->slots * weight * trial->prior_mean * trial->prior_mean;
}

static void set_left(const struct trial *trial, const double *x, double *left)
{
	for (guint row = 0; row < trial->rows; row++) {
		const double *parts = trial->parts + (gsize)row * trial->unknowns;

		left[row] = trial->readings[row].power_w;
		for (guint i = 0; i < trial->unknowns; i++)
			left[row] -= parts[i] * x[i];
		left[row] *= sqrt(trial->weight[row]);
	}
}

double trial_squares(struct trial *trial, const struct response_shape *shape, double *left)
{
	guint n = trial->unknowns;
	double matrix[UNKNOWNS_MAX * UNKNOWNS_MAX] = {0}, right[UNKNOWNS_MAX] = {0};
	double x[UNKNOWNS_MAX], squares = 0;

	set_parts(trial, shape);
	for (guint row = 0; row < trial->rows; row++) {
		const double *parts = trial->parts + (gsize)row * n;
		double weight = trial->weight[row], power_w = trial->readings[row].power_w;

		squares += weight * power_w * power_w;
		for (guint i = 0; i < n; i++) {
			double own = weight * parts[i];

			if (!(fabs(own) > 0))
				continue;
			right[i] += own * power_w;
			for (guint k = i; k < n; k++)
				matrix[i * n + k] += own * parts[k];
		}
	}
	squares += add_prior(trial, matrix, right);
	if (!solve_partly_nonnegative(n, matrix, right, trial->slots, n - 1, x))
		return INFINITY;
	for (guint i = 0; i < n; i++)
		squares -= right[i] * x[i];
	if (left)
		set_left(trial, x, left);
	return MAX(squares, 1e-9 * trial->rows);
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

/* What powers are about, and how far readings may be off; weight: what an earlier fit says of that.
 * Returns their mean. */
static double describe(struct trial *trial, const double *weight)
{
	double *powers = g_new(double, trial->rows), mean_w = 0;
	struct noise noise;

	for (guint i = 0; i < trial->rows; i++) {
		powers[i] = trial->readings[i].power_w;
		mean_w += powers[i] / trial->rows;
	}
	noise = noise_assumed(mean_w);
	for (guint i = 0; i < trial->rows; i++) {
		const struct noise_row row = {
			{[NOISE_FLOOR] = 1, [NOISE_PART] = powers[i] * powers[i]}};

		trial->weight[i] = weight ? weight[i] : 1 / noise_variance(&noise, &row);
	}
	qsort(powers, trial->rows, sizeof(*powers), order_doubles);
	trial->low_w = powers[trial->rows / 50];
	g_free(powers);
	return mean_w;
}

void trial_begin(struct trial *trial, const struct model *model, const struct classes *classes,
	const struct model_sensor *sensor, const GArray *readings, guint rows,
	const struct identify_earlier *earlier)
{
	const struct influences none = {.count = 0};
	guint first = (readings->len - rows) / 2;
	uint32_t *slot_of = g_new(uint32_t, classes->columns + 1);
	struct activity_plan plan = {.slot_of = slot_of,
		.slots = set_slots(classes, earlier ? earlier->power_w : NULL, slot_of),
		.weight_of = earlier ? earlier->power_w : NULL,
		.influences = earlier ? earlier->influences : &none};
	double mean_w;

	*trial = (struct trial){.rows = rows,
		.slots = plan.slots,
		.readings = &g_array_index(readings, struct design_reading, first),
		.period_ns = (double)curve_period_ns(sensor),
		.weight = g_new(double, rows),
		.counter = model_is_counter(sensor)};
	mean_w = describe(trial, earlier ? earlier->weight + first : NULL);
	trial->prior_mean = earlier ? 1 : mean_w - trial->low_w;
	trial->prior_sigma = earlier ? PART_KNOWN : FIT_PRIOR_W;
	trial->activity = activity_make(model, classes, trial->readings, rows,
		REACH * trial->period_ns, trial->period_ns / BINS_PER_PERIOD, &plan);
	trial->smeared = activity_like(trial->activity);
	trial->unknowns = trial->activity->slots + 1;
	trial->parts = g_new(double, (gsize)rows * trial->unknowns);
	g_free(slot_of);
}

void trial_end(struct trial *trial)
{
	activity_free(trial->activity);
	activity_free(trial->smeared);
	g_free(trial->weight);
	g_free(trial->parts);
}
