/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/fitting.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/order.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/response/ablation.h"

#define ROUNDS 2           /* of learning what the noise is */
#define IDLE_BUSY 0.01     /* of a reading, at most, that saw a device idle */
#define POWERS_FEW 0.1     /* of the rows */
#define FREEDOM_LEAST 0.05 /* of the rows */
#define SPREAD_ROUNDS 6
#define SPREAD_WEIGHT 4. /* the widest spread counts as much as so many classes */

/* ---- what it starts from ---- */

static double busy_part(const struct design *design, guint row)
{
	double sum = 0;

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		sum += entry->column < design->own ? entry->part : 0;
	}
	return sum;
}

/* What the prior is about: the least that is drawn, which is what idling draws where there is such,
 * and what running adds on average. */
static void set_prior(struct fitting *fitting)
{
	guint rows = fitting->design->rows, idle = 0;
	double *powers = g_new(double, rows), power_w = 0, idle_w = 0, busy = 0;

	for (guint row = 0; row < rows; row++) {
		double own = busy_part(fitting->design, row);

		powers[row] = fitting->design->readings[row].power_w;
		power_w += powers[row];
		busy += own;
		idle += own < IDLE_BUSY;
		idle_w += own < IDLE_BUSY ? powers[row] : 0;
	}
	qsort(powers, rows, sizeof(*powers), order_doubles);
	fitting->prior.low_w = idle ? idle_w / idle : powers[(guint)(PRIOR_OUTLIERS * rows)];
	fitting->prior.typical_w =
		MAX(power_w - rows * fitting->prior.low_w * (idle ? 1 : 0.5), 0) /
		MAX(busy, 1e-3 * rows);
	fitting->prior.widest_w =
		PRIOR_SPREAD * powers[rows - 1 - (guint)(PRIOR_OUTLIERS * rows)] + 1e-3;
	fitting->prior.spread_w = fitting->prior.widest_w;
	g_free(powers);
}

/* For which part of what a reading saw one execution of each column lasts: those of a column are
 * about as long. */
static double *lengths_of(const struct fitting *fitting)
{
	const struct fit *fit = fitting->fit;
	double *length = g_new0(double, fit->powers), *executions = g_new0(double, fit->powers);
	double width_ns = MAX(fit->response.taps * fit->response.step_ns,
		fitting->design->readings[0].time_ns - fitting->design->readings[0].since_ns);

	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);

		length[class->column] += class->time_ns;
		executions[class->column] += (double)class->executions;
	}
	for (size_t i = 0; i < fit->powers; i++)
		length[i] = MIN(length[i] / MAX(executions[i], 1) / width_ns, 1);
	g_free(executions);
	return length;
}

static void set_terms(struct fitting *fitting)
{
	const struct design *design = fitting->design;
	double *length = lengths_of(fitting);

	for (guint row = 0; row < design->rows; row++) {
		double *term = fitting->terms[row].term;

		term[NOISE_FLOOR] = 1;
		term[NOISE_PART] =
			ablated(ABLATION_NOISE_PART) ? 0 : pow(design->readings[row].power_w, 2);
		term[NOISE_BUSY] =
			ablated(ABLATION_NOISE_BUSY) ? 0 : pow(MIN(busy_part(design, row), 1), 2);
		term[NOISE_EXECUTIONS] = 0;
		for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
			const struct design_entry *entry =
				&g_array_index(design->entries, struct design_entry, i);
			double power_w = fitting->fit->power_w[entry->column];

			if (entry->column >= design->own || ablated(ABLATION_OVERDISPERSION))
				break;
			term[NOISE_EXECUTIONS] += power_w * power_w * entry->part *
						  MIN(length[entry->column], entry->part);
		}
	}
	g_free(length);
}

static void set_weights(struct fitting *fitting)
{
	const struct design *design = fitting->design;

	for (int fold = 0; fold < BLOCKS_FOLDS; fold++) {
		if (fitting->folds[fold])
			normal_free(fitting->folds[fold]);
		fitting->folds[fold] = normal_new(fitting->fit->powers);
	}
	for (guint row = 0; row < design->rows; row++) {
		guint fold = blocks_fold(&fitting->blocks, design->readings[row].time_ns);

		fitting->weight[row] = noise_weight(
			&fitting->noise, &fitting->terms[row], fitting->residual_w[row]);
		normal_add_row(fitting->folds[fold], design, row, fitting->weight[row]);
	}
}

void fitting_begin(
	struct fitting *fitting, struct fit *fit, const struct model *model, const GArray *readings)
{
	double mean_w = 0;

	*fitting = (struct fitting){.fit = fit,
		.design = design_make(model, fit->classes, &fit->response,
			(const void *)readings->data, readings->len, &fit->influences)};
	fitting->blocks = blocks_of(fitting->design->readings, readings->len);
	fitting->weight = g_new(double, readings->len);
	fitting->residual_w = g_new0(double, readings->len);
	fitting->terms = g_new0(struct noise_row, readings->len);
	fitting->prior_weight = g_new0(double, fit->powers);
	set_terms(fitting);
	for (guint row = 0; row < readings->len; row++)
		mean_w += fitting->design->readings[row].power_w / readings->len;
	fitting->noise = noise_assumed(mean_w);
	set_prior(fitting);
	set_weights(fitting);
}

void fitting_end(struct fitting *fitting)
{
	for (int fold = 0; fold < BLOCKS_FOLDS; fold++)
		normal_free(fitting->folds[fold]);
	if (fitting->design)
		design_free(fitting->design);
	g_free(fitting->weight);
	g_free(fitting->residual_w);
	g_free(fitting->terms);
	g_free(fitting->prior_weight);
}

/* ---- solving ---- */

void fitting_add_prior(const struct fitting *fitting, struct normal *normal, double *weights)
{
	const struct design *design = fitting->design;

	for (size_t i = 0; i <= design->columns; i++) {
		double sigma = fitting->prior.spread_w, mean = fitting->prior.typical_w;

		if (i == design->columns)
			sigma = (mean = fitting->prior.low_w / 2) + 1e-3;
		else if (i >= design->own)
			sigma = PRIOR_FACTOR, mean = 0;
		weights[i] = 1 / (sigma * sigma);
		normal->matrix[i * normal->n + i] += weights[i];
		normal->right[i] += weights[i] * mean;
	}
}

void fitting_add_equations(const struct fitting *fitting, double *matrix, size_t n)
{
	size_t powers = fitting->fit->powers;

	for (size_t i = 0; i < powers; i++) {
		for (int fold = 0; fold < BLOCKS_FOLDS; fold++)
			for (size_t k = i; k < powers; k++)
				matrix[i * n + k] += fitting->folds[fold]->matrix[i * powers + k];
		matrix[i * n + i] += fitting->prior_weight[i];
	}
}

bool fitting_find_powers(
	const struct fitting *fitting, int without, double *prior_weight, double *power_w)
{
	const struct design *design = fitting->design;
	struct normal *normal = normal_new(fitting->fit->powers);
	bool solved;

	for (int fold = 0; fold < BLOCKS_FOLDS; fold++)
		if (fold != without)
			normal_add(normal, fitting->folds[fold], 1);
	fitting_add_prior(fitting, normal, prior_weight);
	solved = solve_partly_nonnegative(
		normal->n, normal->matrix, normal->right, design->own, design->columns, power_w);
	normal_free(normal);
	return solved;
}

static bool solve(struct fitting *fitting)
{
	const struct design *design = fitting->design;
	struct fit *fit = fitting->fit;
	bool solved =
		fitting_find_powers(fitting, FITTING_ALL, fitting->prior_weight, fit->power_w);

	for (guint row = 0; row < design->rows; row++)
		fitting->residual_w[row] =
			design->readings[row].power_w - normal_predict(design, row, fit->power_w);
	return solved;
}

/* By how many parameters the readings tell powers from the prior. */
static double told_of(const struct fitting *fitting, const double *inverse, size_t count)
{
	double told = 0;

	for (size_t i = 0; i < count; i++)
		told += 1 - inverse[i * fitting->fit->powers + i] * fitting->prior_weight[i];
	return told;
}

/* How many degrees of freedom the residuals have.  A power takes one at most; where that would be
 * many, it is worth an inverse to know how much of it the readings tell. */
static double freedom_of(const struct fitting *fitting)
{
	double rows = fitting->design->rows, powers = (double)fitting->fit->powers;
	double *inverse;

	if (powers < POWERS_FEW * rows || ablated(ABLATION_FREEDOM))
		return MAX(rows - powers, FREEDOM_LEAST * rows);
	inverse = g_new0(double, fitting->fit->powers * fitting->fit->powers);
	fitting_add_equations(fitting, inverse, fitting->fit->powers);
	if (solve_invert(fitting->fit->powers, inverse))
		powers = told_of(fitting, inverse, fitting->fit->powers);
	g_free(inverse);
	return MAX(rows - powers, FREEDOM_LEAST * rows);
}

/* How widely the powers differ, by MacKay's fixed point ("Bayesian interpolation", Neural
 * Computation 4, 1992): each counts as far as the readings tell it from the prior.  Returns whether
 * that has changed what the prior is. */
static bool learn_spread(struct fitting *fitting)
{
	const struct fit *fit = fitting->fit;
	double *inverse = g_new0(double, fit->powers * fit->powers);
	double before_w = fitting->prior.spread_w, squares = 0, told;

	fitting_add_equations(fitting, inverse, fit->powers);
	if (solve_invert(fit->powers, inverse)) {
		for (size_t i = 0; i < fit->classes->columns.count; i++)
			squares += pow(fit->power_w[i] - fitting->prior.typical_w, 2);
		told = told_of(fitting, inverse, fit->classes->columns.count);
		squares += SPREAD_WEIGHT * pow(fitting->prior.widest_w, 2);
		fitting->prior.spread_w =
			MIN(sqrt(squares / (SPREAD_WEIGHT + told)), fitting->prior.widest_w);
	}
	g_free(inverse);
	return fabs(fitting->prior.spread_w / before_w - 1) > 0.01;
}

bool fitting_solve(struct fitting *fitting)
{
	if (!solve(fitting))
		return false;
	for (int round = 0; round < ROUNDS && !ablated(ABLATION_NOISE_LEARNED); round++) {
		set_terms(fitting);
		noise_learn(&fitting->noise, fitting->terms, fitting->residual_w,
			fitting->design->rows, freedom_of(fitting));
		set_weights(fitting);
		if (!solve(fitting))
			return false;
	}
	/* By a response that may be another one, powers seem to differ less than they do. */
	for (int round = 0; round < SPREAD_ROUNDS && !ablated(ABLATION_SPREAD) &&
			    (!fitting->fit->found.others || ablated(ABLATION_DRAWS_SPREAD)) &&
			    fitting->fit->powers <= FITTING_COLUMNS_FEW;
		round++)
		if (!learn_spread(fitting) || !solve(fitting))
			break;
	return true;
}

bool fitting_again(struct fitting *fitting, const struct model *model, const GArray *readings)
{
	struct fit *fit = fitting->fit;

	fitting_end(fitting);
	fitting_begin(fitting, fit, model, readings);
	return fitting_solve(fitting);
}
