/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/selection.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/autocorrelation.h"
#include "analyzer/numeric/bisect.h"
#include "analyzer/numeric/parallel.h"
#include "analyzer/regress/nuisance.h"
#include "analyzer/response/ablation.h"

#define ROWS_MAX 1500 /* readings: each costs the square of the columns */
/* The gain that a candidate needs, in twice the logarithm of the likelihood: one candidate in six
 * hundred has it by chance, and those of one kind are nearly the same. */
#define GAIN_NEEDED 10.

static void add_candidates(struct influences *candidates, const struct influence_kind *kind,
	const struct clock_field *field)
{
	for (guint i = 0; i < kind->parameter_count; i++)
		candidates->list[candidates->count++] = (struct influence){
			.kind = kind, .parameter = kind->parameters[i], .field = field};
}

/* The first execution that begins at that time or later. */
static guint execution_at(const struct model *model, double time_ns)
{
	return BISECT(i, 0, model->executions->len,
		(double)model_execution_at(model, i)->begin_ns >= time_ns);
}

/* The weighted cross products, summed over the rows, of all columns, candidates, nuisance
 * parameters and the residual: n × n. */
struct cross_products {
	size_t n;
	double *matrix;
};

static double *at(const struct cross_products *products, size_t i, size_t k)
{
	return &products->matrix[i * products->n + k];
}

/* Fills in the values of one row, 0 where the design has no entry. */
static void set_line(double *line, const struct design *design, guint row,
	const struct nuisances *nuisances, double residual_w)
{
	size_t n = design->columns;

	memset(line, 0, (n + 1) * sizeof(*line));
	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		line[entry->column] = entry->part;
	}
	line[n] = 1;
	for (int i = 0; i < NUISANCES; i++)
		line[n + 1 + i] = nuisances->slope[i][row];
	line[n + 1 + NUISANCES] = residual_w;
}

static void add_line(struct cross_products *products, const double *line, double weight)
{
	for (size_t i = 0; i < products->n; i++)
		for (size_t k = i; (line[i] > 0 || line[i] < 0) && k < products->n; k++)
			*at(products, i, k) += weight * line[i] * line[k];
}

/* Eliminates a column from all others (Gauss): what it explains of them is subtracted.  Its
 * diagonal element must not be 0. */
static void eliminate(struct cross_products *products, size_t pivot)
{
	double own = *at(products, pivot, pivot);

	for (size_t i = 0; i < products->n; i++) {
		double factor = *at(products, i, pivot) / own;

		if (i == pivot || !(fabs(factor) > 0))
			continue;
		for (size_t k = 0; k < products->n; k++)
			*at(products, i, k) -= factor * *at(products, pivot, k);
	}
	for (size_t i = 0; i < products->n; i++)
		if (i != pivot)
			*at(products, i, pivot) = *at(products, pivot, i) = 0;
}

/* The prior weight of a column's coefficient. */
static double prior_weight(
	const struct regression *regression, const struct design *design, size_t column)
{
	double sigma = PRIOR_FACTOR;

	if (column < regression->design->columns)
		return regression->prior_weight[column];
	if (column == design->columns)
		return regression->prior_weight[regression->design->columns];
	if (column > design->columns)
		sigma = nuisances_sigma(regression->fit);
	return 1 / (sigma * sigma);
}

/* The cross products from which all but the candidates have been eliminated.  first: the row of the
 * regression with which the design begins. */
static struct cross_products products_of(const struct regression *regression,
	const struct design *design, guint first, const struct nuisances *nuisances)
{
	struct cross_products products = {.n = design->columns + NUISANCES + 2};
	double *line = g_new(double, products.n);

	products.matrix = g_new0(double, products.n *products.n);
	for (guint row = 0; row < design->rows; row++) {
		set_line(line, design, row, nuisances, regression->residual_w[first + row]);
		add_line(&products, line, regression->weight[first + row]);
	}
	for (size_t i = 0; i < products.n; i++)
		for (size_t k = 0; k < i; k++)
			*at(&products, i, k) = *at(&products, k, i);
	for (size_t i = 0; i + 1 < products.n; i++)
		*at(&products, i, i) += prior_weight(regression, design, i);
	for (size_t i = 0; i + 1 < products.n; i++)
		if (i < regression->design->columns || i >= design->columns)
			eliminate(&products, i);
	g_free(line);
	return products;
}

/* How many independent readings the rows count as: residuals that drift say the same many times. */
static double independent_rows(const struct regression *regression, guint first, guint rows)
{
	double *left = g_new(double, rows), time;

	for (guint row = 0; row < rows; row++)
		left[row] =
			sqrt(regression->weight[first + row]) * regression->residual_w[first + row];
	time = ablated(ABLATION_SELECTION_TIME) ? 1 : autocorrelation_time(left, rows);
	g_free(left);
	return rows / time;
}

/* The candidate, from first on, with the largest gain; the number of candidates where none has
 * enough.  A factor is not negative. */
static guint best_of(const struct cross_products *products, const struct influences *candidates,
	guint first, double rows)
{
	size_t last = products->n - 1, own = last - 1 - NUISANCES - candidates->count;
	guint best = candidates->count;
	double most = GAIN_NEEDED;

	for (guint i = first; i < candidates->count; i++) {
		double with = fmax(*at(products, own + i, last), 0);
		double left = *at(products, last, last);
		double part = with * with / (*at(products, own + i, own + i) * left);
		double gain = -rows * log(1 - MIN(part, 1 - 1e-9));

		if (gain > most) {
			most = gain;
			best = i;
		}
	}
	return best;
}

/* Whether a kind, or another that explains the same, is among the influences. */
static bool is_among(const struct influences *influences, const struct influence_kind *kind)
{
	for (guint i = 0; i < influences->count; i++)
		if (influences->list[i].kind == kind ||
			(influences->list[i].kind->speeds && kind->speeds))
			return true;
	return false;
}

/* Lists the chosen influences first, then those that may be added. */
static void list_candidates(struct influences *candidates, const struct model *model,
	const struct clock_field *field, const struct influences *chosen, guint first, guint end)
{
	*candidates = *chosen;
	for (const struct influence_kind *kind = influence_kinds; kind->name; kind++)
		if (!is_among(chosen, kind) && !kind->replays &&
			(!kind->states || model->state_sensors->len) && (!kind->field || field))
			add_candidates(candidates, kind, field);
	for (guint i = 0; i < candidates->count; i++) {
		candidates->list[i].first = first;
		candidates->list[i].end = end;
		candidates->list[i].value_w = NULL;
	}
}

/* The kind that needs no proof and is not chosen yet, or NULL.  Where nearly all readings are of
 * replays, or nearly all of the program, readings hardly prove that powers differ between the two,
 * and still all energies depend on it. */
static const struct influence_kind *unproved(
	const struct classes *classes, const struct influences *chosen)
{
	const struct influence_kind *kind = influence_kind_of_replays();

	return classes->replayed && !is_among(chosen, kind) && !ablated(ABLATION_REPLAYS_DIFFER)
		       ? kind
		       : NULL;
}

static bool add_unproved(const struct classes *classes, struct influences *chosen)
{
	const struct influence_kind *kind = unproved(classes, chosen);

	if (kind)
		chosen->list[chosen->count++] = (struct influence){.kind = kind};
	return kind != NULL;
}

/* What values of candidates are computed from. */
struct candidates_job {
	struct influences *candidates;
	const struct model *model;
	const struct fit *fit;
};

static void compute_candidate(guint i, void *context)
{
	const struct candidates_job *job = context;

	influence_compute(
		&job->candidates->list[i], job->model, job->fit->classes, job->fit->power_w);
}

bool selection_add(
	const struct regression *regression, const struct model *model, struct influences *chosen)
{
	const struct fit *fit = regression->fit;
	guint all = regression->design->rows, rows = MIN(all, ROWS_MAX), first = (all - rows) / 2;
	const struct power_reading *readings = regression->design->readings + first;
	struct influences candidates = {.count = 0};
	struct nuisances nuisances;
	struct cross_products products;
	struct design *design;
	guint best;

	if (chosen->count == INFLUENCES_CHOSEN_MAX || fit->powers > REGRESSION_COLUMNS_FEW ||
		rows < 2 * fit->powers || !regression_any_left(regression))
		return false;
	/* The last place is for that which needs no proof. */
	if (chosen->count + 1 == INFLUENCES_CHOSEN_MAX && unproved(fit->classes, chosen))
		return add_unproved(fit->classes, chosen);
	list_candidates(&candidates, model, fit->clock, chosen,
		execution_at(model, readings[0].since_ns - response_end_ns(&fit->response)),
		execution_at(model, readings[rows - 1].time_ns - fit->response.begin_ns));
	parallel_for(candidates.count, compute_candidate,
		&(struct candidates_job){&candidates, model, fit});
	design = design_make(model, fit->classes, &fit->response, readings, rows, &candidates);
	nuisances_make(&nuisances, fit, readings, rows);
	products = products_of(regression, design, first, &nuisances);
	best = best_of(
		&products, &candidates, chosen->count, independent_rows(regression, first, rows));
	if (best < candidates.count)
		chosen->list[chosen->count++] =
			(struct influence){.kind = candidates.list[best].kind,
				.parameter = candidates.list[best].parameter,
				.field = fit->clock};
	for (guint i = 0; i < candidates.count; i++)
		influence_clear(&candidates.list[i]);
	nuisances_clear(&nuisances);
	g_free(products.matrix);
	design_free(design);
	return best < candidates.count || add_unproved(fit->classes, chosen);
}
