/* SPDX-License-Identifier: MIT */
/*
 * Groups of classes that cannot be told apart.  The class with the widest interval, relative to its
 * energy, is merged with the one whose energy has the most negative correlation with its own, until
 * the half interval of every sum is at most a tenth of it.  Slight classes and those that only
 * replays ran are not merged.  Rare classes, which share a power, are a group of their own: only
 * their sum is known.
 */
#include <math.h>

#include "analyzer/regress/covariance.h"
#include "analyzer/regress/fit.h"

#include "analyzer/response/ablation.h"

/* A sum of columns. */
struct group_sums {
	struct fit *fit;
	size_t count;
	double *covariance;         /* count × count, of energies, J² */
	double *energy_j, *shift_j; /* after raking; of it, what raking moved it by (17) */
	size_t *into;               /* the sum that a column belongs to, by one of its columns */
	bool *mergeable;            /* it may be merged with others */
};

/* The energies of the columns as linear combinations of the powers (in seconds) and the influences'
 * factors (in joules).  Adds to rest the variance by classes' own response to influences, in J². */
static struct covariance_sums *energies_of(const struct fit *fit, double *rest)
{
	guint influences = fit->influences.count;
	size_t columns = fit->classes->columns.count, shared = influences + 2;
	struct covariance_sums *sums = covariance_sums_new();
	double *amount = g_new0(double, columns *shared + 1); /* own, by factor, static */

	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);
		double *own = amount + class->column * shared;
		double raked = class->raked_ns / class->time_ns;

		own[0] += class->raked_ns / 1e9;
		for (guint k = 0; k < influences; k++)
			own[1 + k] += raked * fit->influence_j[(gsize)i * influences + k];
		own[1 + influences] += class->static_ns / 1e9;
		rest[class->column] += pow(fit_influence_rest_w(fit, i) * class->raked_ns / 1e9, 2);
	}
	for (size_t i = 0; i < columns; i++) {
		for (size_t k = 0; k < shared; k++)
			covariance_sums_add(sums, k ? columns + k - 1 : i, amount[i * shared + k]);
		covariance_sums_end(sums);
	}
	g_free(amount);
	return sums;
}

/* What only replays have run is of no interest, unless an analysis told it apart; what only ran
 * while no power was known has no energy. */
static bool is_wanted(const struct kernel_class *class)
{
	bool analysed = class->replayed < class->executions ||
			(class->origin->part && !origin_is_unlike(class->origin));

	return analysed && class->raked_ns > 0;
}

static void add_energies(struct group_sums *sums, const struct kernel_class *class)
{
	sums->mergeable[class->column] |= is_wanted(class) && !class->slight;
	sums->energy_j[class->column] += class->energy_j;
	sums->shift_j[class->column] += class->seen_j - class->found_j;
}

static void set_up(struct group_sums *sums)
{
	const struct fit *fit = sums->fit;
	size_t count = fit->classes->columns.count;
	double *rest = g_new0(double, count + 1);
	struct covariance_sums *energies = energies_of(fit, rest);

	sums->count = count;
	sums->covariance = covariance_of_sums(energies, fit->covariance, fit->powers);
	sums->energy_j = g_new0(double, count + 1);
	sums->shift_j = g_new0(double, count + 1);
	sums->into = g_new(size_t, count + 1);
	sums->mergeable = g_new0(bool, count + 1);
	for (guint i = 0; i < fit->classes->list->len; i++)
		add_energies(sums, &g_array_index(fit->classes->list, struct kernel_class, i));
	if (fit->classes->rare > 1)
		sums->mergeable[count - 1] = false;
	for (size_t i = 0; i < count; i++) {
		sums->into[i] = i;
		sums->covariance[i * count + i] += rest[i];
	}
	g_free(rest);
	covariance_sums_free(energies);
}

static double ci95(const struct group_sums *sums, size_t i)
{
	return fit_half_width(
		sqrt(MAX(sums->covariance[i * sums->count + i], 0)), sums->shift_j[i]);
}

/* The sum with the widest interval; count where all are narrow enough. */
static size_t find_worst(const struct group_sums *sums)
{
	size_t worst = sums->count;
	double widest = ablated(ABLATION_GROUPS) ? INFINITY : FIT_GROUP_WIDEST;

	for (size_t i = 0; i < sums->count; i++) {
		double width = ci95(sums, i) / MAX(sums->energy_j[i], 1e-9);

		if (sums->into[i] == i && sums->mergeable[i] && width > widest) {
			widest = width;
			worst = i;
		}
	}
	return worst;
}

static double correlation_of(const struct group_sums *sums, size_t a, size_t b)
{
	const double *covariance = sums->covariance;
	size_t n = sums->count;

	return covariance[a * n + b] /
	       sqrt(MAX(covariance[a * n + a] * covariance[b * n + b], 1e-60));
}

static size_t find_partner(const struct group_sums *sums, size_t worst)
{
	size_t partner = sums->count;
	double least = INFINITY;

	for (size_t i = 0; i < sums->count; i++) {
		double correlation;

		if (i == worst || sums->into[i] != i || !sums->mergeable[i])
			continue;
		correlation = correlation_of(sums, worst, i);
		if (correlation < least) {
			least = correlation;
			partner = i;
		}
	}
	return partner;
}

/* Sets fit->partner_of; to be called before any columns are merged. */
static void set_partners(struct group_sums *sums)
{
	struct fit *fit = sums->fit;
	size_t n = sums->count;
	int *class_of = g_new(int, n + 1);

	for (guint i = 0; i < fit->classes->list->len; i++)
		class_of[g_array_index(fit->classes->list, struct kernel_class, i).column] = (int)i;
	fit->partner_of = g_new(struct fit_partner, fit->classes->list->len + 1);
	for (guint i = 0; i < fit->classes->list->len; i++) {
		size_t own = g_array_index(fit->classes->list, struct kernel_class, i).column;
		size_t partner = sums->mergeable[own] ? find_partner(sums, own) : n;

		fit->partner_of[i] = (struct fit_partner){-1, NAN};
		if (partner < n)
			fit->partner_of[i] = (struct fit_partner){
				class_of[partner], correlation_of(sums, own, partner)};
	}
	g_free(class_of);
}

static void merge(struct group_sums *sums, size_t from, size_t into)
{
	size_t n = sums->count;

	covariance_merge(sums->covariance, n, from, into);
	sums->energy_j[into] += sums->energy_j[from];
	sums->shift_j[into] += sums->shift_j[from];
	for (size_t k = 0; k < n; k++)
		if (sums->into[k] == from)
			sums->into[k] = into;
}

static void free_group(struct fit_group *group)
{
	g_array_free(group->classes, TRUE);
	g_free(group);
}

/* Sets the energy and the interval of what the program itself ran of a group. */
static void set_energy(const struct fit *fit, struct fit_group *group)
{
	guint count = group->classes->len;
	struct fit_amount *amounts = g_new(struct fit_amount, count);

	for (guint i = 0; i < count; i++) {
		amounts[i] = fit_program_amount(fit, g_array_index(group->classes, guint, i));
		group->energy_j += amounts[i].energy_j;
	}
	group->ci95_j = fit_ci95_j(fit, amounts, count);
	g_free(amounts);
}

static void publish(struct group_sums *sums)
{
	struct fit *fit = sums->fit;
	struct fit_group **by_column = g_new0(struct fit_group *, sums->count + 1);

	fit->group_of = g_new(int, fit->classes->list->len + 1);
	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);
		size_t column = sums->into[class->column];

		fit->group_of[i] = -1;
		if (!is_wanted(class))
			continue;
		if (!by_column[column]) {
			by_column[column] = g_new0(struct fit_group, 1);
			by_column[column]->classes = g_array_new(FALSE, FALSE, sizeof(guint));
		}
		g_array_append_val(by_column[column]->classes, i);
	}
	for (size_t i = 0; i < sums->count; i++) {
		if (!by_column[i])
			continue;
		if (by_column[i]->classes->len < 2) {
			free_group(by_column[i]);
			continue;
		}
		for (guint k = 0; k < by_column[i]->classes->len; k++)
			fit->group_of[g_array_index(by_column[i]->classes, guint, k)] =
				(int)fit->groups->len;
		set_energy(fit, by_column[i]);
		g_ptr_array_add(fit->groups, by_column[i]);
	}
	g_free(by_column);
}

void fit_make_groups(struct fit *fit)
{
	struct group_sums sums = {.fit = fit};

	set_up(&sums);
	set_partners(&sums);
	for (size_t worst; (worst = find_worst(&sums)) < sums.count;) {
		size_t partner = find_partner(&sums, worst);

		if (partner == sums.count)
			break;
		merge(&sums, worst, partner);
	}
	publish(&sums);
	g_free(sums.covariance);
	g_free(sums.energy_j);
	g_free(sums.shift_j);
	g_free(sums.into);
	g_free(sums.mergeable);
}
