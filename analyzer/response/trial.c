/* SPDX-License-Identifier: MIT */
#include "analyzer/response/trial.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/numeric/bisect.h"
#include "analyzer/numeric/order.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/response/ablation.h"
#include "analyzer/response/prior.h"

#define SLOTS_MAX FIND_COLUMNS
#define SLOTS_KNOWN 8    /* where powers are known but for a factor: few factors are enough */
#define PART_KNOWN 0.3   /* prior standard deviation of such a factor */
#define OTHERS_KNOWN 0.1 /* the same with powers of other recordings */
#define UNKNOWNS_MAX (SLOTS_MAX + COLUMNS_FACTORS_MAX + 1)
#define ROWS_MAX 2000        /* the cost of a trial grows with them */
#define BINS_PER_PERIOD 100. /* finer than any difference that matters */
#define BINS_ROUGH 33.       /* of a rough trial: minima are wider */
#define WINDOW_MOST 11.      /* periods: some sensors average over ten */
#define LAG_LEAST -0.2       /* periods: stamps may be early */
#define LAG_MOST 2.          /* periods */
#define REACH 13.            /* periods: the longest window, lag and tail */

/* Sets the design matrix of a shape: the part of each slot in each reading, and 1 for the static
 * power. */
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

/* Adds the prior to the normal equations; returns its part of the squares at 0. */
static double add_prior(const struct trial *trial, double *matrix, double *right)
{
	guint n = trial->unknowns;
	double weight = 1 / (trial->prior_sigma * trial->prior_sigma);

	for (guint i = 0; i < trial->slots; i++) {
		matrix[i * n + i] += weight;
		right[i] += weight * trial->prior_mean;
	}
	for (guint i = trial->slots; i + 1 < n; i++)
		matrix[i * n + i] += 1 / (PRIOR_FACTOR * PRIOR_FACTOR);
	matrix[n * n - 1] += 1 / (trial->low_w * trial->low_w + 1e-6);
	return trial->slots * weight * trial->prior_mean * trial->prior_mean;
}

static const struct power_reading *reading_at(const struct trial *trial, guint row)
{
	return &g_array_index(trial->readings, struct power_reading, row);
}

double trial_residual_w(const struct trial *trial, guint row)
{
	const double *parts = trial->parts + (gsize)row * trial->unknowns;
	double left_w = reading_at(trial, row)->power_w;

	for (guint i = 0; i < trial->unknowns; i++)
		left_w -= parts[i] * trial->x[i];
	return left_w;
}

double trial_misfit(struct trial *trial, const struct response_shape *shape)
{
	guint n = trial->unknowns;
	double right[UNKNOWNS_MAX] = {0}, squares = 0, log_det = 0;

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
	if (!ablated(ABLATION_EVIDENCE) && !solve_log_det(n, trial->matrix, &log_det))
		return INFINITY;
	return MAX(squares, 1e-9 * trial->rows) * exp(log_det / trial->rows);
}

static int by_value(gconstpointer a, gconstpointer b, gpointer values)
{
	double x = ((const double *)values)[*(const uint32_t *)a];
	double y = ((const double *)values)[*(const uint32_t *)b];

	if (x < y || x > y)
		return x < y ? -1 : 1;
	return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

/* Gives the columns that ran longest slots of their own, and the others one together; with powers
 * known, columns of similar power share.  Returns the number of slots. */
static guint set_slots(const struct columns *columns, const double *power_w, uint32_t *slot_of)
{
	uint32_t *order = g_new(uint32_t, columns->count);
	double *key = g_new0(double, columns->count);
	guint slots = MIN(columns->count, power_w ? SLOTS_KNOWN : SLOTS_MAX);

	for (uint32_t i = 0; i < columns->count; i++) {
		order[i] = i;
		key[i] = power_w ? power_w[i] : -columns->time_ns[i];
	}
	g_qsort_with_data(order, (gint)columns->count, sizeof(*order), by_value, key);
	for (uint32_t i = 0; i < columns->count; i++)
		slot_of[order[i]] = power_w ? (uint32_t)((guint64)i * slots / columns->count)
					    : MIN(i, slots - 1);
	g_free(order);
	g_free(key);
	return slots;
}

/* Sets the lowest and the highest power, and unless weighted (by an earlier fit) the weights.
 * Returns the mean of the readings. */
static double describe(struct trial *trial, bool weighted)
{
	double *powers = g_new(double, trial->rows), mean_w = 0;

	for (guint i = 0; i < trial->rows; i++) {
		powers[i] = reading_at(trial, i)->power_w;
		mean_w += powers[i] / trial->rows;
	}
	for (guint i = 0; !weighted && i < trial->rows; i++)
		trial->weight[i] = 1 / reading_variance(mean_w, powers[i]);
	qsort(powers, trial->rows, sizeof(*powers), order_doubles);
	trial->low_w = powers[(guint)(PRIOR_OUTLIERS * trial->rows)];
	trial->high_w = powers[trial->rows - 1 - (guint)(PRIOR_OUTLIERS * trial->rows)];
	g_free(powers);
	return mean_w;
}

/* ---- which readings ---- */

/* The first reading at that time or later. */
static guint reading_from(const GArray *readings, double time_ns)
{
	return BISECT(i, 0, readings->len,
		g_array_index(readings, struct power_reading, i).time_ns >= time_ns);
}

static bool runs(const struct columns *columns, guint execution)
{
	return columns_find(columns, model_execution_at(columns->model, execution)) != COLUMNS_NONE;
}

static double begin_ns_of(const struct columns *columns, guint execution)
{
	return (double)model_execution_at(columns->model, execution)->begin_ns;
}

/* Sets when the first and the last execution of any column begin. */
static void find_work(const struct columns *columns, double *first_ns, double *last_ns)
{
	guint first = 0, last = columns->model->executions->len;

	while (first + 1 < last && !runs(columns, first))
		first++;
	while (last > first + 1 && !runs(columns, last - 1))
		last--;
	*first_ns = begin_ns_of(columns, first);
	*last_ns = begin_ns_of(columns, last - 1);
}

/* Chooses a quarter of the rows about the begin and about the end of all work each, and the rest
 * from the middle.  At these edges readings determine the lag whatever the powers are; within a
 * loop, a lag and the same lag plus a period of the loop are nearly alike. */
static void choose_rows(struct trial *trial, const GArray *readings, const double *weight,
	double first_ns, double last_ns)
{
	guint quarter = trial->rows / 4, idle = quarter / 8, count = 0;
	guint start = reading_from(readings, first_ns), stop = reading_from(readings, last_ns);
	guint middle = start + (stop - start) / 2;
	bool *chosen = g_new0(bool, readings->len + 1);

	for (guint i = 0; i < quarter && !ablated(ABLATION_EDGES); i++) {
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
			trial->readings, g_array_index(readings, struct power_reading, row));
	}
	g_free(chosen);
}

void trial_begin(struct trial *trial, const struct find_input *input, bool rough,
	const struct earlier_fit *earlier)
{
	guint rows = MIN(input->readings->len, rough ? TRIAL_ROWS_ROUGH : ROWS_MAX);
	const struct columns *columns = input->columns;
	uint32_t *slot_of = g_new(uint32_t, columns->count + 1);
	struct activity_plan plan = {.slot_of = slot_of,
		.slots = set_slots(columns, earlier ? earlier->power_w : NULL, slot_of),
		.weight_of = earlier ? earlier->power_w : NULL};
	double mean_w, first_ns, last_ns;

	if (earlier)
		plan.factors = earlier->factors;
	*trial = (struct trial){.rows = rows,
		.slots = plan.slots,
		.readings = g_array_sized_new(FALSE, FALSE, sizeof(struct power_reading), rows),
		.period_ns = (double)curve_period_ns(input->sensor),
		.weight = g_new(double, rows),
		.counter = model_is_counter(input->sensor)};
	find_work(columns, &first_ns, &last_ns);
	choose_rows(trial, input->readings, earlier ? earlier->weight : NULL, first_ns, last_ns);
	mean_w = describe(trial, earlier != NULL);
	trial->prior_mean = earlier ? 1 : mean_w - trial->low_w;
	trial->prior_sigma = !earlier             ? PRIOR_SPREAD * trial->high_w + 1e-3
			     : earlier->of_others ? OTHERS_KNOWN
						  : PART_KNOWN;
	trial->activity = activity_make(columns, (const void *)trial->readings->data, rows,
		REACH * trial->period_ns, trial->period_ns / (rough ? BINS_ROUGH : BINS_PER_PERIOD),
		&plan);
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
