/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/exponents.h"

#include <math.h>

#include "analyzer/numeric/solve.h"
#include "analyzer/response/ablation.h"

#define DIFFERS 0.3         /* standard deviation of exponents about what is expected of them */
#define EXPONENT_LEAST 0.01 /* power does not fall when the clock rises */
#define STEP 1e-3           /* of an exponent, for derivatives */

void exponents_set(struct fit *fit, struct influence *influence, double factor)
{
	const struct influence_kind *kind = influence->kind;
	double before = influence->parameter;
	guint classes = fit->classes->list->len;

	influence->parameter =
		CLAMP(factor, kind->parameters[0], kind->parameters[kind->parameter_count - 1]);
	if (!kind->field)
		return;
	if (!influence->exponent) {
		influence->exponent = fit->clock_exponent = g_new(double, classes + 1);
		for (guint i = 0; i < classes; i++)
			fit->clock_exponent[i] = influence_exponent(fit->clock, i, before);
	}
	for (guint i = 0; i < classes; i++)
		fit->clock_exponent[i] *= influence->parameter / before;
}

static const struct influence *clock_of(const struct fit *fit)
{
	for (guint i = 0; i < fit->influences.count; i++)
		if (fit->influences.list[i].exponent)
			return &fit->influences.list[i];
	return NULL;
}

/* A design in which each class has a second column: by how much the clock would have moved its
 * power, with an exponent of 1. */
static struct design *design_of(const struct regression *regression, const struct model *model,
	const struct influence *clock, struct power_reading *readings)
{
	const struct fit *fit = regression->fit;
	double *exponent = g_new(double, fit->classes->list->len + 1);
	struct influences influences = {.count = 1, .by_class = true, .list = {*clock}};
	struct design *design;

	for (guint i = 0; i < fit->classes->list->len; i++)
		exponent[i] = STEP;
	influences.list[0].parameter = STEP;
	influences.list[0].exponent = exponent;
	influence_compute(&influences.list[0], model, fit->classes, fit->power_w);
	design = design_make(model, fit->classes, &fit->response, readings,
		regression->design->rows, &influences);
	influence_clear(&influences.list[0]);
	g_free(exponent);
	return design;
}

/* What is expected of a column's exponent less what it is: the mean over its classes. */
static void add_expected(const struct fit *fit, const struct influence *clock,
	struct normal_equations *normal, double weight)
{
	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);
		double off = influence_exponent(fit->clock, i, clock->parameter) -
			     fit->clock_exponent[i];

		normal->right[fit->classes->columns.count + class->column] +=
			weight * off * class->time_ns /
			fit->classes->columns.time_ns[class->column];
	}
}

static void move(struct fit *fit, const double *by)
{
	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);

		fit->clock_exponent[i] =
			MAX(fit->clock_exponent[i] + by[class->column], EXPONENT_LEAST);
	}
}

/* One Gauss-Newton step; the powers may move with the exponents, and are solved for afterwards. */
void exponents_learn(const struct regression *regression, const struct model *model)
{
	struct fit *fit = regression->fit;
	const struct influence *clock = clock_of(fit);
	guint rows = regression->design->rows, own = regression->design->own;
	struct power_reading *residuals;
	struct normal_equations *normal;
	struct design *design;
	double *change;

	if (!clock || ablated(ABLATION_CLOCK_EXPONENTS))
		return;
	residuals = g_memdup2(regression->design->readings, rows * sizeof(*residuals));
	for (guint row = 0; row < rows; row++)
		residuals[row].power_w = regression->residual_w[row];
	design = design_of(regression, model, clock, residuals);
	normal = normal_new(design->columns + 1);
	change = g_new0(double, normal->n);
	for (guint row = 0; row < rows; row++)
		normal_add_row(normal, design, row, regression->weight[row]);
	for (guint i = 0; i < own; i++) {
		normal->matrix[i * normal->n + i] += regression->prior_weight[i];
		normal->matrix[(own + i) * normal->n + own + i] += 1 / (DIFFERS * DIFFERS);
	}
	normal->matrix[normal->n * normal->n - 1] += regression->prior_weight[fit->powers - 1];
	add_expected(fit, clock, normal, 1 / (DIFFERS * DIFFERS));
	if (solve_partly_nonnegative(
		    normal->n, normal->matrix, normal->right, 0, normal->n, change))
		move(fit, change + own);
	g_free(change);
	normal_free(normal);
	design_free(design);
	g_free(residuals);
}

/* The mean clock of a class is the one at which it would have drawn its mean power. */
void exponents_find_clocks(struct fit *fit, const struct model *model)
{
	guint classes = fit->classes->list->len;
	double *time_ns;

	if (!fit->clock_exponent)
		return;
	time_ns = g_new0(double, classes + 1);
	fit->clock_mean = g_new0(double, classes + 1);
	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		double length_ns = (double)(execution->end_ns - execution->begin_ns);
		uint32_t own = classes_find(fit->classes, execution);

		if (own == CLASSES_NONE)
			continue;
		time_ns[own] += length_ns;
		fit->clock_mean[own] += length_ns * exp(fit->clock_exponent[own] *
							    clock_field_log(fit->clock, execution));
	}
	for (guint i = 0; i < classes; i++)
		fit->clock_mean[i] =
			pow(fit->clock_mean[i] / time_ns[i], 1 / fit->clock_exponent[i]);
	g_free(time_ns);
}
