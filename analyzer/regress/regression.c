/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/regression.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/order.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/regress/design/reading_spans.h"
#include "analyzer/regress/design/replayed_change.h"
#include "analyzer/response/ablation.h"

#define ROUNDS 2           /* of noise and powers in turn: further ones change little */
#define IDLE_BUSY 0.01     /* a reading with no more of its time busy counts as idle */
#define POWERS_FEW 0.1     /* of the rows: then each counts as a degree of freedom */
#define FREEDOM_LEAST 0.05 /* of the rows: a lower bound, as it is a divisor */
#define SPREAD_ROUNDS 6    /* of the fixed point, which mostly converges in fewer */
#define SPREAD_WEIGHT 4.   /* classes that the assumed spread counts as */
#define DOUBT_ROUNDS 5     /* each at least doubles what is seen of a contradiction, or ends it */

/* ---- setting up ---- */

/* Sets the prior: low_w is the mean of the idle readings, else a low quantile; static_w is that,
 * else half of it; typical_w is what running adds to static_w in the mean. */
static void set_prior(struct regression *regression)
{
	guint rows = regression->design->rows, idle = 0;
	double *powers = g_new(double, rows), power_w = 0, idle_w = 0, busy = 0, high_w;

	for (guint row = 0; row < rows; row++) {
		double own = design_sum(regression->design, row, NULL);

		powers[row] = regression->design->readings[row].power_w;
		power_w += powers[row];
		busy += own;
		idle += own < IDLE_BUSY;
		idle_w += own < IDLE_BUSY ? powers[row] : 0;
	}
	qsort(powers, rows, sizeof(*powers), order_doubles);
	regression->prior.low_w = idle ? idle_w / idle : powers[(guint)(PRIOR_OUTLIERS * rows)];
	regression->prior.static_w = regression->prior.low_w * (idle ? 1 : 0.5);
	regression->prior.typical_w =
		MAX(power_w - rows * regression->prior.static_w, 0) / MAX(busy, 1e-3 * rows);
	high_w = powers[rows - 1 - (guint)(PRIOR_OUTLIERS * rows)];
	/* Readings of a device that is mostly idle are far below what kernels draw. */
	regression->prior.widest_w = PRIOR_SPREAD * MAX(high_w, regression->prior.typical_w) + 1e-3;
	regression->prior.spread = 1;
	regression->prior.fit_expects = idle && regression->prior.typical_w > 0;
	g_free(powers);
}

/* By column, the mean duration of an execution as a part of the time that a reading covers: d in
 * equation (9). */
static double *lengths_of(const struct regression *regression)
{
	const struct fit *fit = regression->fit;
	double *length = g_new0(double, fit->powers), *executions = g_new0(double, fit->powers);
	double width_ns = MAX(fit->response.taps * fit->response.step_ns,
		regression->design->readings[0].time_ns - regression->design->readings[0].since_ns);

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

/* Sets the terms of the readings' variances, with the present powers.  replayed: by row, or NULL
 * where nothing is replayed, and before the noise is learnt: assumed noise has no such terms. */
static void set_terms(struct regression *regression, const struct replayed_change *replayed)
{
	const struct design *design = regression->design;
	const struct fit *fit = regression->fit;
	double *length = lengths_of(regression);

	for (guint row = 0; row < design->rows; row++) {
		double *term = regression->terms[row].term, mean_w = 0, mean_square_w2 = 0;
		double change_w2, by_replays = replayed ? replayed[row].part : 0;

		term[NOISE_FLOOR] = 1;
		term[NOISE_PROGRAM] = replayed && fit->source->replays
					      ? 1 - reading_spans_part(fit->source->replays,
							    &design->readings[row])
					      : 0;
		term[NOISE_PART] =
			ablated(ABLATION_NOISE_PART) ? 0 : pow(design->readings[row].power_w, 2);
		term[NOISE_BUSY] = ablated(ABLATION_NOISE_BUSY)
					   ? 0
					   : pow(MIN(design_sum(design, row, NULL), 1), 2);
		term[NOISE_EXECUTIONS] = 0;
		for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
			const struct design_entry *entry =
				&g_array_index(design->entries, struct design_entry, i);
			double power_w = fit->power_w[entry->column];

			if (entry->column >= design->own)
				break;
			mean_w += power_w * entry->part;
			mean_square_w2 += power_w * power_w * entry->part;
			if (!ablated(ABLATION_OVERDISPERSION))
				term[NOISE_EXECUTIONS] += power_w * power_w * entry->part *
							  MIN(length[entry->column], entry->part);
		}
		change_w2 = ablated(ABLATION_NOISE_CHANGE)
				    ? 0
				    : MAX(mean_square_w2 - mean_w * mean_w, 0);
		term[NOISE_CHANGE] = (1 - by_replays) * change_w2;
		term[NOISE_REPLAYED] = by_replays * change_w2;
		term[NOISE_REPLAYED_COARSE] = replayed ? by_replays * replayed[row].coarse_w2 : 0;
	}
	g_free(length);
}

/* Estimates the noise from the present powers and residuals. */
static void learn_noise(struct regression *regression)
{
	const struct design *design = regression->design;
	const struct fit *fit = regression->fit;
	struct replayed_change *replayed =
		ablated(ABLATION_NOISE_REPLAYED)
			? NULL
			: replayed_changes_of(fit->classes, &fit->response, design->readings,
				  design->rows, fit->power_w);

	set_terms(regression, replayed);
	noise_learn(&regression->noise, regression->terms, regression->residual_w, design->rows,
		regression_freedom(regression));
	g_free(replayed);
}

/* Sets the weights from the present residuals, and the normal equations of each fold. */
static void set_weights(struct regression *regression)
{
	const struct design *design = regression->design;

	for (int fold = 0; fold < BLOCKS_FOLDS; fold++) {
		if (regression->folds[fold])
			normal_free(regression->folds[fold]);
		regression->folds[fold] = normal_new(regression->fit->powers);
	}
	for (guint row = 0; row < design->rows; row++) {
		guint fold = offsets_fold(&regression->offsets, design, &regression->blocks, row);

		regression->weight[row] = noise_weight(&regression->noise, &regression->terms[row],
						  regression->residual_w[row]) /
					  (1 + regression->fit->excess_variance);
		if (regression->fit->trust)
			regression->weight[row] *= regression->fit->trust[row];
		normal_add_row(regression->folds[fold], design, row, regression->weight[row]);
	}
	offsets_eliminate(&regression->offsets, design, regression->weight, regression->folds);
}

void regression_begin(struct regression *regression, struct fit *fit, const struct model *model,
	const GArray *readings)
{
	double mean_w = 0;

	*regression = (struct regression){.fit = fit,
		.design = design_make(model, fit->classes, &fit->response,
			(const void *)readings->data, readings->len, &fit->influences)};
	regression->blocks = blocks_of(regression->design->readings, readings->len);
	regression->weight = g_new(double, readings->len);
	regression->residual_w = g_new0(double, readings->len);
	regression->terms = g_new0(struct noise_row, readings->len);
	regression->prior_weight = g_new0(double, fit->powers);
	set_terms(regression, NULL);
	for (guint row = 0; row < readings->len; row++)
		mean_w += regression->design->readings[row].power_w / readings->len;
	regression->noise = noise_assumed(mean_w);
	set_prior(regression);
	offsets_begin(&regression->offsets, fit, regression->design, &regression->blocks,
		regression->prior.low_w);
	set_weights(regression);
}

void regression_end(struct regression *regression)
{
	for (int fold = 0; fold < BLOCKS_FOLDS; fold++)
		normal_free(regression->folds[fold]);
	offsets_end(&regression->offsets);
	if (regression->design)
		design_free(regression->design);
	g_free(regression->weight);
	g_free(regression->residual_w);
	g_free(regression->terms);
	g_free(regression->prior_weight);
}

/* ---- solving ---- */

/* What is expected of a class, or NULL: what others like it draw tells nothing of one that has been
 * measured. */
static const struct expectation *expectation_of(const struct regression *regression, size_t column)
{
	const struct fit *fit = regression->fit;

	if (!regression->prior.fit_expects || !fit->expected ||
		column >= fit->classes->columns.count ||
		(fit->remembered && fit->remembered->column[column].measured))
		return NULL;
	return fit->expected[column].mean > 0 ? &fit->expected[column] : NULL;
}

static double prior_mean_w(const struct regression *regression, size_t column)
{
	const struct expectation *expected = expectation_of(regression, column);

	return regression->prior.typical_w * (expected ? expected->mean : 1);
}

/* The standard deviation of the prior before it is learnt. */
static double assumed_deviation_w(const struct regression *regression, size_t column)
{
	const struct expectation *expected = expectation_of(regression, column);

	return expected ? regression->prior.typical_w * expected->deviation
			: regression->prior.widest_w;
}

struct class_prior regression_class_prior(const struct regression *regression, size_t column)
{
	const struct power_prior *prior = &regression->prior;
	double deviation_w =
		MIN(assumed_deviation_w(regression, column) * prior->spread, prior->widest_w);

	return (struct class_prior){
		prior_mean_w(regression, column), 1 / (deviation_w * deviation_w)};
}

void regression_add_prior(
	const struct regression *regression, struct normal_equations *normal, double *weights)
{
	const struct design *design = regression->design;

	for (size_t i = 0; i <= design->columns; i++) {
		struct class_prior prior = regression_class_prior(regression, i);

		if (i == design->columns) {
			prior.mean_w = regression->prior.static_w;
			prior.precision = 1 / pow(regression->prior.low_w / 2 + 1e-3, 2);
		} else if (i >= design->own) {
			prior = (struct class_prior){0, 1 / (PRIOR_FACTOR * PRIOR_FACTOR)};
		}
		weights[i] = prior.precision;
		normal->matrix[i * normal->n + i] += weights[i];
		normal->right[i] += weights[i] * prior.mean_w;
	}
	remembered_add(regression->fit->remembered, normal->matrix, normal->n, normal->right);
}

void regression_add_normal(const struct regression *regression, double *matrix, size_t n)
{
	size_t powers = regression->fit->powers;

	for (size_t i = 0; i < powers; i++) {
		for (int fold = 0; fold < BLOCKS_FOLDS; fold++)
			for (size_t k = i; k < powers; k++)
				matrix[i * n + k] +=
					regression->folds[fold]->matrix[i * powers + k];
		matrix[i * n + i] += regression->prior_weight[i];
	}
	remembered_add(regression->fit->remembered, matrix, n, NULL);
}

bool regression_find_powers(
	const struct regression *regression, int without, double *prior_weight, double *power_w)
{
	struct normal_equations *normal = normal_new(regression->fit->powers);
	bool solved;

	for (int fold = 0; fold < BLOCKS_FOLDS; fold++)
		if (fold != without && without != REGRESSION_NONE)
			normal_add(normal, regression->folds[fold], 1);
	regression_add_prior(regression, normal, prior_weight);
	solved = solve_nonnegative(normal->n, normal->matrix, normal->right, power_w);
	normal_free(normal);
	return solved;
}

static bool solve(struct regression *regression)
{
	const struct design *design = regression->design;
	struct fit *fit = regression->fit;
	bool solved = regression_find_powers(
		regression, REGRESSION_ALL, regression->prior_weight, fit->power_w);

	for (guint row = 0; row < design->rows; row++)
		regression->residual_w[row] = design->readings[row].power_w -
					      normal_predict(design, row, fit->power_w) -
					      offsets_w(&regression->offsets, row);
	offsets_find(&regression->offsets, regression->weight, regression->residual_w);
	return solved;
}

/* The effective number of parameters (MacKay's gamma) among the first count: how many of them the
 * readings determine, and not the prior. */
static double effective_parameters(
	const struct regression *regression, const double *inverse, size_t count)
{
	double effective = 0;

	for (size_t i = 0; i < count; i++)
		effective +=
			1 - inverse[i * regression->fit->powers + i] * regression->prior_weight[i];
	return effective;
}

double regression_freedom(const struct regression *regression)
{
	double rows = regression->design->rows - offsets_effective(&regression->offsets);
	double powers = (double)regression->fit->powers, *inverse;

	if (powers < POWERS_FEW * rows || ablated(ABLATION_FREEDOM))
		return MAX(rows - powers, FREEDOM_LEAST * rows);
	inverse = g_new0(double, regression->fit->powers * regression->fit->powers);
	regression_add_normal(regression, inverse, regression->fit->powers);
	if (solve_invert(regression->fit->powers, inverse))
		powers = effective_parameters(regression, inverse, regression->fit->powers);
	g_free(inverse);
	return MAX(rows - powers, FREEDOM_LEAST * rows);
}

/* Sets the prior's spread by one step of MacKay's fixed point ("Bayesian
 * interpolation", Neural Computation 4, 1992), equation (8).  Returns whether it changed by more
 * than 1 %. */
static bool learn_spread(struct regression *regression)
{
	const struct fit *fit = regression->fit;
	double *inverse = g_new0(double, fit->powers * fit->powers);
	double before = regression->prior.spread, squares = 0, effective;

	regression_add_normal(regression, inverse, fit->powers);
	if (solve_invert(fit->powers, inverse)) {
		for (size_t i = 0; i < fit->classes->columns.count; i++)
			squares += pow((fit->power_w[i] - prior_mean_w(regression, i)) /
					       assumed_deviation_w(regression, i),
				2);
		effective = effective_parameters(regression, inverse, fit->classes->columns.count);
		regression->prior.spread =
			sqrt((squares + SPREAD_WEIGHT) / (SPREAD_WEIGHT + effective));
	}
	g_free(inverse);
	return fabs(regression->prior.spread / before - 1) > 0.01;
}

/* Doubts what is remembered of classes as far as the readings contradict it, and solves anew.  Call
 * it only once the noise is learnt: the noise that is assumed at first may be too small, so that
 * readings seem to contradict many classes, and one wrong doubt leads to others.  Returns false
 * where the equations cannot be solved. */
static bool doubt(struct regression *regression)
{
	struct fit *fit = regression->fit;

	for (int round = 0; round < DOUBT_ROUNDS && remembered_weigh(fit->remembered, fit->power_w);
		round++)
		if (!solve(regression))
			return false;
	return true;
}

bool regression_solve(struct regression *regression)
{
	remembered_begin(regression->fit->remembered);
	if (!solve(regression))
		return false;
	for (int round = 0; round < ROUNDS && !ablated(ABLATION_NOISE_LEARNED); round++) {
		learn_noise(regression);
		set_weights(regression);
		if (!solve(regression))
			return false;
	}
	/* With a wrong response, powers seem to differ less than they do. */
	for (int round = 0; round < SPREAD_ROUNDS && !ablated(ABLATION_SPREAD) &&
			    (!regression->fit->found.others || ablated(ABLATION_DRAWS_SPREAD)) &&
			    regression->fit->powers <= REGRESSION_COLUMNS_FEW;
		round++)
		if (!learn_spread(regression) || !solve(regression))
			break;
	return doubt(regression);
}

bool regression_refit(
	struct regression *regression, const struct model *model, const GArray *readings)
{
	struct fit *fit = regression->fit;

	regression_end(regression);
	regression_begin(regression, fit, model, readings);
	return regression_solve(regression);
}

bool regression_any_left(const struct regression *regression)
{
	const struct design *design = regression->design;
	double least_w2 = design->rows * regression->noise.least_w2;
	double left_w2 = 0, varied_w2 = 0;

	for (guint row = 0; row < design->rows; row++) {
		left_w2 += pow(regression->residual_w[row], 2);
		varied_w2 += pow(design->readings[row].power_w - design->readings[0].power_w, 2);
	}
	return left_w2 > least_w2 && varied_w2 > least_w2;
}

bool regression_expect(struct regression *regression)
{
	remembered_begin(regression->fit->remembered);
	return regression_find_powers(
		regression, REGRESSION_NONE, regression->prior_weight, regression->fit->power_w);
}

void regression_keep_prior(const struct regression *regression)
{
	struct fit *fit = regression->fit;

	fit->prior = g_new(struct class_prior, fit->powers);
	for (size_t i = 0; i < fit->classes->columns.count; i++)
		fit->prior[i] = regression_class_prior(regression, i);
	remembered_compare(fit->remembered, fit->power_w, fit->covariance, fit->powers, fit->prior);
}
