/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/utilization/utilization.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/solve.h"
#include "analyzer/regress/utilization/shares.h"
#include "analyzer/response/ablation.h"

#define LATE_BLOCKS 12 /* for the first search */
#define LATE_STEP_NS 50e3
#define LATE_STEPS 10 /* each way: the recorder compares the clocks to a tenth of a millisecond */
#define LATE_DRIFT_NS 30e3 /* from one block to the next */
#define COLUMNS_FEW 400    /* with more, solutions take too long to be repeated */
#define LATE_ROUNDS 30
#define LATE_NEAR_NS 50 /* a block that moves by less is where it belongs */
#define SLOPE_NS 5e3    /* half of the distance of two designs, for the slope by time */
/* What a kernel does and when the profiler says that it ran differ at both ends: it comes up, tails
 * off and leaves writes behind.  Standard deviation, by the kernels of a training loop on an H100
 * and the same kernels replayed without a pause (README.md). */
#define EDGE_NS 2.5e3
#define SLIGHT 1e-3      /* readings: a weight of the prior that only keeps equations solvable */
#define NOISE_LEAST 1e-4 /* of a share */
#define SHARE_PRIOR 0.5  /* standard deviation of a share about the mean one */

static double squares_of(const double *values, guint count)
{
	double sum = 0;

	for (guint i = 0; i < count; i++)
		sum += values[i] * values[i];
	return sum;
}

/* Their number times their variance. */
static double variation_of(const double *values, guint count)
{
	double mean = 0, sum = 0;

	for (guint i = 0; i < count; i++)
		mean += values[i] / count;
	for (guint i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum;
}

/* ---- by how much the counters' times are late ---- */

/* The part whose shares change most, which tells most of when.  At least one is counted. */
static int liveliest(const struct counted *counted)
{
	double most = -1;
	int found = 0;

	for (int part = 0; part < PWRTRACE_PARTS; part++) {
		double variation = counted->share[part]
					   ? variation_of(counted->share[part], counted->rows)
					   : -2;

		found = variation > most ? part : found;
		most = MAX(most, variation);
	}
	return found;
}

/* Where, at the begin of a block, as many of all values as rows begin to change most. */
static guint liveliest_rows(const double *values, guint all, guint rows)
{
	double most = -1;
	guint found = 0;

	for (guint first = 0; first + rows <= all; first += COUNTED_BLOCK) {
		double variation = variation_of(values + first, rows);

		found = variation > most ? first : found;
		most = MAX(most, variation);
	}
	return found;
}

/* A search for how late all times are, by some rows of one part. */
struct late_search {
	struct share_equations *equations;
	guint first, rows;
	int part;
	double best_ns, left; /* the best so far, and the squares that it leaves unexplained */
};

static void set_late(struct share_equations *equations, double late_ns)
{
	for (guint block = 0; block < equations->counted->rows / COUNTED_BLOCK; block++)
		equations->late_ns[block] = late_ns;
}

static double left_by(const struct late_search *search, double late_ns)
{
	struct share_equations *equations = search->equations;
	double *share = g_new0(double, equations->n + 1), *residual, left = INFINITY;

	set_late(equations, late_ns);
	shares_set(equations, search->first, search->rows);
	residual = shares_solve(equations, search->part, SLIGHT, share);
	if (residual)
		left = squares_of(residual, search->rows);
	g_free(residual);
	g_free(share);
	return left;
}

static void try_around(struct late_search *search, double middle_ns, double step_ns, int steps)
{
	for (int i = -steps; i <= steps; i++) {
		double left = left_by(search, middle_ns + i * step_ns);

		if (left < search->left) {
			search->left = left;
			search->best_ns = middle_ns + i * step_ns;
		}
	}
}

/* A common value: the counters' clock is compared with ours by when samples appear. */
static void find_late(struct share_equations *equations)
{
	const struct counted *counted = equations->counted;
	struct late_search search = {.equations = equations,
		.rows = MIN(counted->rows, LATE_BLOCKS * COUNTED_BLOCK),
		.part = liveliest(counted),
		.left = INFINITY};

	search.first = liveliest_rows(counted->share[search.part], counted->rows, search.rows);
	try_around(&search, 0, LATE_STEP_NS, LATE_STEPS);
	try_around(&search, search.best_ns, LATE_STEP_NS / 5, 4);
	set_late(equations, search.best_ns);
}

/* Moves a block by a Gauss-Newton step, with the shares as they are.  The clocks' difference is
 * followed by the recorder, so that it hardly moves between blocks: it is drawn to that of the one
 * before.  Returns by how much it was moved. */
static double move_block(
	struct share_equations *equations, const struct utilization *utilization, guint block)
{
	struct design *later =
		shares_design(equations, block * COUNTED_BLOCK, COUNTED_BLOCK, SLOPE_NS);
	struct design *sooner =
		shares_design(equations, block * COUNTED_BLOCK, COUNTED_BLOCK, -SLOPE_NS);
	double before_ns = equations->late_ns[block ? block - 1 : 0];
	double information = pow(LATE_DRIFT_NS, -2), by_ns;
	double score = (before_ns - equations->late_ns[block]) * information;

	for (int part = 0; part < PWRTRACE_PARTS; part++)
		for (guint i = 0; utilization->share[part] && i < COUNTED_BLOCK; i++) {
			double a = shares_predict(later, i, utilization->share[part]);
			double b = shares_predict(sooner, i, utilization->share[part]);
			double slope = (a - b) / (2 * SLOPE_NS);
			double residual =
				equations->counted->share[part][block * COUNTED_BLOCK + i] -
				(a + b) / 2;
			double weight = pow(utilization->noise[part], -2);

			score += weight * slope * residual;
			information += weight * slope * slope;
		}
	design_free(later);
	design_free(sooner);
	by_ns = CLAMP(score / information, -LATE_STEP_NS, LATE_STEP_NS);
	equations->late_ns[block] += by_ns;
	return fabs(by_ns);
}

/* ---- all parts ---- */

/* The standard deviation of a reading, which is larger by as much as neighbours are alike. */
static double noise_of(const double *residual, guint count, size_t unknowns)
{
	double squares = squares_of(residual, count), products = 0, alike;

	for (guint i = 1; i < count; i++)
		products += residual[i] * residual[i - 1];
	alike = CLAMP(squares > 0 ? products / squares : 0, 0, 0.9);
	return sqrt(squares / MAX((double)count - (double)unknowns, 1) * (1 + alike) / (1 - alike));
}

/* Solves for a part, with the prior that its noise gives weight: the last one, if it is known. */
static void solve_part(struct utilization *utilization, struct share_equations *equations, int part)
{
	guint rows = equations->counted->rows;
	double *share = g_new0(double, equations->n + 1), variation;
	double noise = utilization->noise[part];
	double *residual = shares_solve(
		equations, part, noise > 0 ? pow(noise / SHARE_PRIOR, 2) : SLIGHT, share);

	g_free(utilization->share[part]);
	utilization->share[part] = NULL;
	if (!residual) {
		g_free(share);
		return;
	}
	variation = variation_of(equations->counted->share[part], rows);
	utilization->share[part] = share;
	utilization->noise[part] = MAX(noise_of(residual, rows, equations->n), NOISE_LEAST);
	utilization->explained[part] =
		variation > 0 ? MAX(1 - squares_of(residual, rows) / variation, 0) : 1;
	g_free(residual);
}

static void solve_parts(struct utilization *utilization, struct share_equations *equations)
{
	for (int part = 0; part < PWRTRACE_PARTS; part++)
		if (equations->counted->share[part])
			solve_part(utilization, equations, part);
}

/* The root of the mean of squares of a part's shares over the busy time. */
static double typical_of(const struct utilization *utilization, int part, const double *time_ns)
{
	double squares = 0, all_ns = 0;

	for (uint32_t i = 0; i < utilization->columns; i++) {
		squares += time_ns[i] * pow(MIN(utilization->share[part][i], 1), 2);
		all_ns += time_ns[i];
	}
	return all_ns > 0 ? sqrt(squares / all_ns) : 0;
}

/* By column: EDGE_NS as a part of the mean execution. */
static double *edges_of(const struct classes *classes)
{
	double *edge = g_new0(double, (gsize)classes->columns.count + 1);
	double *executions = g_new0(double, (gsize)classes->columns.count + 1);

	for (guint i = 0; i < classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);

		executions[class->column] += (double)class->executions;
	}
	for (uint32_t i = 0; i < classes->columns.count; i++)
		edge[i] = EDGE_NS * executions[i] / MAX(classes->columns.time_ns[i], 1);
	g_free(executions);
	return edge;
}

/* weight: of the prior, the least of all parts, so that what readings do not tell is no better
 * known than before. */
static bool invert(
	struct utilization *utilization, const struct share_equations *equations, double weight)
{
	size_t n = equations->n;

	utilization->inverse = g_memdup2(equations->matrix, sizeof(double) * (n * n + 1));
	for (size_t i = 0; i < n; i++)
		utilization->inverse[i * n + i] += weight;
	return solve_invert(n, utilization->inverse);
}

static void find_shares(struct utilization *utilization, struct share_equations *equations)
{
	double moved_ns = INFINITY;

	find_late(equations);
	shares_set(equations, 0, equations->counted->rows);
	solve_parts(utilization, equations);
	/* By the noise that is known now. */
	solve_parts(utilization, equations);
	if (equations->n > COLUMNS_FEW || ablated(ABLATION_UTILIZATION_CLOCK))
		return;
	for (int round = 0; round < LATE_ROUNDS && moved_ns > LATE_NEAR_NS; round++) {
		moved_ns = 0;
		for (guint block = 0; block < equations->counted->rows / COUNTED_BLOCK; block++)
			moved_ns = MAX(moved_ns, move_block(equations, utilization, block));
		shares_set(equations, 0, equations->counted->rows);
		solve_parts(utilization, equations);
	}
}

struct utilization *utilization_of(
	const struct model *model, const struct source *source, const struct classes *classes)
{
	struct counted counted = counted_of(model, source, &classes->columns);
	struct utilization *utilization = NULL;
	double weight = INFINITY;
	bool any = false;

	if (counted.rows && classes->columns.count) {
		struct share_equations equations = shares_begin(model, classes, &counted);

		utilization = g_new0(struct utilization, 1);
		utilization->uuid = counted.uuid;
		utilization->columns = classes->columns.count;
		utilization->readings = counted.rows;
		utilization->edge = edges_of(classes);
		find_shares(utilization, &equations);
		for (int part = 0; part < PWRTRACE_PARTS; part++)
			if (utilization->share[part]) {
				any = true;
				weight =
					MIN(weight, pow(utilization->noise[part] / SHARE_PRIOR, 2));
				utilization->typical[part] =
					typical_of(utilization, part, classes->columns.time_ns);
			}
		any = any && invert(utilization, &equations, weight);
		shares_end(&equations);
	}
	counted_clear(&counted);
	if (any)
		return utilization;
	utilization_free(utilization);
	return NULL;
}

void utilization_free(struct utilization *utilization)
{
	if (!utilization)
		return;
	for (int part = 0; part < PWRTRACE_PARTS; part++)
		g_free(utilization->share[part]);
	g_free(utilization->inverse);
	g_free(utilization->edge);
	g_free(utilization);
}

void utilization_add(const struct utilization *utilization, const uint32_t *column,
	const double *time_ns, guint count, struct utilization_sum *sum)
{
	double variance = 0, all_ns = 0;

	for (guint i = 0; i < count; i++) {
		const double *row = utilization->inverse + (size_t)column[i] * utilization->columns;

		all_ns += time_ns[i];
		for (guint k = 0; k < count; k++)
			variance += time_ns[i] * time_ns[k] * row[column[k]];
	}
	for (int part = 0; part < PWRTRACE_PARTS; part++) {
		if (!utilization->share[part])
			continue;
		sum->time_ns[part] += all_ns;
		sum->variance_ns2[part] += pow(utilization->noise[part], 2) * MAX(variance, 0);
		for (guint i = 0; i < count; i++) {
			double share = MIN(utilization->share[part][column[i]], 1);

			sum->busy_ns[part] += time_ns[i] * share;
			sum->variance_ns2[part] +=
				pow(time_ns[i] * utilization->edge[column[i]], 2) *
				(pow(share, 2) + pow(utilization->typical[part], 2));
		}
	}
}

struct utilization_share utilization_share_of(
	const struct utilization_sum *sum, enum pwrtrace_part part)
{
	double time_ns = sum->time_ns[part];

	if (!(time_ns > 0))
		return (struct utilization_share){NAN, NAN};
	return (struct utilization_share){
		sum->busy_ns[part] / time_ns, sqrt(sum->variance_ns2[part]) / time_ns};
}
