/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/taps.h"

#include <lapacke.h>
#include <string.h>

#include "analyzer/numeric/solve.h"

#define LEVELS 2 /* idle at the begin and at the end */
#define COLUMNS_MAX (LEVELS + TAPS_MAX)
#define COUNT 48      /* all that fit */
#define BEFORE 0.25   /* periods that taps begin before the shape: it may be too late */
#define AFTER 0.5     /* periods that taps go on after the shape */
#define AT_LEAST 2.5  /* periods that taps last to at least: the shape may be too short */
#define REACHES 0.998 /* part of the shape's response at which it is taken to end */
#define PENALTIES 21  /* that are tried: ten decades */
#define PENALTY_STEP 3.1622776601683795 /* sqrt(10): half a decade */
#define PENALTY_LEAST 1e-7              /* of the trace of the data's normal matrix */

struct tap_system {
	size_t rows, columns;
	double *matrix; /* [rows][columns]; a row and its right-hand side in standard deviations */
	double *right;
	double normal[COLUMNS_MAX * COLUMNS_MAX];
	double normal_right[COLUMNS_MAX];
	double roughness[COLUMNS_MAX * COLUMNS_MAX];
};

/* How long the load was on before each of its spans, in s.  g_free it. */
static double *time_before(const GArray *on)
{
	double *before_s = g_new(double, on->len), sum_s = 0;

	for (guint i = 0; i < on->len; i++) {
		const struct load_span *span = &g_array_index(on, struct load_span, i);

		before_s[i] = sum_s;
		sum_s += span->end_s - span->begin_s;
	}
	return before_s;
}

static double time_on(const GArray *on, const double *before_s, double until_s)
{
	int last = load_last_before(on, until_s);
	const struct load_span *span;

	if (last < 0)
		return 0;
	span = &g_array_index(on, struct load_span, last);
	return before_s[last] + MIN(until_s, span->end_s) - span->begin_s;
}

/* Sets the matrix.  Idle power changes linearly between a level at the first observation and one at
 * the last, which are non-negative like the taps. */
static void fill_rows(struct tap_system *system, const struct taps *taps,
	const struct calibrated_response *fit, const GArray *observations, const GArray *on)
{
	double *before_s = time_before(on), *sigmas_w = g_new(double, 2 * system->rows);
	double begin_s = LOAD_OBSERVATION(observations, 0).time_s;
	double span_s = LOAD_OBSERVATION(observations, observations->len - 1).time_s - begin_s;

	calibrated_expect(fit, observations, on, sigmas_w, sigmas_w + system->rows);
	for (size_t i = 0; i < system->rows; i++) {
		const struct load_observation *observation = &LOAD_OBSERVATION(observations, i);
		double *row = system->matrix + i * system->columns;
		double from_s = observation->time_s - taps->first_s;

		row[1] = (observation->time_s - begin_s) / span_s / sigmas_w[i];
		row[0] = 1 / sigmas_w[i] - row[1];
		for (unsigned k = 0; k < taps->count; k++, from_s -= taps->step_s)
			row[LEVELS + k] = (time_on(on, before_s, from_s) -
						  time_on(on, before_s, from_s - taps->step_s)) /
					  taps->step_s / sigmas_w[i];
		system->right[i] = observation->power_w / sigmas_w[i];
	}
	g_free(before_s);
	g_free(sigmas_w);
}

static void fill_normal(struct tap_system *system)
{
	size_t n = system->columns;

	for (size_t row = 0; row < system->rows; row++) {
		const double *values = system->matrix + row * n;

		for (size_t i = 0; i < n; i++) {
			for (size_t k = 0; k < n; k++)
				system->normal[i * n + k] += values[i] * values[k];
			system->normal_right[i] += values[i] * system->right[row];
		}
	}
}

/* Sets the matrix of squared second differences; weights before the first and after the last tap
 * count as 0. */
static void fill_roughness(struct tap_system *system)
{
	static const double difference[] = {1, -2, 1};
	size_t n = system->columns, taps = n - LEVELS;

	for (size_t middle = 0; middle < taps; middle++)
		for (int i = -1; i <= 1; i++)
			for (int k = -1; k <= 1; k++) {
				size_t row = middle + (size_t)i, column = middle + (size_t)k;

				if (row < taps && column < taps)
					system->roughness[(LEVELS + row) * n + LEVELS + column] +=
						difference[i + 1] * difference[k + 1];
			}
}

static double trace(const double *matrix, size_t n)
{
	double sum = 0;

	for (size_t i = LEVELS; i < n; i++)
		sum += matrix[i * n + i];
	return sum;
}

static void add_penalty(const struct tap_system *system, double penalty, double *sum)
{
	for (size_t i = 0; i < system->columns * system->columns; i++)
		sum[i] = system->normal[i] + penalty * system->roughness[i];
}

static double chi_square(const struct tap_system *system, const double *x)
{
	double sum = 0;

	for (size_t row = 0; row < system->rows; row++) {
		double left = system->right[row];

		for (size_t i = 0; i < system->columns; i++)
			left -= system->matrix[row * system->columns + i] * x[i];
		sum += left * left;
	}
	return sum;
}

/* The score of generalized cross-validation; freedom becomes the effective number of parameters. */
static double score_of(const struct tap_system *system, double penalty, double *freedom)
{
	size_t n = system->columns;
	double sum[COLUMNS_MAX * COLUMNS_MAX], hat[COLUMNS_MAX * COLUMNS_MAX], x[COLUMNS_MAX];

	add_penalty(system, penalty, sum);
	memcpy(hat, system->normal, sizeof(hat));
	memcpy(x, system->normal_right, sizeof(x));
	if (LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', (lapack_int)n, sum, (lapack_int)n))
		return INFINITY;
	LAPACKE_dpotrs(LAPACK_ROW_MAJOR, 'L', (lapack_int)n, 1, sum, (lapack_int)n, x, 1);
	LAPACKE_dpotrs(LAPACK_ROW_MAJOR, 'L', (lapack_int)n, (lapack_int)n, sum, (lapack_int)n, hat,
		(lapack_int)n);
	*freedom = LEVELS + trace(hat, n);
	return chi_square(system, x) / pow((double)system->rows - *freedom, 2);
}

static double choose_penalty(const struct tap_system *system, double *freedom)
{
	double penalty = PENALTY_LEAST * trace(system->normal, system->columns) /
			 trace(system->roughness, system->columns);
	double best = NAN, least = INFINITY;

	for (int i = 0; i < PENALTIES; i++, penalty *= PENALTY_STEP) {
		double used = 0, score = score_of(system, penalty, &used);

		if (score >= least)
			continue;
		least = score;
		best = penalty;
		*freedom = used;
	}
	return best;
}

static bool solve(struct taps *taps, const struct tap_system *system)
{
	size_t n = system->columns;
	double sum[COLUMNS_MAX * COLUMNS_MAX], x[COLUMNS_MAX], freedom = 0, step_w = 0;
	double penalty = choose_penalty(system, &freedom);

	if (isnan(penalty))
		return false;
	add_penalty(system, penalty, sum);
	if (!solve_nonnegative(n, sum, system->normal_right, x))
		return false;
	for (size_t k = LEVELS; k < n; k++)
		step_w += x[k];
	if (step_w <= 0)
		return false;
	taps->fit = chi_square(system, x) / ((double)system->rows - freedom);
	if (!solve_invert(n, sum))
		return false;
	for (size_t k = 0; k < n - LEVELS; k++) {
		taps->weight[k] = x[LEVELS + k] / step_w;
		taps->error[k] = 1.96 * sqrt(sum[(LEVELS + k) * (n + 1)]) / step_w;
	}
	return true;
}

static double reach_s(const struct response_shape *shape)
{
	double memory_s = response_shape_end_ns(shape) / 1e9, lag_s = memory_s;

	while (lag_s > 0 && response_shape_below(shape, 1e9 * (lag_s - memory_s / 256)) > REACHES)
		lag_s -= memory_s / 256;
	return lag_s;
}

static double period_of(const GArray *observations)
{
	return (LOAD_OBSERVATION(observations, observations->len - 1).time_s -
		       LOAD_OBSERVATION(observations, 0).time_s) /
	       (observations->len - 1);
}

bool taps_fit(struct taps *taps, const struct calibrated_response *fit, const GArray *observations,
	const GArray *on)
{
	struct tap_system *system = g_new0(struct tap_system, 1);
	double period_s = period_of(observations);
	double end_s;
	bool solved;

	*taps = (struct taps){
		.count = COUNT, .first_s = fit->shape.lag_ns / 1e9 - BEFORE * period_s};
	end_s = fmax(reach_s(&fit->shape) + AFTER * period_s, AT_LEAST * period_s);
	taps->step_s = (end_s - taps->first_s) / taps->count;
	system->rows = observations->len;
	system->columns = LEVELS + taps->count;
	system->matrix = g_new0(double, system->rows * system->columns);
	system->right = g_new0(double, system->rows);
	fill_rows(system, taps, fit, observations, on);
	fill_normal(system);
	fill_roughness(system);
	solved = solve(taps, system);
	for (unsigned k = 0; k < taps->count; k++)
		taps->error[k] *= sqrt(fit->correlation * MAX(1, taps->fit));
	g_free(system->matrix);
	g_free(system->right);
	g_free(system);
	return solved;
}

void taps_of_shape(
	struct taps *taps, const struct response_shape *shape, double first_s, double step_s)
{
	double sum = 0;

	taps->first_s = first_s;
	taps->step_s = step_s;
	for (unsigned k = 0; k < taps->count; k++) {
		taps->weight[k] =
			fmax(0, response_shape_below(shape, 1e9 * (first_s + (k + 1) * step_s)) -
					response_shape_below(shape, 1e9 * (first_s + k * step_s)));
		sum += taps->weight[k];
	}
	for (unsigned k = 0; k < taps->count; k++)
		taps->weight[k] /= sum;
}
