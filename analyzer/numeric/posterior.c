/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/posterior.h"

#include <glib.h>
#include <lapacke.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/numeric/order.h"

#define ADAPT_STEPS 200 /* from one adaptation of the proposal to the next */
#define KEEP_EVERY 2    /* thinning: steps from one draw to the next */

/* The best acceptance rates for steps in a few parameters and in one, and the best length of a
 * step: 2.38 standard deviations divided by the root of the number of parameters (Gelman, Roberts,
 * Gilks, "Efficient Metropolis jumping rules", Bayesian Statistics 5, 1996). */
#define ACCEPTANCE 0.25
#define ALONG_ACCEPTANCE 0.44
#define STEP_LENGTH 2.38

#define SHARE 0.95 /* of the draws lies in an interval */

struct walk {
	const struct posterior *posterior;
	GRand *random;
	double at[POSTERIOR_PARAMETERS_MAX];
	double log_density;
	double best[POSTERIOR_PARAMETERS_MAX];
	double best_log_density;
	/* The Cholesky factor of the proposal's covariance, n × n by rows, the lower triangle. */
	double step[POSTERIOR_PARAMETERS_MAX * POSTERIOR_PARAMETERS_MAX];
	double factor;     /* multiplies step */
	unsigned accepted; /* steps since the last adaptation */
};

/* A standard normal number, by the method of Box and Muller. */
static double normal(GRand *random)
{
	double radius = sqrt(-2 * log(1 - g_rand_double(random)));

	return radius * cos(2 * G_PI * g_rand_double(random));
}

/* A Metropolis step: accepts a point with the probability min(1, density there / density here). */
static bool try(struct walk *walk, const double *to)
{
	double log_density = walk->posterior->log_density(to, walk->posterior->data);

	if (!(log(1 - g_rand_double(walk->random)) < log_density - walk->log_density))
		return false;
	memcpy(walk->at, to, sizeof(walk->at));
	walk->log_density = log_density;
	if (log_density > walk->best_log_density) {
		walk->best_log_density = log_density;
		memcpy(walk->best, to, sizeof(walk->best));
	}
	return true;
}

static void walk_one_step(struct walk *walk)
{
	size_t n = walk->posterior->parameters;
	double to[POSTERIOR_PARAMETERS_MAX], shift[POSTERIOR_PARAMETERS_MAX];

	memcpy(to, walk->at, sizeof(to));
	for (size_t i = 0; i < n; i++)
		shift[i] = normal(walk->random);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k <= i; k++)
			to[i] += walk->factor * walk->step[i * n + k] * shift[k];
	walk->accepted += try(walk, to);
}

/* A step in one parameter alone.  Its length grows when accepted and shrinks when rejected, so that
 * the scale of each parameter is found even from a poor first guess. */
static void walk_along(struct walk *walk, size_t i)
{
	double to[POSTERIOR_PARAMETERS_MAX];
	double *step = &walk->step[i * walk->posterior->parameters + i];

	memcpy(to, walk->at, sizeof(to));
	to[i] += *step * normal(walk->random);
	*step *= try(walk, to) ? 2 : pow(0.5, ALONG_ACCEPTANCE / (1 - ALONG_ACCEPTANCE));
}

/* Sets the proposal's covariance to that of the later half of history[count][parameters]. */
static void learn_step(struct walk *walk, const double *history, size_t count)
{
	size_t n = walk->posterior->parameters, first = count / 2, used = count - first;
	double mean[POSTERIOR_PARAMETERS_MAX] = {0};
	double covariance[POSTERIOR_PARAMETERS_MAX * POSTERIOR_PARAMETERS_MAX] = {0};

	for (size_t row = first; row < count; row++)
		for (size_t i = 0; i < n; i++)
			mean[i] += history[row * n + i] / (double)used;
	for (size_t row = first; row < count; row++)
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k <= i; k++)
				covariance[i * n + k] += (history[row * n + i] - mean[i]) *
							 (history[row * n + k] - mean[k]) /
							 (double)used;
	/* Keeps the covariance positive definite where some direction has not moved yet. */
	for (size_t i = 0; i < n; i++)
		covariance[i * n + i] +=
			1e-6 * walk->posterior->scale[i] * walk->posterior->scale[i];
	if (LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', (lapack_int)n, covariance, (lapack_int)n) == 0)
		memcpy(walk->step, covariance, sizeof(covariance));
}

static void learn(struct walk *walk)
{
	size_t n = walk->posterior->parameters, steps = walk->posterior->learn_steps, taken = 0;
	double *history = g_new(double, (steps + ADAPT_STEPS) * n);

	while (taken < steps) {
		bool along = taken < steps / 2;

		walk->accepted = 0;
		for (int i = 0; i < ADAPT_STEPS; i++, taken++) {
			if (along)
				walk_along(walk, taken % n);
			else
				walk_one_step(walk);
			memcpy(history + taken * n, walk->at, n * sizeof(*history));
		}
		if (along)
			continue;
		walk->factor *= exp((double)walk->accepted / ADAPT_STEPS - ACCEPTANCE);
		if (walk->accepted)
			learn_step(walk, history, taken);
	}
	g_free(history);
}

void posterior_draw(const struct posterior *posterior, double *draws, size_t count, double *best)
{
	size_t n = posterior->parameters;
	struct walk walk = {.posterior = posterior,
		.random = g_rand_new_with_seed(1),
		.factor = STEP_LENGTH / sqrt((double)n)};

	memcpy(walk.at, posterior->start, sizeof(walk.at));
	memcpy(walk.best, posterior->start, sizeof(walk.best));
	walk.log_density = posterior->log_density(walk.at, posterior->data);
	walk.best_log_density = walk.log_density;
	for (size_t i = 0; i < n; i++)
		walk.step[i * n + i] = posterior->scale[i];
	learn(&walk);
	for (size_t i = 0; i < count; i++) {
		for (int k = 0; k < KEEP_EVERY; k++)
			walk_one_step(&walk);
		memcpy(draws + i * n, walk.at, n * sizeof(*draws));
	}
	if (best)
		memcpy(best, walk.best, n * sizeof(*best));
	g_rand_free(walk.random);
}

struct estimate posterior_estimate(const double *values, size_t count, size_t stride, double floor)
{
	double *sorted = g_new(double, count);
	size_t held = (size_t)ceil(SHARE * (double)count), first = 0;
	struct estimate estimate;

	for (size_t i = 0; i < count; i++)
		sorted[i] = values[i * stride];
	qsort(sorted, count, sizeof(*sorted), order_doubles);
	for (size_t i = 1; i + held <= count; i++)
		if (sorted[i + held - 1] - sorted[i] < sorted[first + held - 1] - sorted[first])
			first = i;
	estimate = (struct estimate){
		.value = sorted[count / 2], .low = sorted[first], .high = sorted[first + held - 1]};
	/* A density that is highest at its lower bound gives no draw exactly there, although the
	 * bound belongs to the shortest interval. */
	if (isfinite(floor) && (double)first <= (1 - SHARE) / 4 * (double)count &&
		estimate.low - floor < estimate.high - estimate.low)
		estimate.low = floor;
	g_free(sorted);
	return estimate;
}
