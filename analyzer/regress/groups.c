/* SPDX-License-Identifier: MIT */
/*
 * Which classes cannot be told apart.  The class whose interval is the widest, as a part of its
 * energy, is put together with the one whose error goes most against its own, until every sum's
 * interval is at most a tenth of it.  What only replays ran is of no interest, and of what is
 * slight nothing else becomes less known.  Rare classes, which share a power, are a group of their
 * own: how it divides is not known, but the sum is.
 */
#include <math.h>

#include "analyzer/regress/fit.h"

#include "analyzer/response/ablation.h"

#define WIDEST 0.1

/* A sum of columns. */
struct merging {
	struct fit *fit;
	size_t count;
	double *covariance;         /* count × count, of energies, J² */
	double *energy_j, *shift_j; /* after raking; of it, what the sensor did not see */
	size_t *into;               /* what it was put into; itself: it stands for itself */
	bool *mergeable;            /* it may be put together with others */
};

/* What each column's energy is made of: columns × powers, seconds or joules by a factor of 1. */
static double *loads_of(const struct fit *fit, double *rest)
{
	guint influences = fit->influences.count, shared = fit->classes->columns.count;
	double *loads = g_new0(double, (gsize)shared * fit->powers + 1);

	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);
		double *load = loads + class->column * fit->powers;
		double raked = class->raked_ns / class->time_ns;

		load[class->column] += class->raked_ns / 1e9;
		for (guint k = 0; k < influences; k++)
			load[shared + k] += raked * fit->influence_j[(gsize)i * influences + k];
		load[shared + influences] += class->static_ns / 1e9;
		rest[class->column] += pow(raked * fit_influence_rest_j(fit, i), 2);
	}
	return loads;
}

/* The covariance of a column's energy with all powers. */
static void covary(const struct fit *fit, const double *load, size_t own, double *covariance)
{
	for (size_t k = 0; k < fit->powers; k++) {
		covariance[k] = load[own] * fit->covariance[own * fit->powers + k];
		for (size_t i = fit->classes->columns.count; i < fit->powers; i++)
			covariance[k] += load[i] * fit->covariance[i * fit->powers + k];
	}
}

/* What only replays have run is of no interest; what only ran while no power was known has no
 * energy. */
static bool is_wanted(const struct kernel_class *class)
{
	return class->replayed<class->executions &&class->raked_ns> 0;
}

static void add_energies(struct merging *merging, const struct kernel_class *class)
{
	merging->mergeable[class->column] |= is_wanted(class) && !class->slight;
	merging->energy_j[class->column] += class->energy_j;
	merging->shift_j[class->column] += class->seen_j - class->found_j;
}

static void set_up(struct merging *merging)
{
	const struct fit *fit = merging->fit;
	size_t n = fit->powers, count = fit->classes->columns.count;
	double *rest = g_new0(double, count + 1), *covariance = g_new0(double, n);
	double *loads = loads_of(fit, rest);

	merging->count = count;
	merging->covariance = g_new(double, count *count + 1);
	merging->energy_j = g_new0(double, count + 1);
	merging->shift_j = g_new0(double, count + 1);
	merging->into = g_new(size_t, count + 1);
	merging->mergeable = g_new0(bool, count + 1);
	for (guint i = 0; i < fit->classes->list->len; i++)
		add_energies(merging, &g_array_index(fit->classes->list, struct kernel_class, i));
	if (fit->classes->rare > 1)
		merging->mergeable[count - 1] = false;
	for (size_t i = 0; i < count; i++) {
		merging->into[i] = i;
		covary(fit, loads + i * n, i, covariance);
		for (size_t k = 0; k < count; k++) {
			const double *load = loads + k * n;
			double sum = load[k] * covariance[k];

			for (size_t l = count; l < n; l++)
				sum += load[l] * covariance[l];
			merging->covariance[i * count + k] = sum;
		}
		merging->covariance[i * count + i] += rest[i];
	}
	g_free(rest);
	g_free(covariance);
	g_free(loads);
}

static double ci95(const struct merging *merging, size_t i)
{
	return fit_half_width(
		sqrt(MAX(merging->covariance[i * merging->count + i], 0)), merging->shift_j[i]);
}

/* The worst, or count where all are good enough. */
static size_t find_worst(const struct merging *merging)
{
	size_t worst = merging->count;
	double widest = ablated(ABLATION_GROUPS) ? INFINITY : WIDEST;

	for (size_t i = 0; i < merging->count; i++) {
		double width = ci95(merging, i) / MAX(merging->energy_j[i], 1e-9);

		if (merging->into[i] == i && merging->mergeable[i] && width > widest) {
			widest = width;
			worst = i;
		}
	}
	return worst;
}

static double correlation_of(const struct merging *merging, size_t a, size_t b)
{
	const double *covariance = merging->covariance;
	size_t n = merging->count;

	return covariance[a * n + b] /
	       sqrt(MAX(covariance[a * n + a] * covariance[b * n + b], 1e-60));
}

static size_t find_partner(const struct merging *merging, size_t worst)
{
	size_t partner = merging->count;
	double least = INFINITY;

	for (size_t i = 0; i < merging->count; i++) {
		double correlation;

		if (i == worst || merging->into[i] != i || !merging->mergeable[i])
			continue;
		correlation = correlation_of(merging, worst, i);
		if (correlation < least) {
			least = correlation;
			partner = i;
		}
	}
	return partner;
}

/* Before any are merged. */
static void set_partners(struct merging *merging)
{
	struct fit *fit = merging->fit;
	size_t n = merging->count;
	int *class_of = g_new(int, n + 1);

	for (guint i = 0; i < fit->classes->list->len; i++)
		class_of[g_array_index(fit->classes->list, struct kernel_class, i).column] = (int)i;
	fit->partner_of = g_new(struct fit_partner, fit->classes->list->len + 1);
	for (guint i = 0; i < fit->classes->list->len; i++) {
		size_t own = g_array_index(fit->classes->list, struct kernel_class, i).column;
		size_t partner = merging->mergeable[own] ? find_partner(merging, own) : n;

		fit->partner_of[i] = (struct fit_partner){-1, NAN};
		if (partner < n)
			fit->partner_of[i] = (struct fit_partner){
				class_of[partner], correlation_of(merging, own, partner)};
	}
	g_free(class_of);
}

static void merge(struct merging *merging, size_t from, size_t into)
{
	size_t n = merging->count;

	for (size_t k = 0; k < n; k++)
		merging->covariance[into * n + k] += merging->covariance[from * n + k];
	for (size_t k = 0; k < n; k++)
		merging->covariance[k * n + into] += merging->covariance[k * n + from];
	merging->energy_j[into] += merging->energy_j[from];
	merging->shift_j[into] += merging->shift_j[from];
	for (size_t k = 0; k < n; k++)
		if (merging->into[k] == from)
			merging->into[k] = into;
}

static void free_group(struct fit_group *group)
{
	g_array_free(group->classes, TRUE);
	g_free(group);
}

/* Of what the program ran of it. */
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

static void publish(struct merging *merging)
{
	struct fit *fit = merging->fit;
	struct fit_group **by_column = g_new0(struct fit_group *, merging->count + 1);

	fit->group_of = g_new(int, fit->classes->list->len + 1);
	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);
		size_t column = merging->into[class->column];

		fit->group_of[i] = -1;
		if (!is_wanted(class))
			continue;
		if (!by_column[column]) {
			by_column[column] = g_new0(struct fit_group, 1);
			by_column[column]->classes = g_array_new(FALSE, FALSE, sizeof(guint));
		}
		g_array_append_val(by_column[column]->classes, i);
	}
	for (size_t i = 0; i < merging->count; i++) {
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
	struct merging merging = {.fit = fit};

	set_up(&merging);
	set_partners(&merging);
	for (size_t worst; (worst = find_worst(&merging)) < merging.count;) {
		size_t partner = find_partner(&merging, worst);

		if (partner == merging.count)
			break;
		merge(&merging, worst, partner);
	}
	publish(&merging);
	g_free(merging.covariance);
	g_free(merging.energy_j);
	g_free(merging.shift_j);
	g_free(merging.into);
	g_free(merging.mergeable);
}
