/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/uncertainty.h"

#include <math.h>
#include <string.h>

#include "analyzer/attr/nuisance.h"
#include "analyzer/attr/solve.h"
#include "analyzer/model/curve.h"

#define STRETCHES 60
#define STRETCH_MAX_NS 10e9
#define TELLING_MIN 10.   /* stretches, to be worth asking */
#define ALIKE_LEAST 0.05  /* an autocorrelation that is more than chance */
#define UNLIKELY 2.33     /* standard deviations: one in a hundred */
#define STATIC_KNOWN 0.2  /* the widest interval of it, as a part */
#define RARE_SPREAD 0.3   /* of a typical power, where too few classes tell */
#define LAUNCH_SPREAD 0.5 /* what we assume at most */

struct covering {
	struct fitting *fitting;
	size_t n; /* powers and nuisances */
	struct nuisances nuisances;
	double *inverse;
	double *prior; /* weights, as on the diagonal */
};

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
		double weight = fitting->weight[row];

		for (size_t i = 0; i < NUISANCES; i++) {
			double slope = weight * covering->nuisances.slope[i][row];

			for (gsize k = design->first[row]; k < design->first[row + 1]; k++) {
				const struct design_entry *entry =
					&g_array_index(design->entries, struct design_entry, k);

				line_of(covering, entry->column)[powers + i] += slope * entry->part;
			}
			line_of(covering, powers - 1)[powers + i] += slope;
			for (size_t k = i; k < NUISANCES; k++)
				line_of(covering, powers + i)[powers + k] +=
					slope * covering->nuisances.slope[k][row];
		}
	}
}

/* The inverse of all equations: the posterior's covariance. */
static bool invert(struct covering *covering)
{
	const struct fitting *fitting = covering->fitting;
	size_t n = covering->n, powers = fitting->fit->powers;

	fitting_add_equations(fitting, covering->inverse, n);
	add_slopes(covering);
	for (size_t i = 0; i < powers; i++)
		covering->prior[i] = fitting->prior_weight[i];
	for (size_t i = powers; i < n; i++) {
		double sigma = nuisances_sigma(fitting->fit);

		covering->prior[i] = 1 / (sigma * sigma);
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
	double error = fitting->weight[row] * fitting->residual_w[row];

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		score[entry->column] += error * entry->part;
	}
	score[powers - 1] += error;
	for (size_t i = 0; i < NUISANCES; i++)
		score[powers + i] += error * covering->nuisances.slope[i][row];
}

/* What stretches of time say of a power: their scatter, and how many tell of it. */
struct scatter {
	double *variance; /* by power and nuisance */
	double *weight,
		*squares;    /* by power: sums over stretches, of what they weigh and its square */
	double *score, *own; /* of the stretch */
};

/* Adds the square of what a stretch moves each power by, and forgets its score. */
static void end_stretch(const struct covering *covering, struct scatter *scatter)
{
	for (size_t i = 0; i < covering->n; i++) {
		const double *line = line_of(covering, i);
		double move = 0;

		for (size_t k = 0; k < covering->n; k++)
			move += line[k] * scatter->score[k];
		scatter->variance[i] += move * move;
		scatter->weight[i] += scatter->own[i];
		scatter->squares[i] += scatter->own[i] * scatter->own[i];
	}
	memset(scatter->score, 0, covering->n * sizeof(double));
	memset(scatter->own, 0, covering->n * sizeof(double));
}

static void add_row(const struct covering *covering, guint row, struct scatter *scatter)
{
	const struct design *design = covering->fitting->design;

	add_score(covering, row, scatter->score);
	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		scatter->own[entry->column] +=
			covering->fitting->weight[row] * entry->part * entry->part;
	}
	scatter->own[design->columns] += covering->fitting->weight[row];
}

static double stretch_ns(const struct covering *covering)
{
	const struct design *design = covering->fitting->design;
	const struct fit *fit = covering->fitting->fit;
	double span_ns = design->readings[design->rows - 1].time_ns - design->readings[0].time_ns;
	double width_ns = fit->response.taps * fit->response.step_ns +
			  (double)curve_period_ns(fit->source->sensor);

	return MAX(MIN(span_ns / STRETCHES, STRETCH_MAX_NS), 3 * width_ns);
}

static struct scatter scatter_of(const struct covering *covering)
{
	const struct design *design = covering->fitting->design;
	struct scatter scatter = {g_new0(double, covering->n), g_new0(double, covering->n),
		g_new0(double, covering->n), g_new0(double, covering->n),
		g_new0(double, covering->n)};
	double begin_ns = design->readings[0].time_ns, length_ns = stretch_ns(covering);

	for (guint row = 0; row < design->rows; row++) {
		if (design->readings[row].time_ns >= begin_ns + length_ns) {
			end_stretch(covering, &scatter);
			begin_ns = design->readings[row].time_ns;
		}
		add_row(covering, row, &scatter);
	}
	end_stretch(covering, &scatter);
	return scatter;
}

static void free_scatter(struct scatter *scatter)
{
	g_free(scatter->variance);
	g_free(scatter->weight);
	g_free(scatter->squares);
	g_free(scatter->score);
	g_free(scatter->own);
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

/* How many stretches tell of a power, as many as if all weighed the same. */
static double telling(const struct scatter *scatter, size_t i)
{
	return scatter->weight[i] * scatter->weight[i] / MAX(scatter->squares[i], 1e-300);
}

/* The quantile z (in standard deviations of a normal variate) of a mean of so many squares of
 * normal variates (Wilson and Hilferty, PNAS 17, 1931). */
static double quantile(double freedom, double z)
{
	double part = 2 / (9 * freedom);

	return pow(MAX(1 - part + z * sqrt(part), 0), 3);
}

static int by_value(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* How many readings in a row say the same, by the residuals' autocorrelation up to where it
 * vanishes. */
static double alike(const struct fitting *fitting)
{
	double squares = 0, sum = 1;

	for (guint row = 0; row < fitting->design->rows; row++)
		squares += fitting->residual_w[row] * fitting->residual_w[row];
	for (guint lag = 1; lag < fitting->design->rows / 10; lag++) {
		double products = 0;

		for (guint row = lag; row < fitting->design->rows; row++)
			products += fitting->residual_w[row] * fitting->residual_w[row - lag];
		if (!(products > ALIKE_LEAST * squares))
			break;
		sum += 2 * products / squares;
	}
	return sum;
}

/* By how much the scatter exceeds what the posterior makes of the readings' noise: by power
 * (negative where too few stretches tell), and of the middle class; where no class runs often
 * enough, what the autocorrelation says. */
static double compare(const struct covering *covering, const struct scatter *scatter, double *ratio)
{
	const struct fit *fit = covering->fitting->fit;
	double *told = g_new(double, fit->powers), middle;
	size_t count = 0;

	for (size_t i = 0; i < fit->powers; i++) {
		double stretches = telling(scatter, i);
		double from_readings = line_of(covering, i)[i] - from_prior(covering, i);

		ratio[i] = -1;
		if (stretches < TELLING_MIN)
			continue;
		ratio[i] = scatter->variance[i] * stretches / (stretches - 1) /
			   MAX(from_readings, 1e-12);
		if (i < fit->classes->columns)
			told[count++] = ratio[i];
	}
	qsort(told, count, sizeof(*told), by_value);
	middle = count ? told[count / 2] : alike(covering->fitting);
	g_free(told);
	return MAX(middle, 1);
}

/* Widens the covariance: all powers by what the scatter says of the middle one, and each by its own
 * where that cannot be chance. */
static void widen(struct covering *covering)
{
	struct fit *fit = covering->fitting->fit;
	struct scatter scatter = scatter_of(covering);
	double *ratio = g_new(double, fit->powers), middle = compare(covering, &scatter, ratio);

	fit->inflation = sqrt(middle);
	for (size_t i = 0; i < fit->powers; i++) {
		double freedom = telling(&scatter, i) - 1, prior = from_prior(covering, i);
		double whole = line_of(covering, i)[i];

		if (ratio[i] < 0 || (ratio[i] < middle * quantile(freedom, UNLIKELY) &&
					    ratio[i] > middle * quantile(freedom, -UNLIKELY)))
			ratio[i] = middle;
		ratio[i] = sqrt((ratio[i] * (whole - prior) + prior) / whole);
	}
	for (size_t i = 0; i < fit->powers; i++)
		for (size_t k = 0; k < fit->powers; k++)
			fit->covariance[i * fit->powers + k] =
				ratio[i] * ratio[k] * line_of(covering, i)[k];
	free_scatter(&scatter);
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
	fit->rare_w = own >= 4 ? sqrt(variance) : RARE_SPREAD * (mean_w + fitting->prior.low_w);
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
	nuisances_make(
		&covering.nuisances, fit, model, fitting->design->readings, fitting->design->rows);
	inverted = invert(&covering);
	if (inverted) {
		fit->covariance = g_new(double, fit->powers * fit->powers);
		widen(&covering);
		fit->static_known = 1.96 * sqrt(fit->covariance[fit->powers * fit->powers - 1]) <
				    STATIC_KNOWN * static_w;
		set_spreads(fitting);
	}
	nuisances_clear(&covering.nuisances);
	g_free(covering.inverse);
	g_free(covering.prior);
	return inverted;
}
