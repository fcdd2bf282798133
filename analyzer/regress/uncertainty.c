/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/uncertainty.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/autocorrelation.h"
#include "analyzer/numeric/order.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/regress/bootstrap.h"
#include "analyzer/regress/covariance.h"
#include "analyzer/regress/drawn_responses.h"
#include "analyzer/regress/repetition.h"
#include "analyzer/regress/scatter.h"
#include "analyzer/response/ablation.h"

#define LEFT_LEAST 0.05   /* of the readings' variance: a lower bound, as it is a divisor */
#define FREEDOM_MIN 10.   /* of all classes' blocks: of fewer, a median ratio is mostly chance */
#define UNLIKELY 2.33     /* standard deviations: by chance, one class of a hundred */
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

/* ---- correlation in time ---- */

/* The prior's part of the variance of a quantity, as in (13). */
static double prior_variance(const struct covariance_job *job, size_t i)
{
	const double *line = job->sensitivity + i * job->n;
	double sum = 0;

	for (size_t k = 0; k < job->n && !ablated(ABLATION_SCATTER_PRIOR); k++)
		sum += line[k] * line[k] * job->joint->prior[k];
	return sum;
}

/* Ratios of the variance over blocks of one length to that which the posterior expects from the
 * noise of the readings. */
struct overdispersion {
	guint blocks;
	struct scatter scatter;
	double *ratio; /* by quantity; negative where it has too few blocks */
	double median; /* over the classes; where there are too few blocks, the autocorrelation's */
	double freedom; /* of all classes' blocks together, at most that of the residuals */
};

/* The part of the readings' variance that is left in the residuals: hardly any where there are as
 * many powers as readings. */
static double remaining_variance(const struct regression *regression)
{
	guint rows = regression->design->rows;
	double left = 0;

	if (ablated(ABLATION_SCATTER_LEFT))
		return 1;
	for (guint row = 0; row < rows; row++)
		left += regression->weight[row] * pow(regression->residual_w[row], 2) / rows;
	return CLAMP(left, LEFT_LEAST, 1);
}

/* How many readings count as one independent reading, by the autocorrelation of the residuals:
 * equation (10). */
static double correlation_length(const struct regression *regression)
{
	guint rows = regression->design->rows;
	double *residual = g_new(double, rows), count;

	for (guint row = 0; row < rows; row++)
		residual[row] = regression->residual_w[row] * sqrt(regression->weight[row]);
	count = ablated(ABLATION_AUTOCORRELATION) ? 1 : autocorrelation_time(residual, rows);
	g_free(residual);
	return count;
}

static struct overdispersion overdispersion_of(const struct covariance_job *job, guint blocks)
{
	const struct fit *fit = job->regression->fit;
	struct overdispersion found = {.blocks = blocks,
		.scatter = scatter_of(
			job->regression, &job->joint->nuisances, job->sensitivity, job->n, blocks),
		.ratio = g_new(double, fit->powers)};
	const struct scatter *scatter = &found.scatter;
	double *ratios = g_new(double, fit->powers), left = remaining_variance(job->regression);
	size_t count = 0;

	for (size_t i = 0; i < fit->powers; i++) {
		double freedom = scatter->effective_blocks[i] - 1;

		found.ratio[i] = -1;
		if (scatter->effective_blocks[i] < SCATTER_BLOCKS_MIN)
			continue;
		found.ratio[i] =
			scatter->variance[i] / left * (freedom + 1) / freedom /
			MAX(job->covariance[i * job->n + i] - prior_variance(job, i), 1e-12);
		if (i >= fit->classes->columns.count)
			continue;
		ratios[count++] = found.ratio[i] / scatter_quantile(freedom, 0);
		found.freedom += freedom;
	}
	found.freedom = MIN(found.freedom, left * job->regression->design->rows);
	qsort(ratios, count, sizeof(*ratios), order_doubles);
	found.median = found.freedom < FREEDOM_MIN ? correlation_length(job->regression)
						   : ratios[count / 2];
	found.median = ablated(ABLATION_SCATTER) ? 1 : MAX(found.median, 1);
	g_free(ratios);
	return found;
}

static void clear_overdispersion(struct overdispersion *found)
{
	scatter_clear(&found->scatter);
	g_free(found->ratio);
}

/* The ratios of the blocks whose length shows most: drift over seconds shows in long blocks only.
 * Classes that run side by side share their scatter, so that only half of the degrees of freedom
 * count. */
static struct overdispersion worst_overdispersion(const struct covariance_job *job)
{
	static const guint longer[] = {SCATTER_BLOCKS_MAX / 3, SCATTER_BLOCKS_MAX / 6};
	struct overdispersion worst = overdispersion_of(job, SCATTER_BLOCKS_MAX);

	for (size_t i = 0; i < G_N_ELEMENTS(longer) && !ablated(ABLATION_SCATTER_LONG); i++) {
		struct overdispersion found;

		if (scatter_length_ns(job->regression, longer[i]) <=
			scatter_length_ns(job->regression, worst.blocks))
			continue;
		found = overdispersion_of(job, longer[i]);
		if (found.freedom >= FREEDOM_MIN &&
			found.median >
				worst.median * scatter_quantile(found.freedom / 2, UNLIKELY)) {
			clear_overdispersion(&worst);
			worst = found;
		} else {
			clear_overdispersion(&found);
		}
	}
	return worst;
}

/* Sets fit->covariance to the widened one: by the median ratio, and where a class's own ratio
 * differs from it by more than chance, by that.  The prior's part stays. */
static void widen(struct covariance_job *job)
{
	struct fit *fit = job->regression->fit;
	struct covariance_sums *sums = what_classes_draw(fit, job->n, 1);
	struct covariance_sums *back = what_classes_draw(fit, fit->powers, -1);
	double *ratio, *widened = g_new(double, fit->powers * fit->powers);
	struct overdispersion found;

	job->sensitivity = covariance_left(sums, job->joint->inverse, job->n);
	job->covariance = covariance_of_sums(sums, job->joint->inverse, job->n);
	found = worst_overdispersion(job);
	ratio = found.ratio;
	fit->inflation = sqrt(found.median);
	for (size_t i = 0; i < fit->powers; i++) {
		double freedom = found.scatter.effective_blocks[i] - 1,
		       whole = job->covariance[i * job->n + i];
		double prior = prior_variance(job, i);

		if (ratio[i] < 0 || ablated(ABLATION_SCATTER) || ablated(ABLATION_SCATTER_OWN) ||
			(ratio[i] < found.median * scatter_quantile(freedom, UNLIKELY) &&
				ratio[i] > found.median * scatter_quantile(freedom, -UNLIKELY)))
			ratio[i] = found.median;
		ratio[i] = sqrt((ratio[i] * (whole - prior) + prior) / whole);
	}
	for (size_t i = 0; i < fit->powers; i++)
		for (size_t k = 0; k < fit->powers; k++)
			widened[i * fit->powers + k] =
				ratio[i] * ratio[k] * job->covariance[i * job->n + k];
	fit->covariance = covariance_of_sums(back, widened, fit->powers);
	fit->posterior =
		g_memdup2(fit->covariance, fit->powers * fit->powers * sizeof(*fit->posterior));
	fit->bootstrap = bootstrap_check(
		job->regression, found.blocks, sums, widened, found.scatter.effective_blocks);
	repetition_add(job->regression, job->joint);
	clear_overdispersion(&found);
	covariance_sums_free(sums);
	covariance_sums_free(back);
	g_free(widened);
	g_free(job->sensitivity);
	g_free(job->covariance);
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

	fit->rare_w = ablated(ABLATION_RARE_VARIANCE) ? 0 : rare_spread_w(fit);
	for (guint i = 0; i < fit->classes->list->len; i++) {
		time_ns += g_array_index(fit->classes->list, struct kernel_class, i).time_ns;
		executions += (double)g_array_index(fit->classes->list, struct kernel_class, i)
				      .executions;
	}
	for (guint row = 0; row < design->rows; row++)
		all_w += design->readings[row].power_w / design->rows;
	width_ns = MAX(fit->response.taps * fit->response.step_ns, design->readings[0].length_ns);
	fit->launch_part = MIN(fit->residual_w / MAX(all_w, 1e-3) *
				       sqrt(MAX(width_ns * executions / MAX(time_ns, 1), 1)),
		ablated(ABLATION_LAUNCH) ? 0 : LAUNCH_SPREAD);
}

void fit_set_covariance(
	struct regression *regression, struct joint_fit *joint, const struct model *model)
{
	struct fit *fit = regression->fit;
	struct covariance_job job = {.regression = regression, .joint = joint, .n = joint->n};
	double static_w = fit->power_w[fit->powers - 1];

	fit->vif = joint_vif(joint, regression);
	widen(&job);
	if (fit->found.others)
		drawn_responses_add(regression, model);
	fit->static_known = 1.96 * sqrt(fit->covariance[fit->powers * fit->powers - 1]) <
			    STATIC_KNOWN * static_w;
	joint_set_estimates(joint, fit, fit->inflation * fit->inflation);
	set_spreads(regression);
}
