/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/uncertainty.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/order.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/regress/covariance.h"
#include "analyzer/regress/deviations.h"
#include "analyzer/regress/drawn_responses.h"
#include "analyzer/regress/jackknife.h"
#include "analyzer/regress/repetition.h"
#include "analyzer/response/ablation.h"

#define STRETCHES_MIN 3.  /* of fewer there is no variance */
#define FREEDOM_MIN 10.   /* of all classes together: of fewer, a median ratio is mostly chance */
#define COMMON 10.        /* degrees of freedom that the median ratio counts as */
#define STATIC_KNOWN 0.2  /* the widest relative interval with which it counts as known */
#define RARE_SPREAD 0.5   /* of the mean power: what is assumed of how rare classes differ */
#define RARE_WEIGHT 4.    /* the assumption counts as much as so many classes */
#define LAUNCH_SPREAD 0.5 /* relative: the most that executions are taken to differ */

/* The posterior covariance of what classes draw, and what it is computed from. */
struct covariance_job {
	struct regression *regression;
	struct joint_fit *joint;
	size_t n;            /* powers and nuisance parameters */
	double *sensitivity; /* n × n: of what each class draws, and of all else, to the scores */
	double *covariance;  /* n × n: of what each class draws, and of all else */
};

/* The rows of G in (14): what a class draws is its own power, plus the static power and the
 * influences' mean for it, which all classes share.  Energies are made of these sums, which are
 * better known than their parts, so that it is they that are widened.  sign -1: the inverse of G.
 * Rows beyond the classes are those of the identity. */
static struct covariance_sums *what_classes_draw(const struct fit *fit, size_t n, double sign)
{
	guint influences = fit->influences.count;
	size_t columns = fit->classes->columns.count;
	struct covariance_sums *sums = covariance_sums_new();
	double *share_j = g_new0(double, columns *influences + 1);

	for (guint i = 0; i < fit->classes->list->len; i++)
		for (guint k = 0; k < influences; k++)
			share_j[g_array_index(fit->classes->list, struct kernel_class, i).column *
					influences +
				k] += fit->influence_j[(gsize)i * influences + k];
	for (size_t i = 0; i < n; i++) {
		covariance_sums_add(sums, i, 1);
		for (guint k = 0; i < columns && k < influences; k++)
			covariance_sums_add(sums, columns + k,
				sign * share_j[i * influences + k] /
					(fit->classes->columns.time_ns[i] / 1e9));
		if (i < columns && !ablated(ABLATION_SHARED))
			covariance_sums_add(sums, columns + influences, sign);
		covariance_sums_end(sums);
	}
	g_free(share_j);
	return sums;
}

/* The part of the variance of a quantity, whose sensitivity is line, by the prior of the offsets:
 * C b in (11a). */
static double offsets_variance(const struct covariance_job *job, const double *line)
{
	const struct offsets *offsets = &job->regression->offsets;
	double sum = 0;

	for (guint o = 0; o < offsets_count(offsets); o++) {
		const struct offset *offset = offsets_at(offsets, o);
		const double *of_offset =
			nuisances_offset_line(&job->joint->nuisances, job->regression, o);
		double moved = 0;

		for (size_t k = 0; k < job->n; k++)
			moved += line[k] * of_offset[k];
		sum += offset->prior * pow(moved / offset->weight, 2);
	}
	return sum;
}

/* The prior's part of the variance of a quantity, as in (13). */
static double prior_variance(const struct covariance_job *job, size_t i)
{
	const double *line = job->sensitivity + i * job->n;
	double sum = offsets_variance(job, line);

	for (size_t k = 0; k < job->n && !ablated(ABLATION_JACKKNIFE_PRIOR); k++)
		sum += line[k] * line[k] * job->joint->prior[k];
	return sum + remembered_square(job->regression->fit->remembered, line);
}

/* The median of a chi-square distribution over its mean (Wilson and Hilferty, PNAS 17, 1931). */
static double median_of_chi_square(double freedom)
{
	return pow(1 - 2 / (9 * freedom), 3);
}

/* Ratios of the jackknife's variance to that which the posterior expects from the noise of the
 * readings, by power. */
struct overdispersion {
	double *ratio, *freedom; /* by power */
	double median;           /* over the classes, at least 1; 1 of too few stretches */
};

static struct overdispersion overdispersion_of(
	const struct covariance_job *job, const struct covariance_sums *sums)
{
	const struct fit *fit = job->regression->fit;
	struct jackknife jackknife = jackknife_of(job->regression, job->joint, sums);
	struct overdispersion found = {g_new(double, fit->powers), g_new(double, fit->powers), 1};
	double *ratios = g_new(double, fit->powers), freedom = 0;
	size_t count = 0;

	for (size_t i = 0; i < fit->powers; i++) {
		double expected = job->covariance[i * job->n + i] - prior_variance(job, i);

		found.ratio[i] = jackknife.variance[i] / MAX(expected, 1e-12);
		found.freedom[i] =
			jackknife.weighing[i] < STRETCHES_MIN ? 0 : jackknife.weighing[i] - 1;
		if (i >= fit->classes->columns.count || !(found.freedom[i] > 0))
			continue;
		ratios[count++] = found.ratio[i] / median_of_chi_square(found.freedom[i]);
		freedom += found.freedom[i];
	}
	qsort(ratios, count, sizeof(*ratios), order_doubles);
	if (freedom >= FREEDOM_MIN)
		found.median = MAX(ratios[count / 2], 1);
	jackknife_clear(&jackknife);
	g_free(ratios);
	return found;
}

/* The ratio that a power's variance by the readings is widened by: its own, which is uncertain, and
 * the median, which counts as COMMON degrees of freedom; and that of Student's distribution with
 * all of them to the normal one. */
static double widening_of(const struct overdispersion *found, size_t i)
{
	double own = ablated(ABLATION_JACKKNIFE_OWN) ? 0 : found->freedom[i];
	double freedom = own + COMMON;

	if (ablated(ABLATION_JACKKNIFE))
		return 1;
	return MAX((own * found->ratio[i] + COMMON * found->median) / freedom, 1) * freedom /
	       (freedom - 2);
}

static void set_up(struct covariance_job *job, const struct covariance_sums *sums)
{
	job->n = job->joint->n;
	job->sensitivity = covariance_left(sums, job->joint->inverse, job->n);
	job->covariance = covariance_of_sums(sums, job->joint->inverse, job->n);
}

static void clear(struct covariance_job *job, struct overdispersion *found)
{
	g_free(found->ratio);
	g_free(found->freedom);
	g_free(job->sensitivity);
	g_free(job->covariance);
}

double fit_overdispersion(struct regression *regression, struct joint_fit *joint)
{
	struct covariance_job job = {.regression = regression, .joint = joint};
	const struct fit *fit = regression->fit;
	struct covariance_sums *sums = what_classes_draw(fit, joint->n, 1);
	struct overdispersion found;
	double sum = 0, energy = 0;

	set_up(&job, sums);
	found = overdispersion_of(&job, sums);
	for (size_t i = 0; i < fit->classes->columns.count; i++) {
		double own = found.freedom[i] > 0
				     ? fit->power_w[i] * fit->classes->columns.time_ns[i]
				     : 0;

		sum += own * found.ratio[i];
		energy += own;
	}
	clear(&job, &found);
	covariance_sums_free(sums);
	return energy > 0 ? MAX(sum / energy, 1) : found.median;
}

/* Sets fit->covariance to the widened one.  The prior's part stays. */
static void widen(struct covariance_job *job)
{
	struct fit *fit = job->regression->fit;
	struct covariance_sums *sums = what_classes_draw(fit, job->joint->n, 1);
	struct covariance_sums *back = what_classes_draw(fit, fit->powers, -1);
	double *ratio = g_new(double, fit->powers);
	double *widened = g_new(double, fit->powers * fit->powers);
	struct overdispersion found;

	set_up(job, sums);
	found = overdispersion_of(job, sums);
	fit->inflation = sqrt(found.median);
	for (size_t i = 0; i < fit->powers; i++) {
		double whole = job->covariance[i * job->n + i], prior = prior_variance(job, i);

		ratio[i] = sqrt((widening_of(&found, i) * (whole - prior) + prior) / whole);
	}
	for (size_t i = 0; i < fit->powers; i++)
		for (size_t k = 0; k < fit->powers; k++)
			widened[i * fit->powers + k] =
				ratio[i] * ratio[k] * job->covariance[i * job->n + k];
	fit->covariance = covariance_of_sums(back, widened, fit->powers);
	fit->posterior =
		g_memdup2(fit->covariance, fit->powers * fit->powers * sizeof(*fit->posterior));
	repetition_add(job->regression, job->joint);
	covariance_sums_free(sums);
	covariance_sums_free(back);
	clear(job, &found);
	g_free(ratio);
	g_free(widened);
}

/* ---- what the readings cannot show ---- */

/* The standard deviation of the classes' powers, from those that have powers of their own and from
 * an assumption that counts as much as RARE_WEIGHT of them. */
static double rare_spread_w(const struct fit *fit)
{
	uint32_t columns = fit->classes->columns.count;
	double mean_w = 0, squares = 0;

	for (uint32_t i = 0; i < columns; i++)
		mean_w += fit->power_w[i] / columns;
	for (uint32_t i = 0; i < columns; i++)
		squares += pow(fit->power_w[i] - mean_w, 2) + fit->covariance[i * fit->powers + i];
	squares += RARE_WEIGHT * pow(RARE_SPREAD * (mean_w + fit->power_w[fit->powers - 1]), 2);
	return sqrt(squares / (RARE_WEIGHT + MAX(columns, 1) - 1));
}

static void set_spreads(struct regression *regression)
{
	const struct design *design = regression->design;
	struct fit *fit = regression->fit;
	double time_ns = 0, executions = 0, all_w = 0, width_ns;
	/* Powers that are fitted to the readings take some of what these deviate by. */
	double deviation_w = fit->residual_w * sqrt(design->rows / regression_freedom(regression));

	fit->rare_w = ablated(ABLATION_RARE_VARIANCE) ? 0 : rare_spread_w(fit);
	for (guint i = 0; i < fit->classes->list->len; i++) {
		time_ns += g_array_index(fit->classes->list, struct kernel_class, i).time_ns;
		executions += (double)g_array_index(fit->classes->list, struct kernel_class, i)
				      .executions;
	}
	for (guint row = 0; row < design->rows; row++)
		all_w += design->readings[row].power_w / design->rows;
	width_ns = MAX(fit->response.taps * fit->response.step_ns, design->readings[0].length_ns);
	fit->launch_part = MIN(deviation_w / MAX(all_w, 1e-3) *
				       sqrt(MAX(width_ns * executions / MAX(time_ns, 1), 1)),
		ablated(ABLATION_LAUNCH) ? 0 : LAUNCH_SPREAD);
}

void fit_set_covariance(
	struct regression *regression, struct joint_fit *joint, const struct model *model)
{
	struct fit *fit = regression->fit;
	struct covariance_job job = {.regression = regression, .joint = joint};
	double static_w = fit->power_w[fit->powers - 1];

	fit->vif = joint_vif(joint, regression);
	widen(&job);
	deviations_add(regression, joint, model);
	if (fit->found.others)
		drawn_responses_add(regression, model);
	fit->static_known = 1.96 * sqrt(fit->covariance[fit->powers * fit->powers - 1]) <
			    STATIC_KNOWN * static_w;
	joint_set_estimates(joint, fit, fit->inflation * fit->inflation);
	set_spreads(regression);
}
