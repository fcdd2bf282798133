/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/bootstrap.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/order.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/regress/scatter.h"
#include "analyzer/response/ablation.h"

#define DRAWS 200                /* know a standard deviation to 5 %: 1 / sqrt(400) */
#define POWERS_MAX 100           /* of more, 200 solutions take seconds */
#define EFFECTIVE_BLOCKS_MIN 10. /* with fewer, some draws have none of a class */
#define SEED 1                   /* fixed, so that reports are reproducible */
#define DIGITS 1e-9              /* of a variance: less is rounding, of draws that are all equal */

static struct normal_equations **equations_of(
	const struct regression *regression, guint blocks, guint *count)
{
	guint *block_of = scatter_blocks(regression, blocks, count);
	struct normal_equations **equations = g_new(struct normal_equations *, *count);

	for (guint i = 0; i < *count; i++)
		equations[i] = normal_new(regression->fit->powers);
	for (guint row = 0; row < regression->design->rows; row++)
		normal_add_row(
			equations[block_of[row]], regression->design, row, regression->weight[row]);
	g_free(block_of);
	return equations;
}

/* Estimates the powers from count blocks drawn with replacement. */
static bool draw(const struct regression *regression, struct normal_equations *const *equations,
	guint count, GRand *random, double *power_w)
{
	struct normal_equations *normal = normal_new(regression->fit->powers);
	double *weights = g_new(double, normal->n);
	bool solved;

	for (guint i = 0; i < count; i++)
		normal_add(normal, equations[g_rand_int_range(random, 0, (gint32)count)], 1);
	regression_add_prior(regression, normal, weights);
	solved = solve_nonnegative(normal->n, normal->matrix, normal->right, power_w);
	normal_free(normal);
	g_free(weights);
	return solved;
}

/* Sums first the deviations of what the classes draw from the fit's, by column, and second their
 * squares.  Returns the number of draws that could be solved. */
static guint draw_all(const struct regression *regression, guint blocks,
	const struct covariance_sums *sums, double *first, double *second)
{
	const struct fit *fit = regression->fit;
	size_t columns = fit->classes->columns.count;
	double *power_w = g_new(double, fit->powers);
	GRand *random = g_rand_new_with_seed(SEED);
	guint count, solved = 0;
	struct normal_equations **equations = equations_of(regression, blocks, &count);

	for (int i = 0; i < DRAWS; i++) {
		if (!draw(regression, equations, count, random, power_w))
			continue;
		solved++;
		for (size_t k = 0; k < columns; k++) {
			double more_w = covariance_sum(sums, k, power_w) -
					covariance_sum(sums, k, fit->power_w);

			first[k] += more_w;
			second[k] += more_w * more_w;
		}
	}
	for (guint i = 0; i < count; i++)
		normal_free(equations[i]);
	g_free(equations);
	g_free(power_w);
	g_rand_free(random);
	return solved;
}

double bootstrap_check(const struct regression *regression, guint blocks,
	const struct covariance_sums *sums, const double *covariance,
	const double *effective_blocks)
{
	const struct fit *fit = regression->fit;
	size_t columns = fit->classes->columns.count, kept = 0;
	double *first, *second, *ratio, median = NAN;
	guint draws;

	if (fit->powers > POWERS_MAX || ablated(ABLATION_BOOTSTRAP))
		return NAN;
	first = g_new0(double, columns + 1);
	second = g_new0(double, columns + 1);
	ratio = g_new(double, columns + 1);
	draws = draw_all(regression, blocks, sums, first, second);
	for (size_t k = 0; draws > 1 && k < columns; k++) {
		double variance = (second[k] - first[k] * first[k] / draws) / (draws - 1);
		double printed = covariance[k * fit->powers + k];

		if (effective_blocks[k] >= EFFECTIVE_BLOCKS_MIN && variance > DIGITS * printed)
			ratio[kept++] = sqrt(variance / printed);
	}
	if (kept) {
		qsort(ratio, kept, sizeof(*ratio), order_doubles);
		median = ratio[kept / 2];
	}
	g_free(first);
	g_free(second);
	g_free(ratio);
	return median;
}
