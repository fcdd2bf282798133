/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/modelled.h"

#include <math.h>

/* Sums over the fits of several devices, whose errors are independent. */
struct part_sums {
	double energy_j, time_s, variance; /* (half of a 95 % interval)², in J² */
};

static const struct kernel_class *class_at(const struct fit *fit, guint i)
{
	return &g_array_index(fit->classes->list, struct kernel_class, i);
}

/* Appends all of a class, replays too, to amounts (struct fit_amount). */
static void add_amount(GArray *amounts, const struct fit *fit, guint class_index)
{
	const struct kernel_class *class = class_at(fit, class_index);
	const struct fit_amount amount = {.class_index = class_index,
		.executions = class->executions,
		.time_ns = class->raked_ns,
		.static_ns = class->static_ns,
		.energy_j = class->energy_j};

	g_array_append_val(amounts, amount);
}

/* The parts in a class's group, or the class alone.  g_array_unref it. */
static GArray *amounts_with(const struct fit *fit, guint class_index, bool together)
{
	GArray *amounts = g_array_new(FALSE, FALSE, sizeof(struct fit_amount));
	int number = together ? fit->group_of[class_index] : -1;
	const struct fit_group *group = number < 0 ? NULL : g_ptr_array_index(fit->groups, number);

	for (guint i = 0; group && i < group->classes->len; i++) {
		guint member = g_array_index(group->classes, guint, i);

		if (class_at(fit, member)->origin->part)
			add_amount(amounts, fit, member);
	}
	if (!group)
		add_amount(amounts, fit, class_index);
	return amounts;
}

/* Adds a class, with the mean power of its group or its own. */
static void add_class(
	struct part_sums *sums, const struct fit *fit, guint class_index, bool together)
{
	GArray *amounts = amounts_with(fit, class_index, together);
	double energy_j = 0, time_s = 0, own_s = class_at(fit, class_index)->raked_ns / 1e9;
	double ci95_j = fit_ci95_j(fit, (const void *)amounts->data, amounts->len);

	for (guint i = 0; i < amounts->len; i++) {
		const struct fit_amount *amount = &g_array_index(amounts, struct fit_amount, i);

		energy_j += amount->energy_j;
		time_s += amount->time_ns / 1e9;
	}
	g_array_unref(amounts);
	if (time_s <= 0)
		return;
	sums->energy_j += energy_j / time_s * own_s;
	sums->variance += pow(ci95_j / time_s * own_s, 2);
	sums->time_s += own_s;
}

static struct steady_power power_of(
	const struct attribution *attribution, guint part, bool together)
{
	struct part_sums sums = {0};

	for (guint i = 0; i < attribution->fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(attribution->fits, i);

		for (guint k = 0; k < fit->classes->list->len; k++)
			if (class_at(fit, k)->origin->part == part)
				add_class(&sums, fit, k, together);
	}
	if (sums.time_s <= 0)
		return (struct steady_power){NAN, NAN};
	return (struct steady_power){
		sums.energy_j / sums.time_s, sqrt(sums.variance) / sums.time_s};
}

/* The number of a part's group in the first fit that has one, from 1; 0: none has. */
static guint group_of(const struct attribution *attribution, guint part)
{
	for (guint i = 0; i < attribution->fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(attribution->fits, i);

		for (guint k = 0; k < fit->classes->list->len; k++)
			if (class_at(fit, k)->origin->part == part && fit->group_of[k] >= 0)
				return (guint)fit->group_of[k] + 1;
	}
	return 0;
}

bool modelled_powers(
	const struct attribution *attribution, guint parts, struct modelled_power *powers)
{
	bool apart = parts == 1;

	for (guint i = 0; i < parts; i++) {
		powers[i] = (struct modelled_power){power_of(attribution, i + 1, false),
			power_of(attribution, i + 1, true), group_of(attribution, i + 1)};
		apart |= !powers[i].group || powers[i].group != powers[0].group;
	}
	return apart && attribution->fits->len;
}
