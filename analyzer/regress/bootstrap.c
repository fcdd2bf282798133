/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/bootstrap.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/order.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/regress/scatter.h"
#include "analyzer/response/ablation.h"

#define DRAWS 200
#define POWERS_MAX 100
#define TELLING_MIN 10. /* stretches: of fewer, some draws have none */
#define SEED 1
#define DIGITS 1e-9 /* of a variance: draws that differ by no more are all the same */

static struct normal **equations_of(const struct fitting *fitting, guint stretches, guint *count)
{
	guint *stretch_of = scatter_stretches(fitting, stretches, count);
	struct normal **equations = g_new(struct normal *, *count);

	for (guint i = 0; i < *count; i++)
		equations[i] = normal_new(fitting->fit->powers);
	for (guint row = 0; row < fitting->design->rows; row++)
		normal_add_row(
			equations[stretch_of[row]], fitting->design, row, fitting->weight[row]);
	g_free(stretch_of);
	return equations;
}

/* The powers from as many stretches as there are. */
static bool draw(const struct fitting *fitting, struct normal *const *equations, guint count,
	GRand *random, double *power_w)
{
	struct normal *normal = normal_new(fitting->fit->powers);
	double *weights = g_new(double, normal->n);
	bool solved;

	for (guint i = 0; i < count; i++)
		normal_add(normal, equations[g_rand_int_range(random, 0, (gint32)count)], 1);
	fitting_add_prior(fitting, normal, weights);
	solved = solve_partly_nonnegative(normal->n, normal->matrix, normal->right,
		fitting->design->own, fitting->design->columns, power_w);
	normal_free(normal);
	g_free(weights);
	return solved;
}

/* Sums and sums of squares of what the classes draw more than the fit says, by column. */
static guint draw_all(const struct fitting *fitting, guint stretches,
	const struct covariance_sums *sums, double *first, double *second)
{
	const struct fit *fit = fitting->fit;
	size_t columns = fit->classes->columns.count;
	double *power_w = g_new(double, fit->powers);
	GRand *random = g_rand_new_with_seed(SEED);
	guint count, solved = 0;
	struct normal **equations = equations_of(fitting, stretches, &count);

	for (int i = 0; i < DRAWS; i++) {
		if (!draw(fitting, equations, count, random, power_w))
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

double bootstrap_check(const struct fitting *fitting, guint stretches,
	const struct covariance_sums *sums, const double *covariance, const double *telling)
{
	const struct fit *fit = fitting->fit;
	size_t columns = fit->classes->columns.count, told = 0;
	double *first, *second, *ratio, middle = NAN;
	guint draws;

	if (fit->powers > POWERS_MAX || ablated(ABLATION_BOOTSTRAP))
		return NAN;
	first = g_new0(double, columns + 1);
	second = g_new0(double, columns + 1);
	ratio = g_new(double, columns + 1);
	draws = draw_all(fitting, stretches, sums, first, second);
	for (size_t k = 0; draws > 1 && k < columns; k++) {
		double variance = (second[k] - first[k] * first[k] / draws) / (draws - 1);
		double printed = covariance[k * fit->powers + k];

		if (telling[k] >= TELLING_MIN && variance > DIGITS * printed)
			ratio[told++] = sqrt(variance / printed);
	}
	if (told) {
		qsort(ratio, told, sizeof(*ratio), order_doubles);
		middle = ratio[told / 2];
	}
	g_free(first);
	g_free(second);
	g_free(ratio);
	return middle;
}
