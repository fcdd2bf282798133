/* SPDX-License-Identifier: MIT */
#include "analyzer/response/trial.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/numeric/bisect.h"
#include "analyzer/numeric/order.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/regress/fitting.h"
#include "analyzer/regress/noise.h"

#define SLOTS_MAX IDENTIFY_COLUMNS
#define SLOTS_KNOWN 8 /* of powers that are known but for a factor */
#define PART_KNOWN 0.3
#define UNKNOWNS_MAX (SLOTS_MAX + INFLUENCES_CHOSEN_MAX + 1)
#define BINS_PER_PERIOD 100.
#define WINDOW_MOST 11. /* in periods, as the following */
#define LAG_LEAST -0.2
#define LAG_MOST 2.
#define REACH 13. /* periods: the longest window, lag and tail */

/* What the readings would see of each slot, and a 1 for the static power. */
static void set_parts(struct trial *trial, const struct response_shape *shape)
{
	guint n = trial->unknowns;

	activity_view_parts(&trial->view, shape, (const void *)trial->readings->data, trial->rows,
		n, trial->parts);
	for (guint row = 0; row < trial->rows; row++)
		trial->parts[(gsize)row * n + n - 1] = 1;
}

bool trial_allows(const struct trial *trial, const struct response_shape *shape)
{
	double period_ns = trial->period_ns;

	return shape->window_ns >= 0 && shape->window_ns <= WINDOW_MOST * period_ns &&
	       shape->tail_ns >= 0 && shape->tail_ns <= TRIAL_TAIL_MOST * period_ns &&
	       shape->lag_ns >= LAG_LEAST * period_ns && shape->lag_ns <= LAG_MOST * period_ns;
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

static const struct design_reading *reading_at(const struct trial *trial, guint row)
{
	return &g_array_index(trial->readings, struct design_reading, row);
}

double trial_left_w(const struct trial *trial, guint row)
{
	const double *parts = trial->parts + (gsize)row * trial->unknowns;
	double left_w = reading_at(trial, row)->power_w;

	for (guint i = 0; i < trial->unknowns; i++)
		left_w -= parts[i] * trial->x[i];
	return left_w;
}

double trial_squares(struct trial *trial, const struct response_shape *shape)
{
	guint n = trial->unknowns;
	double right[UNKNOWNS_MAX] = {0}, squares = 0;

	set_parts(trial, shape);
	memset(trial->matrix, 0, (gsize)n * n * sizeof(*trial->matrix));
	for (guint row = 0; row < trial->rows; row++) {
		const double *parts = trial->parts + (gsize)row * n;
		double weight = trial->weight[row], power_w = reading_at(trial, row)->power_w;

		squares += weight * power_w * power_w;
		for (guint i = 0; i < n; i++) {
			double own = weight * parts[i];

			if (!(fabs(own) > 0))
				continue;
			right[i] += own * power_w;
			for (guint k = i; k < n; k++)
				trial->matrix[i * n + k] += own * parts[k];
		}
	}
	squares += add_prior(trial, trial->matrix, right);
	if (!solve_partly_nonnegative(n, trial->matrix, right, trial->slots, n - 1, trial->x))
		return INFINITY;
	for (guint i = 0; i < n; i++)
		squares -= right[i] * trial->x[i];
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
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);

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

/* What powers are about, and unless an earlier fit says that how far readings may be off.  Returns
 * the mean of the readings. */
static double describe(struct trial *trial, bool weighted)
{
	double *powers = g_new(double, trial->rows), mean_w = 0;
	struct noise noise;

	for (guint i = 0; i < trial->rows; i++) {
		powers[i] = reading_at(trial, i)->power_w;
		mean_w += powers[i] / trial->rows;
	}
	noise = noise_assumed(mean_w);
	for (guint i = 0; i < trial->rows; i++) {
		const struct noise_row row = {
			{[NOISE_FLOOR] = 1, [NOISE_PART] = powers[i] * powers[i]}};

		if (!weighted)
			trial->weight[i] = 1 / noise_variance(&noise, &row);
	}
	qsort(powers, trial->rows, sizeof(*powers), order_doubles);
	trial->low_w = powers[trial->rows / 50];
	g_free(powers);
	return mean_w;
}

/* ---- which readings ---- */

/* The first reading at that time or later. */
static guint reading_from(const GArray *readings, double time_ns)
{
	return BISECT(i, 0, readings->len,
		g_array_index(readings, struct design_reading, i).time_ns >= time_ns);
}

/* When the first execution of the classes begins, and the last one. */
static void find_work(
	const struct model *model, const struct classes *classes, double *first_ns, double *last_ns)
{
	guint first = 0, last = model->executions->len;

	while (first + 1 < last &&
		classes_find(classes, &g_array_index(model->executions, struct model_execution,
					      first)) == CLASSES_NONE)
		first++;
	while (last > first + 1 &&
		classes_find(classes, &g_array_index(model->executions, struct model_execution,
					      last - 1)) == CLASSES_NONE)
		last--;
	*first_ns =
		(double)g_array_index(model->executions, struct model_execution, first).begin_ns;
	*last_ns =
		(double)g_array_index(model->executions, struct model_execution, last - 1).begin_ns;
}

/* Where work starts and where it stops readings tell the lag without the powers; in a loop, no
 * others tell it from the lag and a period.  Takes a quarter of the rows about either, and the rest
 * from the middle. */
static void choose_rows(struct trial *trial, const GArray *readings, const double *weight,
	double first_ns, double last_ns)
{
	guint quarter = trial->rows / 4, idle = quarter / 8, count = 0;
	guint start = reading_from(readings, first_ns), stop = reading_from(readings, last_ns);
	guint middle = start + (stop - start) / 2;
	bool *chosen = g_new0(bool, readings->len + 1);

	for (guint i = 0; i < quarter; i++) {
		guint about_start = start + i - MIN(idle, start);
		guint about_stop = stop + idle - MIN(i, stop);

		for (int k = 0; k < 2; k++) {
			guint row = MIN(k ? about_stop : about_start, readings->len - 1);

			count += !chosen[row];
			chosen[row] = true;
		}
	}
	for (guint i = 0; count < trial->rows && i <= readings->len; i++) {
		const guint sides[] = {middle + i, middle - MIN(i, middle)};

		for (int k = 0; k < 2 && count < trial->rows; k++) {
			guint row = MIN(sides[k], readings->len - 1);

			count += !chosen[row];
			chosen[row] = true;
		}
	}
	for (guint row = 0; row < readings->len; row++) {
		if (!chosen[row])
			continue;
		if (weight)
			trial->weight[trial->readings->len] = weight[row];
		g_array_append_val(
			trial->readings, g_array_index(readings, struct design_reading, row));
	}
	g_free(chosen);
}

void trial_begin(struct trial *trial, const struct model *model, const struct classes *classes,
	const struct model_sensor *sensor, const GArray *readings, guint rows,
	const struct identify_earlier *earlier)
{
	const struct influences none = {.count = 0};
	uint32_t *slot_of = g_new(uint32_t, classes->columns + 1);
	struct activity_plan plan = {.slot_of = slot_of,
		.slots = set_slots(classes, earlier ? earlier->power_w : NULL, slot_of),
		.weight_of = earlier ? earlier->power_w : NULL,
		.influences = earlier ? earlier->influences : &none};
	double mean_w, first_ns, last_ns;

	*trial = (struct trial){.rows = rows,
		.slots = plan.slots,
		.readings = g_array_sized_new(FALSE, FALSE, sizeof(struct design_reading), rows),
		.period_ns = (double)curve_period_ns(sensor),
		.weight = g_new(double, rows),
		.counter = model_is_counter(sensor)};
	find_work(model, classes, &first_ns, &last_ns);
	choose_rows(trial, readings, earlier ? earlier->weight : NULL, first_ns, last_ns);
	mean_w = describe(trial, earlier != NULL);
	trial->prior_mean = earlier ? 1 : mean_w - trial->low_w;
	trial->prior_sigma = earlier ? PART_KNOWN : FIT_PRIOR_W;
	trial->activity = activity_make(model, classes, (const void *)trial->readings->data, rows,
		REACH * trial->period_ns, trial->period_ns / BINS_PER_PERIOD, &plan);
	activity_view_begin(&trial->view, trial->activity);
	trial->unknowns = trial->activity->slots + 1;
	trial->matrix = g_new(double, (gsize)trial->unknowns * trial->unknowns);
	trial->x = g_new0(double, trial->unknowns);
	trial->parts = g_new(double, (gsize)rows * trial->unknowns);
	g_free(slot_of);
}

void trial_end(struct trial *trial)
{
	activity_view_end(&trial->view);
	activity_free(trial->activity);
	g_array_free(trial->readings, TRUE);
	g_free(trial->weight);
	g_free(trial->parts);
	g_free(trial->matrix);
	g_free(trial->x);
}
