/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/drawn_responses.h"

#include "analyzer/numeric/order.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/regress/covariance.h"
#include "analyzer/response/ablation.h"

#define ROWS_MAX 3000 /* about so many readings in all: each response costs a design of them */
#define STRETCH 50    /* readings side by side, so that executions are in few stretches */
#define EXCEED 1.1    /* ratio of variances: less may be chance in sixteen draws */

/* Some of a regression's readings: all, or stretches from all of its time. */
struct some_readings {
	GArray *readings; /* struct power_reading */
	GArray *rows;     /* guint: of the regression */
	double weight;    /* by how many readings each counts */
};

static struct some_readings some_of(const struct design *design)
{
	guint every = (design->rows + ROWS_MAX - 1) / ROWS_MAX;
	struct some_readings some = {g_array_new(FALSE, FALSE, sizeof(struct power_reading)),
		g_array_new(FALSE, FALSE, sizeof(guint)), 1};

	for (guint row = 0; row < design->rows; row++) {
		if (row / STRETCH % every != 0)
			continue;
		g_array_append_val(some.readings, design->readings[row]);
		g_array_append_val(some.rows, row);
	}
	some.weight = (double)design->rows / some.rows->len;
	return some;
}

/* Estimates the powers with another response; the weights of the readings and the prior stay.
 * Returns false where the equations cannot be solved. */
static bool find_powers(const struct regression *regression, const struct model *model,
	const struct some_readings *some, const struct response_shape *shape, double *power_w)
{
	const struct fit *fit = regression->fit;
	struct normal_equations *normal = normal_new(fit->powers);
	double *weights = g_new(double, fit->powers);
	struct response response;
	struct design *design;
	bool solved;

	response_of_shape(&response, shape);
	design = design_make(model, fit->classes, &response, (const void *)some->readings->data,
		some->readings->len, &fit->influences);
	for (guint row = 0; row < design->rows; row++)
		normal_add_row(normal, design, row,
			some->weight * regression->weight[g_array_index(some->rows, guint, row)]);
	regression_add_prior(regression, normal, weights);
	solved = solve_partly_nonnegative(
		normal->n, normal->matrix, normal->right, design->own, design->columns, power_w);
	design_free(design);
	normal_free(normal);
	g_free(weights);
	return solved;
}

/* The mean, over the drawn shapes, of the squares of what they move the powers by. */
static double *moved_of(const struct regression *regression, const struct model *model)
{
	const struct found_response *found = &regression->fit->found;
	size_t powers = regression->fit->powers;
	double *covariance = g_new0(double, powers *powers);
	double *own_w = g_new0(double, powers), *other_w = g_new0(double, powers);
	struct some_readings some = some_of(regression->design);
	bool solved = find_powers(regression, model, &some, &found->shape, own_w);

	for (guint i = 0; solved && i < found->others; i++) {
		if (!find_powers(regression, model, &some, &found->other[i], other_w))
			continue;
		for (size_t k = 0; k < powers; k++)
			other_w[k] -= own_w[k];
		covariance_add(covariance, powers, 1. / found->others, other_w);
	}
	g_array_free(some.readings, TRUE);
	g_array_free(some.rows, TRUE);
	g_free(own_w);
	g_free(other_w);
	return covariance;
}

/* The median ratio of the classes' variances in two covariances. */
static double ratio_of(const struct fit *fit, const double *a, const double *b)
{
	size_t columns = fit->classes->columns.count;
	double *ratios = g_new(double, columns + 1), median;

	for (size_t i = 0; i < columns; i++)
		ratios[i] = a[i * fit->powers + i] / MAX(b[i * fit->powers + i], 1e-12);
	qsort(ratios, columns, sizeof(*ratios), order_doubles);
	median = columns ? ratios[columns / 2] : 0;
	g_free(ratios);
	return median;
}

void drawn_responses_add(const struct regression *regression, const struct model *model)
{
	struct fit *fit = regression->fit;
	size_t count = fit->powers * fit->powers;
	double *moved = moved_of(regression, model), *whole = g_new0(double, count);

	regression_add_normal(regression, whole, fit->powers);
	if (solve_invert(fit->powers, whole)) {
		for (size_t i = 0; i < count; i++)
			whole[i] += moved[i];
		if (!ablated(ABLATION_DRAWS_MORE) && ratio_of(fit, whole, fit->covariance) < EXCEED)
			fit->found.others = 0;
		for (size_t i = 0; fit->found.others && i < count; i++)
			fit->covariance[i] += moved[i];
	}
	g_free(whole);
	g_free(moved);
}
