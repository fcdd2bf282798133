/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/uncertainty.h"

#include <math.h>
#include <string.h>

#include "analyzer/attr/activity.h"
#include "analyzer/attr/solve.h"
#include "analyzer/model/curve.h"

#define NUISANCES 3 /* the response's lag, its width and, unless calibrated, its tail */
#define STRETCHES 60
#define STRETCH_MAX_NS 10e9
#define BINS_PER_PERIOD 25.
#define STATIC_KNOWN 0.2  /* the widest interval of it, as a part */
#define RARE_SPREAD 0.3   /* of a typical power, where too few classes tell */
#define LAUNCH_SPREAD 0.5 /* what we assume at most */

/* How far the response may be off, as parts of the period and of its width. */
static const double nuisance_sigma[] = {[RESPONSE_ASSUMED] = 0.3,
	[RESPONSE_STATED] = 0.1,
	[RESPONSE_FOUND] = 0.3,
	[RESPONSE_CALIBRATED] = 0.05};

struct covering {
	struct fitting *fitting;
	size_t n;                 /* powers and nuisances */
	double *slope[NUISANCES]; /* by row: of the prediction, in W for a whole period or width */
	double *inverse;
	double *prior; /* weights, as on the diagonal */
};

static void predict(const struct covering *covering, const struct activity *activity,
	const struct response *response, double *power_w)
{
	const struct design *design = covering->fitting->design;

	for (guint row = 0; row < design->rows; row++) {
		power_w[row] = 0;
		activity_add_parts(activity, response, &design->readings[row], 1, &power_w[row]);
	}
}

static struct response moved(struct response response, double shift_ns, double stretch)
{
	double width_ns = response.taps * response.step_ns;

	response.begin_ns += shift_ns - stretch * width_ns / 2;
	response.step_ns *= 1 + stretch;
	return response;
}

/* The response with another tail and the same mean. */
static struct response tailed(const struct fit *fit, double by_ns)
{
	struct response response = fit->response;
	struct response_shape shape = fit->identified.shape;

	shape.tail_ns += by_ns;
	shape.lag_ns -= by_ns;
	if (fit->identified.origin != RESPONSE_CALIBRATED)
		response_of_shape(&response, &shape);
	return response;
}

/* Differences of predictions with the response moved, stretched or smeared a little. */
static void set_slopes(struct covering *covering, const struct model *model)
{
	const struct fitting *fitting = covering->fitting;
	const struct fit *fit = fitting->fit;
	guint rows = fitting->design->rows;
	double period_ns = (double)curve_period_ns(fit->source->sensor), by = 0.05;
	double reach_ns = fabs(response_end(&fit->response)) + 3 * period_ns;
	const struct response pairs[NUISANCES][2] = {
		{moved(fit->response, by * period_ns, 0), moved(fit->response, -by * period_ns, 0)},
		{moved(fit->response, 0, by), moved(fit->response, 0, -by)},
		{tailed(fit, 2 * by * period_ns), tailed(fit, 0)}};
	double *other = g_new(double, rows);
	struct activity *activity = activity_make(model, fit->classes, fitting->design->readings,
		rows, reach_ns, period_ns / BINS_PER_PERIOD, 1, NULL, fit->power_w);

	for (int i = 0; i < NUISANCES; i++) {
		covering->slope[i] = g_new(double, rows);
		predict(covering, activity, &pairs[i][0], covering->slope[i]);
		predict(covering, activity, &pairs[i][1], other);
		for (guint row = 0; row < rows; row++)
			covering->slope[i][row] = (covering->slope[i][row] - other[row]) / (2 * by);
	}
	activity_free(activity);
	g_free(other);
}

static double *line_of(const struct covering *covering, size_t i)
{
	return covering->inverse + i * covering->n;
}

static void add_slopes(struct covering *covering)
{
	const struct fitting *fitting = covering->fitting;
	const struct design *design = fitting->design;
	size_t powers = fitting->fit->powers;

	for (guint row = 0; row < design->rows; row++) {
		double weight = fitting->scale * fitting->weight[row];

		for (size_t i = 0; i < NUISANCES; i++) {
			double slope = weight * covering->slope[i][row];

			for (gsize k = design->first[row]; k < design->first[row + 1]; k++) {
				const struct design_entry *entry =
					&g_array_index(design->entries, struct design_entry, k);

				line_of(covering, entry->column)[powers + i] += slope * entry->part;
			}
			line_of(covering, powers - 1)[powers + i] += slope;
			for (size_t k = i; k < NUISANCES; k++)
				line_of(covering, powers + i)[powers + k] +=
					slope * covering->slope[k][row];
		}
	}
}

/* The inverse of all equations: the posterior's covariance. */
static bool invert(struct covering *covering)
{
	const struct fitting *fitting = covering->fitting;
	size_t n = covering->n, powers = fitting->fit->powers;

	for (int fold = 0; fold < FIT_FOLDS; fold++)
		for (size_t i = 0; i < powers; i++)
			for (size_t k = i; k < powers; k++)
				line_of(covering, i)[k] +=
					fitting->scale *
					fitting->folds[fold]->matrix[i * powers + k];
	add_slopes(covering);
	for (size_t i = 0; i < n; i++) {
		double sigma = nuisance_sigma[fitting->fit->identified.origin];

		covering->prior[i] = i < powers ? fitting->prior[i] : 1 / (sigma * sigma);
		line_of(covering, i)[i] += covering->prior[i];
	}
	return solve_invert(n, covering->inverse);
}

/* ---- correlation in time ---- */

static void add_score(const struct covering *covering, guint row, double *score)
{
	const struct fitting *fitting = covering->fitting;
	const struct design *design = fitting->design;
	size_t powers = fitting->fit->powers;
	double error = fitting->scale * fitting->weight[row] * fitting->residual_w[row];

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		score[entry->column] += error * entry->part;
	}
	score[powers - 1] += error;
	for (size_t i = 0; i < NUISANCES; i++)
		score[powers + i] += error * covering->slope[i][row];
}

/* Adds the square of what a stretch moves each power by, and forgets its score. */
static void end_stretch(const struct covering *covering, double *score, double *variance)
{
	for (size_t i = 0; i < covering->n; i++) {
		const double *line = line_of(covering, i);
		double move = 0;

		for (size_t k = 0; k < covering->n; k++)
			move += line[k] * score[k];
		variance[i] += move * move;
	}
	memset(score, 0, covering->n * sizeof(*score));
}

/* The variance of each power by the scatter of stretches. */
static double *scatter(const struct covering *covering)
{
	const struct design *design = covering->fitting->design;
	const struct fit *fit = covering->fitting->fit;
	double *variance = g_new0(double, covering->n), *score = g_new0(double, covering->n);
	double begin_ns = design->readings[0].time_ns;
	double span_ns = design->readings[design->rows - 1].time_ns - begin_ns;
	double width_ns = fit->response.taps * fit->response.step_ns +
			  (double)curve_period_ns(fit->source->sensor);
	double stretch_ns = MAX(MIN(span_ns / STRETCHES, STRETCH_MAX_NS), 3 * width_ns);
	double stretches = 1, correction;

	for (guint row = 0; row < design->rows; row++) {
		if (design->readings[row].time_ns >= begin_ns + stretch_ns) {
			end_stretch(covering, score, variance);
			begin_ns = design->readings[row].time_ns;
			stretches++;
		}
		add_score(covering, row, score);
	}
	end_stretch(covering, score, variance);
	correction = stretches / MAX(stretches - 1, 1) * design->rows /
		     MAX((double)design->rows - (double)fit->powers, design->rows / 3.);
	for (size_t i = 0; i < covering->n; i++)
		variance[i] *= correction;
	g_free(score);
	return variance;
}

/* What the prior contributes to the variance of a power. */
static double from_prior(const struct covering *covering, size_t i)
{
	const double *line = line_of(covering, i);
	double sum = 0;

	for (size_t k = 0; k < covering->n; k++)
		sum += line[k] * line[k] * covering->prior[k];
	return sum;
}

static int by_value(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* What other weights change. */
static void add_differences(const struct fitting *fitting)
{
	struct fit *fit = fitting->fit;

	for (size_t i = 0; i < fit->powers; i++)
		for (size_t k = 0; k < fit->powers; k++)
			fit->covariance[i * fit->powers + k] +=
				(fit->power_w[i] - fitting->first_w[i]) *
				(fit->power_w[k] - fitting->first_w[k]);
}

/* Widens the covariance: all powers by the median of what the scatter of stretches says, and each
 * by what it says more of it. */
static void widen(struct covering *covering)
{
	struct fit *fit = covering->fitting->fit;
	double *variance = scatter(covering), *prior = g_new(double, fit->powers);
	double *ratio = g_new(double, fit->powers);

	for (size_t i = 0; i < fit->powers; i++) {
		prior[i] = from_prior(covering, i);
		ratio[i] = variance[i] / MAX(line_of(covering, i)[i] - prior[i], 1e-12);
	}
	qsort(ratio, fit->powers, sizeof(*ratio), by_value);
	fit->inflation = sqrt(MAX(ratio[fit->powers / 2], 1));
	for (size_t i = 0; i < fit->powers; i++) {
		double own, factor = fit->inflation * fit->inflation;

		for (size_t k = 0; k < fit->powers; k++)
			fit->covariance[i * fit->powers + k] = factor * line_of(covering, i)[k];
		own = variance[i] + prior[i] - factor * line_of(covering, i)[i];
		fit->covariance[i * fit->powers + i] += MAX(own, 0);
	}
	add_differences(covering->fitting);
	g_free(variance);
	g_free(prior);
	g_free(ratio);
}

/* ---- what the readings do not say ---- */

static void set_spreads(struct fitting *fitting)
{
	const struct design *design = fitting->design;
	struct fit *fit = fitting->fit;
	uint32_t own = fit->classes->columns - fit->classes->rare_columns;
	double mean_w = 0, variance = 0, time_ns = 0, executions = 0, all_w = 0, width_ns;

	for (uint32_t i = 0; i < own; i++)
		mean_w += fit->power_w[i] / own;
	for (uint32_t i = 0; i < own; i++)
		variance += pow(fit->power_w[i] - mean_w, 2) / MAX(own - 1., 1) +
			    fit->covariance[i * fit->powers + i] / own;
	fit->rare_w = own >= 4 ? sqrt(variance) : RARE_SPREAD * (mean_w + fitting->low_w);
	for (guint i = 0; i < fit->classes->list->len; i++) {
		time_ns += g_array_index(fit->classes->list, struct class, i).time_ns;
		executions += (double)g_array_index(fit->classes->list, struct class, i).executions;
	}
	for (guint row = 0; row < design->rows; row++)
		all_w += design->readings[row].power_w / design->rows;
	width_ns = MAX(fit->response.taps * fit->response.step_ns, design->readings[0].length_ns);
	fit->launch_part = MIN(fit->residual_w / MAX(all_w, 1e-3) *
				       sqrt(MAX(width_ns * executions / MAX(time_ns, 1), 1)),
		LAUNCH_SPREAD);
}

bool fit_set_covariance(struct fitting *fitting, const struct model *model)
{
	struct fit *fit = fitting->fit;
	struct covering covering = {.fitting = fitting, .n = fit->powers + NUISANCES};
	double static_w = fit->power_w[fit->powers - 1];
	bool inverted;

	covering.inverse = g_new0(double, covering.n *covering.n);
	covering.prior = g_new0(double, covering.n);
	set_slopes(&covering, model);
	inverted = invert(&covering);
	if (inverted) {
		fit->covariance = g_new(double, fit->powers * fit->powers);
		widen(&covering);
		fit->static_known = 1.96 * sqrt(fit->covariance[fit->powers * fit->powers - 1]) <
				    STATIC_KNOWN * static_w;
		set_spreads(fitting);
	}
	for (int i = 0; i < NUISANCES; i++)
		g_free(covering.slope[i]);
	g_free(covering.inverse);
	g_free(covering.prior);
	return inverted;
}

/* ---- of sums ---- */

static double rest_of(const struct fit *fit, const struct fit_amount *amount)
{
	const struct class *class =
		&g_array_index(fit->classes->list, struct class, amount->class_index);
	double power_w = fit->power_w[class->column] + fit->power_w[fit->powers - 1];
	double energy_j = power_w * amount->time_ns / 1e9;
	double launches = MAX((double)amount->executions, 1);
	double part = 1 - MIN(launches / MAX((double)class->executions, 1), 1);
	double rare_j = class->rare ? fit->rare_w * amount->time_ns / 1e9 : 0;

	return rare_j * rare_j + part * pow(fit->launch_part * energy_j, 2) / launches;
}

double fit_half_width(double deviation_j, double shift_j)
{
	return MAX(1.96 * deviation_j, 1.645 * deviation_j + fabs(shift_j));
}

/* The variance of so many seconds of some powers. */
static double variance_of(
	const struct fit *fit, const size_t *used, const double *seconds, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++)
			sum += seconds[i] * seconds[k] *
			       fit->covariance[used[i] * fit->powers + used[k]];
	return MAX(sum, 0);
}

double fit_ci95_j(const struct fit *fit, const struct fit_amount *amounts, size_t count)
{
	size_t *used = g_new(size_t, count + 1);
	double *seconds = g_new(double, count + 1), rest = 0, shift_j = 0, width_j;

	used[count] = fit->powers - 1;
	seconds[count] = 0;
	for (size_t i = 0; i < count; i++) {
		const struct class *class =
			&g_array_index(fit->classes->list, struct class, amounts[i].class_index);

		used[i] = class->column;
		seconds[i] = amounts[i].time_ns / 1e9;
		seconds[count] += amounts[i].static_ns / 1e9;
		rest += rest_of(fit, &amounts[i]);
		if (class->energy_j > 0)
			shift_j += amounts[i].energy_j * (1 - class->found_j / class->energy_j);
	}
	width_j = fit_half_width(sqrt(variance_of(fit, used, seconds, count + 1) + rest), shift_j);
	g_free(used);
	g_free(seconds);
	return width_j;
}
