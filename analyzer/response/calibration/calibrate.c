/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/calibrate.h"

#include <lapacke.h>
#include <string.h>

#include "analyzer/numeric/autocorrelation.h"
#include "analyzer/numeric/posterior.h"

#define OBSERVATIONS_MIN 30 /* several for each parameter */
#define FIRST_STEPS 1500    /* of the first walk, which only finds the maximum */
#define LEARN_STEPS 2000    /* in which the walk learns its step */
#define DRAWS 2000          /* for 95 % intervals */
#define SHOWS 4             /* standard errors that the load's step must have to show */
#define SLOWEST_WINDOW 16.0 /* periods */
#define SLOWEST_TAIL 8.0    /* periods */

enum { IDLE, DRIFT, STEP, LEVELS };
enum { DELAY, TAIL, NOISE, TIMING, WINDOW, PARAMETERS };

/* In periods.  Windows longer than the period exist, as do values that are stamped early. */
static const double delays[] = {-0.5, -0.25, -0.1, 0, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2};
static const double windows[] = {
	0, 0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4, 8, 10, 12, SLOWEST_WINDOW};
static const double tails[] = {0, 0.1, 0.25, 0.5, 1, 2, 4, SLOWEST_TAIL};

struct calibration_problem {
	const GArray *observations;
	const GArray *on;
	double period_s;
	double middle_s, span_s; /* of the observations */
	double step_w; /* of the load, by which noise of the time becomes noise of the power */
	double correlation;
	bool counter;
};

/* Idle power, drift over the observations and step of the load, in W. */
struct load_levels {
	double w[LEVELS];
	double covariance[LEVELS * LEVELS]; /* with the assumed noise */
	double chi_square;
	double log_determinant; /* of the normal equations */
	double log_sigmas;
};

/* Weighted least squares of the levels for one shape; with noise_w 0, all weights are 1.  Returns
 * false where the equations are singular, or where the load would take power away: readings that
 * alternate with the load are explained by that, too, if they are late enough. */
static bool fit_levels(const struct calibration_problem *problem,
	const struct response_shape *shape, double noise_w, double timing_s,
	struct load_levels *levels)
{
	double normal[LEVELS * LEVELS] = {0}, right[LEVELS] = {0}, squares = 0;
	struct load_filter filter;

	load_filter_fill(&filter, problem->on, shape->tail_ns / 1e9);
	levels->log_sigmas = 0;
	for (guint i = 0; i < problem->observations->len; i++) {
		const struct load_observation *observation =
			&LOAD_OBSERVATION(problem->observations, i);
		struct load_expectation expected =
			load_observation_expect(shape, &filter, observation, timing_s);
		double row[LEVELS] = {[IDLE] = 1,
			[DRIFT] = (observation->time_s - problem->middle_s) / problem->span_s,
			[STEP] = expected.level};
		double sigma =
			noise_w > 0 ? load_observation_sigma_w(noise_w, problem->step_w, &expected)
				    : 1;
		double weight = 1 / (sigma * sigma);

		for (int j = 0; j < LEVELS; j++) {
			for (int k = 0; k < LEVELS; k++)
				normal[j * LEVELS + k] += weight * row[j] * row[k];
			right[j] += weight * row[j] * observation->power_w;
		}
		squares += weight * observation->power_w * observation->power_w;
		levels->log_sigmas += log(sigma);
	}
	load_filter_clear(&filter);
	memcpy(levels->w, right, sizeof(right));
	if (LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', LEVELS, 1, normal, LEVELS, levels->w, 1))
		return false;
	levels->chi_square = squares;
	levels->log_determinant = 0;
	for (int j = 0; j < LEVELS; j++) {
		levels->chi_square -= levels->w[j] * right[j];
		levels->log_determinant += 2 * log(normal[j * LEVELS + j]);
	}
	memcpy(levels->covariance, normal, sizeof(normal));
	LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'L', LEVELS, levels->covariance, LEVELS);
	return isfinite(levels->log_determinant) && levels->w[STEP] > 0;
}

static struct response_shape shape_of(const double *p, bool counter)
{
	return (struct response_shape){
		1e9 * p[DELAY], counter ? 0 : 1e9 * p[WINDOW], 1e9 * p[TAIL]};
}

static double log_density(const double *p, const void *data)
{
	const struct calibration_problem *problem = data;
	struct response_shape shape = shape_of(p, problem->counter);
	struct load_levels levels;

	if (fabs(p[DELAY]) > SLOWEST_WINDOW * problem->period_s || p[TAIL] < 0 ||
		p[TAIL] > 2 * SLOWEST_TAIL * problem->period_s || p[NOISE] < 0 ||
		p[NOISE] > fabs(problem->step_w) + LOAD_OBSERVATION_FLOOR_W || p[TIMING] < 0 ||
		p[TIMING] > problem->period_s || shape.window_ns < 0 ||
		shape.window_ns > 2e9 * SLOWEST_WINDOW * problem->period_s)
		return -INFINITY;
	if (!fit_levels(
		    problem, &shape, fmax(p[NOISE], LOAD_OBSERVATION_FLOOR_W), p[TIMING], &levels))
		return -INFINITY;
	return (-levels.log_sigmas - levels.chi_square / 2 - levels.log_determinant / 2) /
	       problem->correlation;
}

/* Fills in the shape of the grid with the smallest sum of squares, and returns that; INFINITY where
 * none fits. */
static double search(const struct calibration_problem *problem, struct response_shape *best)
{
	size_t window_count = problem->counter ? 1 : G_N_ELEMENTS(windows);
	double least = INFINITY;

	for (size_t w = 0; w < window_count; w++)
		for (size_t t = 0; t < G_N_ELEMENTS(tails); t++)
			for (size_t d = 0; d < G_N_ELEMENTS(delays); d++) {
				struct response_shape shape = {
					.lag_ns = 1e9 * delays[d] * problem->period_s,
					.window_ns = 1e9 * windows[w] * problem->period_s,
					.tail_ns = 1e9 * tails[t] * problem->period_s};
				struct load_levels levels;

				if (!fit_levels(problem, &shape, 0, 0, &levels) ||
					levels.chi_square >= least)
					continue;
				least = levels.chi_square;
				*best = shape;
			}
	return least;
}

double calibrated_level_w(const struct calibrated_response *fit, double time_s, double level)
{
	return fit->idle_w.value + fit->drift_w_per_s * (time_s - fit->middle_s) +
	       fit->step_w.value * level;
}

void calibrated_expect(const struct calibrated_response *fit, const GArray *observations,
	const GArray *on, double *sigmas_w, double *left_w)
{
	struct load_filter filter;

	load_filter_fill(&filter, on, fit->shape.tail_ns / 1e9);
	for (guint i = 0; i < observations->len; i++) {
		const struct load_observation *observation = &LOAD_OBSERVATION(observations, i);
		struct load_expectation expected = load_observation_expect(
			&fit->shape, &filter, observation, fit->timing_s.value);

		sigmas_w[i] =
			load_observation_sigma_w(fit->noise_w.value, fit->step_w.value, &expected);
		left_w[i] = observation->power_w -
			    calibrated_level_w(fit, observation->time_s, expected.level);
	}
	load_filter_clear(&filter);
}

static void set_residuals(
	struct calibrated_response *fit, const struct calibration_problem *problem)
{
	guint count = problem->observations->len;
	double *sigmas_w = g_new(double, count), *left_w = g_new(double, count), squares = 0;

	calibrated_expect(fit, problem->observations, problem->on, sigmas_w, left_w);
	for (guint i = 0; i < count; i++) {
		squares += left_w[i] * left_w[i];
		left_w[i] /= sigmas_w[i];
	}
	fit->correlation = autocorrelation_time(left_w, count);
	fit->residual_w = sqrt(squares / count);
	g_free(sigmas_w);
	g_free(left_w);
}

static struct estimate around(double value, double variance)
{
	double half = 1.96 * sqrt(variance);

	return (struct estimate){value, value - half, value + half};
}

/* Sets all estimates at the maximum p of the posterior; the intervals of the shape are set later.
 */
static void set_best(
	struct calibrated_response *fit, const struct calibration_problem *problem, const double *p)
{
	struct load_levels levels;

	fit->noise_w.value = p[NOISE];
	fit->timing_s.value = p[TIMING];

	fit->shape = shape_of(p, problem->counter);
	fit_levels(
		problem, &fit->shape, fmax(p[NOISE], LOAD_OBSERVATION_FLOOR_W), p[TIMING], &levels);
	for (int j = 0; j < LEVELS * LEVELS; j++)
		levels.covariance[j] *= problem->correlation;
	fit->idle_w = around(levels.w[IDLE], levels.covariance[IDLE * LEVELS + IDLE]);
	fit->step_w = around(levels.w[STEP], levels.covariance[STEP * LEVELS + STEP]);
	fit->drift_w_per_s = levels.w[DRIFT] / problem->span_s;
	fit->middle_s = problem->middle_s;
}

static struct estimate either(struct estimate a, struct estimate b)
{
	return (struct estimate){a.value, fmin(a.low, b.low), fmax(a.high, b.high)};
}

/* Sets the equivalent window and lag from the draws, with the length that window_ns_of computes and
 * the mean of each shape; unless first, extends the intervals. */
static void equate(struct calibrated_response *fit, const double *draws,
	double (*window_ns_of)(const struct response_shape *shape), bool first)
{
	double *equivalents = g_new(double, 2 * DRAWS);
	struct estimate window_s, lag_s;

	for (size_t i = 0; i < DRAWS; i++) {
		struct response_shape shape = shape_of(draws + i * PARAMETERS, false);

		equivalents[2 * i] = window_ns_of(&shape) / 1e9;
		equivalents[2 * i + 1] =
			response_shape_mean_ns(&shape) / 1e9 - equivalents[2 * i] / 2;
	}
	window_s = posterior_estimate(equivalents, DRAWS, 2, 0);
	lag_s = posterior_estimate(equivalents + 1, DRAWS, 2, -INFINITY);
	fit->equivalent_window_s = first ? window_s : either(fit->equivalent_window_s, window_s);
	fit->equivalent_lag_s = first ? lag_s : either(fit->equivalent_lag_s, lag_s);
	g_free(equivalents);
}

static double boxcar_alone(const struct response_shape *shape)
{
	return shape->window_ns;
}

static double tail_alone(const struct response_shape *shape)
{
	return 2 * shape->tail_ns;
}

/* No draw has a window or a tail of exactly 0.  Where the intervals reach 0, those of the
 * equivalent boxcar must include a boxcar alone, or a tail alone. */
static void set_equivalents(struct calibrated_response *fit, const double *draws)
{
	equate(fit, draws, response_shape_equivalent_window_ns, true);
	if (fit->tail_s.low == 0)
		equate(fit, draws, boxcar_alone, false);
	if (fit->window_s.low == 0)
		equate(fit, draws, tail_alone, false);
}

static struct estimate centroid_of(const double *draws)
{
	double *centroids = g_new(double, DRAWS);
	struct estimate estimate;

	for (size_t i = 0; i < DRAWS; i++) {
		struct response_shape shape = shape_of(draws + i * WINDOW, true);

		centroids[i] = response_shape_mean_ns(&shape) / 1e9;
	}
	estimate = posterior_estimate(centroids, DRAWS, 1, -INFINITY);
	g_free(centroids);
	return estimate;
}

/* Sets the intervals of the shape.  A counter has no window but the time between its values. */
static void set_shape(struct calibrated_response *fit, const double *draws, bool counter)
{
	size_t parameters = counter ? WINDOW : PARAMETERS;
	struct {
		struct estimate *estimate;
		double floor;
	} rows[PARAMETERS] = {
		[DELAY] = {&fit->delay_s, -INFINITY},
		[TAIL] = {&fit->tail_s, 0},
		[NOISE] = {&fit->noise_w, 0},
		[TIMING] = {&fit->timing_s, 0},
		[WINDOW] = {&fit->window_s, 0},
	};

	fit->window_s = fit->equivalent_window_s = ESTIMATE_UNKNOWN;
	for (size_t i = 0; i < parameters; i++)
		*rows[i].estimate = posterior_estimate(draws + i, DRAWS, parameters, rows[i].floor);
	if (counter)
		fit->equivalent_lag_s = centroid_of(draws);
	else
		set_equivalents(fit, draws);
}

/* Draws from the posterior, beginning at p, which becomes the point with the highest density. */
static void draw(const struct calibration_problem *problem, double *p, size_t learn_steps,
	double *draws, size_t count)
{
	struct posterior posterior = {.parameters = problem->counter ? WINDOW : PARAMETERS,
		.log_density = log_density,
		.data = problem,
		.learn_steps = learn_steps};

	memcpy(posterior.start, p, PARAMETERS * sizeof(*p));
	memcpy(posterior.scale,
		(double[PARAMETERS]){[DELAY] = problem->period_s / 50,
			[TAIL] = problem->period_s / 50,
			[NOISE] = p[NOISE] / 10,
			[TIMING] = problem->period_s / 100,
			[WINDOW] = problem->period_s / 50},
		sizeof(double[PARAMETERS]));
	posterior_draw(&posterior, draws, count, p);
}

static bool begin(struct calibration_problem *problem, const GArray *observations, const GArray *on,
	double period_s)
{
	*problem = (struct calibration_problem){
		.observations = observations, .on = on, .period_s = period_s, .correlation = 1};
	if (observations->len < OBSERVATIONS_MIN || !on->len)
		return false;
	problem->counter = LOAD_OBSERVATION(observations, 0).width_s > 0;
	problem->span_s = LOAD_OBSERVATION(observations, observations->len - 1).time_s -
			  LOAD_OBSERVATION(observations, 0).time_s;
	problem->middle_s = LOAD_OBSERVATION(observations, 0).time_s + problem->span_s / 2;
	return true;
}

double calibrate_least_w(const GArray *observations, const GArray *on, double period_s)
{
	struct response_shape shape;
	struct calibration_problem problem;

	if (!begin(&problem, observations, on, period_s))
		return INFINITY;
	return sqrt(search(&problem, &shape) / observations->len);
}

bool calibrate_response(struct calibrated_response *fit, const GArray *observations,
	const GArray *on, double period_s)
{
	double p[PARAMETERS] = {0}, *draws, least;
	struct load_levels levels;
	struct response_shape shape;
	struct calibration_problem problem;

	if (!begin(&problem, observations, on, period_s))
		return false;
	least = search(&problem, &shape);
	if (!isfinite(least))
		return false;
	fit_levels(&problem, &shape, 0, 0, &levels);
	p[DELAY] = shape.lag_ns / 1e9;
	p[TAIL] = shape.tail_ns / 1e9;
	p[WINDOW] = shape.window_ns / 1e9;
	p[NOISE] = sqrt(least / observations->len);
	problem.step_w = levels.w[STEP];
	if (problem.step_w < SHOWS * p[NOISE] * sqrt(levels.covariance[STEP * LEVELS + STEP]) +
				     LOAD_OBSERVATION_FLOOR_W)
		return false;
	draw(&problem, p, FIRST_STEPS, NULL, 0);
	set_best(fit, &problem, p);
	set_residuals(fit, &problem);
	problem.correlation = fit->correlation;
	draws = g_new(double, DRAWS *PARAMETERS);
	draw(&problem, p, LEARN_STEPS, draws, DRAWS);
	set_best(fit, &problem, p);
	set_shape(fit, draws, problem.counter);
	fit->at_edge = fit->shape.window_ns > 1e9 * SLOWEST_WINDOW * period_s ||
		       fit->shape.tail_ns > 1e9 * SLOWEST_TAIL * period_s;
	g_free(draws);
	return true;
}
