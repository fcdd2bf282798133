/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/joint.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/solve.h"
#include "analyzer/regress/covariance.h"
#include "analyzer/response/ablation.h"

#define STEPS_MAX 5 /* each is a solution; most fits need two */
/* After a step of so many units about as much is left to gain as it gained; after others, in
 * proportion to the square of their length.  For slopes change by about a tenth in a hundredth of a
 * period. */
#define STEP_BENT 0.1
/* The gain that may be left, in twice the logarithm of the likelihood: with 0.1, no power is off by
 * more than sqrt(0.1) = 0.32 of its standard deviation. */
#define LEFT_MOST 0.1
#define SURE 1.96 /* standard deviations: half a 95 % interval */

static double *line_of(const struct joint_fit *joint, size_t i)
{
	return joint->inverse + i * joint->n;
}

/* Adds the rows and columns of the nuisance parameters to the normal matrix. */
static void add_slopes(struct joint_fit *joint, const struct regression *regression)
{
	const struct design *design = regression->design;
	size_t powers = regression->fit->powers;

	for (guint row = 0; row < design->rows; row++) {
		double weight = regression->weight[row];

		for (size_t i = 0; i < NUISANCES; i++) {
			double slope = weight * joint->nuisances.slope[i][row];

			for (gsize k = design->first[row]; k < design->first[row + 1]; k++) {
				const struct design_entry *entry =
					&g_array_index(design->entries, struct design_entry, k);

				line_of(joint, entry->column)[powers + i] += slope * entry->part;
			}
			line_of(joint, powers - 1)[powers + i] += slope;
			for (size_t k = i; k < NUISANCES; k++)
				line_of(joint, powers + i)[powers + k] +=
					slope * joint->nuisances.slope[k][row];
		}
	}
}

/* Eliminates the offsets of replays from these rows and columns, as from those of the powers. */
static void take_offsets(struct joint_fit *joint, const struct regression *regression)
{
	size_t powers = regression->fit->powers;

	for (guint o = 0; o < offsets_count(&regression->offsets); o++) {
		const double *line = nuisances_offset_line(&joint->nuisances, regression, o);
		double weight = offsets_at(&regression->offsets, o)->weight;

		for (size_t i = 0; i < joint->n; i++)
			for (size_t k = MAX(i, powers); k < joint->n; k++)
				line_of(joint, i)[k] -= line[i] * line[k] / weight;
	}
}

/* Inverts the normal matrix of powers and nuisance parameters, with the prior. */
static bool invert(struct joint_fit *joint, const struct regression *regression)
{
	size_t n = joint->n, powers = regression->fit->powers;

	regression_add_normal(regression, joint->inverse, n);
	add_slopes(joint, regression);
	take_offsets(joint, regression);
	for (size_t i = 0; i < powers; i++)
		joint->prior[i] = regression->prior_weight[i];
	for (size_t i = powers; i < n; i++) {
		double sigma = nuisances_sigma(regression->fit);

		joint->prior[i] = 1 / (sigma * sigma);
		line_of(joint, i)[i] += joint->prior[i];
	}
	return solve_invert(n, joint->inverse);
}

static bool make(struct joint_fit *joint, const struct regression *regression)
{
	joint->n = regression->fit->powers + NUISANCES;
	joint->inverse = g_new0(double, joint->n * joint->n);
	joint->prior = g_new0(double, joint->n);
	nuisances_make(&joint->nuisances, regression->fit, regression->design->readings,
		regression->design->rows);
	nuisances_set_offset_lines(&joint->nuisances, regression);
	return invert(joint, regression);
}

/* A Gauss-Newton step of the response, in units of the nuisance parameters. */
struct response_step {
	double by[NUISANCES];
	double factor[NUISANCES]; /* M by: of the inverse's columns, for the powers */
	double left; /* gain left after it, about; in twice the logarithm of the likelihood */
};

/* The derivatives of the log-likelihood and the prior by the nuisance parameters; the prior is
 * about the response that was found. */
static void set_score(
	const struct joint_fit *joint, const struct regression *regression, double *score)
{
	size_t powers = regression->fit->powers;

	for (size_t i = 0; i < NUISANCES; i++) {
		score[i] = -joint->prior[powers + i] * joint->moved[i];
		for (guint row = 0; row < regression->design->rows; row++)
			score[i] += regression->weight[row] * joint->nuisances.slope[i][row] *
				    regression->residual_w[row];
	}
}

/* The Gauss-Newton step of the response; zero where it gains less than LEFT_MOST.  The powers solve
 * their own equations already, so that only those of the response are left, from which the powers
 * have been eliminated (Schur complement). */
static struct response_step find_step(
	const struct joint_fit *joint, const struct regression *regression)
{
	double information[NUISANCES * NUISANCES], score[NUISANCES], by[NUISANCES];
	double length[NUISANCES], gain, longest = 0;
	struct response_step step = {.left = 0};

	for (size_t i = 0; i < NUISANCES; i++)
		memcpy(information + i * NUISANCES,
			line_of(joint, regression->fit->powers + i) + regression->fit->powers,
			NUISANCES * sizeof(*information));
	if (!solve_invert(NUISANCES, information))
		return step;
	set_score(joint, regression, score);
	for (size_t i = 0; i < NUISANCES; i++)
		length[i] = nuisances_length(regression->fit, i);
	gain = response_shape_step(information, score, length, by);
	if (gain < LEFT_MOST || !regression_any_left(regression) || ablated(ABLATION_JOINT))
		return step;
	for (size_t i = 0; i < NUISANCES; i++)
		longest = MAX(longest, fabs(by[i]));
	step.left = gain * pow(longest / STEP_BENT, 2);
	for (size_t i = 0; i < NUISANCES; i++) {
		step.by[i] = by[i];
		for (size_t k = 0; k < NUISANCES; k++)
			step.factor[i] += information[i * NUISANCES + k] * by[k];
	}
	return step;
}

/* Moves the powers along with a step of the response, and the residuals along with both.  Powers
 * that are held at 0 stay there. */
static void move_powers(const struct joint_fit *joint, struct regression *regression,
	const struct response_step *step)
{
	struct fit *fit = regression->fit;
	double *by_w = g_new0(double, fit->powers);

	for (size_t i = 0; i < fit->powers; i++) {
		double before_w = fit->power_w[i];

		for (size_t k = 0; before_w > 0 && k < NUISANCES; k++)
			fit->power_w[i] += line_of(joint, i)[fit->powers + k] * step->factor[k];
		fit->power_w[i] = MAX(fit->power_w[i], 0);
		by_w[i] = fit->power_w[i] - before_w;
	}
	for (guint row = 0; row < regression->design->rows; row++) {
		regression->residual_w[row] -= normal_predict(regression->design, row, by_w);
		for (size_t k = 0; k < NUISANCES; k++)
			regression->residual_w[row] -= joint->nuisances.slope[k][row] * step->by[k];
	}
	offsets_find(&regression->offsets, regression->weight, regression->residual_w);
	g_free(by_w);
}

bool joint_solve(struct joint_fit *joint, struct regression *regression, const struct model *model,
	const GArray *readings)
{
	*joint = (struct joint_fit){.n = 0};
	for (int steps = 1;; steps++) {
		struct response_step step;

		if (!make(joint, regression))
			return false;
		step = find_step(joint, regression);
		nuisances_move(regression->fit, step.by);
		for (size_t i = 0; i < NUISANCES; i++)
			joint->moved[i] += step.by[i];
		if (step.left < LEFT_MOST || steps == STEPS_MAX) {
			move_powers(joint, regression, &step);
			return true;
		}
		joint_clear(joint);
		if (!regression_refit(regression, model, readings))
			return false;
	}
}

double *joint_vif(const struct joint_fit *joint, const struct regression *regression)
{
	size_t powers = regression->fit->powers;
	double *vif = g_new0(double, powers);

	for (size_t i = 0; i < powers; i++)
		for (int fold = 0; fold < BLOCKS_FOLDS; fold++)
			vif[i] += line_of(joint, i)[i] *
				  regression->folds[fold]->matrix[i * powers + i];
	return vif;
}

static struct estimate estimate_of(
	const struct joint_fit *joint, double value, const double *slope, double inflation)
{
	struct covariance_term terms[NUISANCES];
	double reach;

	for (size_t i = 0; i < NUISANCES; i++)
		terms[i] = (struct covariance_term){joint->n - NUISANCES + i, slope[i]};
	reach = SURE *
		sqrt(inflation * covariance_variance(terms, NUISANCES, joint->inverse, joint->n));
	return (struct estimate){value, value - reach, value + reach};
}

/* Widens an interval until it contains a value. */
static void extend(struct estimate *estimate, double value)
{
	estimate->low = MIN(estimate->low, value);
	estimate->high = MAX(estimate->high, value);
}

void joint_set_estimates(const struct joint_fit *joint, struct fit *fit, double inflation)
{
	struct estimate *window_ns = &fit->found.window_ns;
	double window_slope[NUISANCES], lag_slope[NUISANCES];

	nuisances_response_slopes(fit, window_slope, lag_slope);
	*window_ns =
		estimate_of(joint, response_window_ns(&fit->response), window_slope, inflation);
	window_ns->low = MAX(window_ns->low, 0);
	fit->found.lag_ns =
		estimate_of(joint, response_lag_ns(&fit->response), lag_slope, inflation);
	for (guint i = 0; i < fit->found.others; i++) {
		struct response other;

		response_of_shape(&other, &fit->found.other[i]);
		extend(window_ns, response_window_ns(&other));
		extend(&fit->found.lag_ns, response_lag_ns(&other));
	}
}

void joint_clear(struct joint_fit *joint)
{
	nuisances_clear(&joint->nuisances);
	g_clear_pointer(&joint->inverse, g_free);
	g_clear_pointer(&joint->prior, g_free);
}
