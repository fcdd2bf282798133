/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/numeric/solve.h"
#include "analyzer/response/trial.h"

#define GAIN_LEAST 0.02 /* twice the logarithm of the likelihood: a descent ends below it */
#define DAMPED_MOST 1e4 /* with more damping a step is nearly none */
#define P SHAPE_PARAMETERS

/* The normal equations of the shape's parameters, from which the powers have been eliminated
 * (Golub and Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems
 * whose variables separate", SIAM Journal on Numerical Analysis 10, 1973, with Kaufman's
 * simplification). */
struct shape_equations {
	double unit_ns[P];
	double matrix[P * P], right[P];
};

/* The derivatives of the rows by each free parameter, in W for a unit: [P][rows].  g_free it. */
static double *slopes_of(struct trial *trial, const struct response_shape *shape, const bool *free,
	const double *unit_ns)
{
	struct activity *powers = activity_weighted(trial->activity, trial->x);
	const struct power_reading *readings = (const void *)trial->readings->data;
	double *slopes = g_new0(double, (gsize)P * trial->rows), *down = g_new(double, trial->rows);
	struct activity_view view;

	activity_view_begin(&view, powers);
	for (int i = 0; i < P; i++) {
		double *up = slopes + (gsize)i * trial->rows, apart;
		struct response_shape sides[2];

		if (!free[i])
			continue;
		apart = response_shape_sides(shape, i, unit_ns[i], sides);
		activity_view_parts(&view, &sides[0], readings, trial->rows, 1, up);
		activity_view_parts(&view, &sides[1], readings, trial->rows, 1, down);
		for (guint row = 0; row < trial->rows; row++)
			up[row] = (up[row] - down[row]) / apart;
	}
	activity_view_end(&view);
	activity_free(powers);
	g_free(down);
	return slopes;
}

/* Adds the equations of a trial whose last shape was this one.  Returns false where those of its
 * powers cannot be solved. */
static bool add_equations(struct shape_equations *equations, struct trial *trial,
	const struct response_shape *shape, const bool *free)
{
	guint n = trial->unknowns, rows = trial->rows;
	double *slopes = slopes_of(trial, shape, free, equations->unit_ns);
	double *with = g_new0(double, (gsize)P *n), *inverse = g_new(double, (gsize)n *n);
	bool solved;

	memcpy(inverse, trial->matrix, (gsize)n * n * sizeof(*inverse));
	solved = solve_invert(n, inverse);
	for (guint row = 0; row < rows; row++) {
		const double *parts = trial->parts + (gsize)row * n;
		double left_w = trial_residual_w(trial, row);

		for (int i = 0; i < P; i++) {
			double own = trial->weight[row] * slopes[(gsize)i * rows + row];

			equations->right[i] += own * left_w;
			for (int k = 0; k < P; k++)
				equations->matrix[i * P + k] += own * slopes[(gsize)k * rows + row];
			for (guint k = 0; k < n; k++)
				with[(gsize)i * n + k] += own * parts[k];
		}
	}
	for (int i = 0; solved && i < P; i++)
		for (guint j = 0; j < n; j++) {
			double eliminated = 0;

			for (guint k = 0; k < n; k++)
				eliminated += inverse[(gsize)j * n + k] * with[(gsize)i * n + k];
			for (int k = 0; k < P; k++)
				equations->matrix[i * P + k] -= eliminated * with[(gsize)k * n + j];
		}
	g_free(slopes);
	g_free(with);
	g_free(inverse);
	return solved;
}

/* Moves a shape by one step with this damping (Marquardt).  Returns the gain that the equations
 * predict. */
static double step(const struct shape_equations *equations, const bool *free, double damping,
	struct response_shape *shape)
{
	const double length[P] = {
		[SHAPE_WINDOW] = shape->window_ns / equations->unit_ns[SHAPE_WINDOW],
		[SHAPE_TAIL] = shape->tail_ns / equations->unit_ns[SHAPE_TAIL]};
	double matrix[P * P], score[P], by[P], gain;

	for (int i = 0; i < P; i++) {
		score[i] = free[i] ? equations->right[i] : 0;
		for (int k = 0; k < P; k++)
			matrix[i * P + k] = free[i] && free[k] ? equations->matrix[i * P + k] : 0;
		matrix[i * P + i] = free[i] ? (1 + damping) * matrix[i * P + i] + 1e-9 : 1;
	}
	gain = response_shape_step(matrix, score, length, by);
	for (int i = 0; i < P; i++)
		by[i] *= free[i] ? equations->unit_ns[i] : 0;
	*shape = response_shape_moved(shape, by);
	return gain;
}

double trials_misfit(struct trial *trials, guint count, const struct response_shape *shape)
{
	double misfit = 0;

	for (guint i = 0; i < count; i++)
		misfit += trial_misfit(&trials[i], shape);
	return misfit;
}

static bool set_equations(struct shape_equations *equations, struct trial *trials, guint count,
	const struct response_shape *shape, const bool *free)
{
	*equations = (struct shape_equations){
		.unit_ns = {trials->period_ns, MAX(trials->period_ns, shape->window_ns),
			trials->period_ns}};
	for (guint i = 0; i < count; i++)
		if (!add_equations(equations, &trials[i], shape, free))
			return false;
	return true;
}

double trials_descend(struct trial *trials, guint count, const bool free[SHAPE_PARAMETERS],
	guint steps, struct response_shape *shape)
{
	double least = trials_misfit(trials, count, shape), damping = 0;
	struct shape_equations equations;
	bool known = false;
	guint rows = 0;

	for (guint i = 0; i < count; i++)
		rows += trials[i].rows;
	for (guint i = 0; i < steps && isfinite(least) && damping < DAMPED_MOST; i++) {
		struct response_shape next = *shape;
		double enough = GAIN_LEAST * least / rows, misfit = INFINITY;

		if (!known && !set_equations(&equations, trials, count, shape, free))
			break;
		known = true;
		if (step(&equations, free, damping, &next) < enough)
			break;
		if (trial_allows(trials, &next))
			misfit = trials_misfit(trials, count, &next);
		if (!(misfit < least)) {
			damping = MAX(8 * damping, 0.1);
			continue;
		}
		known = least - misfit < enough;
		damping /= 8;
		least = misfit;
		*shape = next;
		if (known)
			break;
	}
	return least;
}
