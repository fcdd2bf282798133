/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/modelled.h"

#include <math.h>
#include <string.h>

/* The mean power of parts. */
struct range_power {
	struct steady_power power;
	double time_s; /* how long they ran; 0 where some did not */
	double told;   /* fit_told */
};

/* ---- in one fit ---- */

/* Appends all executions of the parts, replays too, to amounts (struct fit_amount).  Returns
 * whether each part is there. */
static bool find_amounts(const struct fit *fit, struct number_range range, GArray *amounts)
{
	guint count = range.last - range.first + 1, found = 0;
	bool *there = g_new0(bool, count);

	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);
		const struct fit_amount amount = fit_class_amount(fit, i);
		guint part = class->origin->part;

		if (part < range.first || part > range.last || amount.time_ns <= 0)
			continue;
		found += !there[part - range.first];
		there[part - range.first] = true;
		g_array_append_val(amounts, amount);
	}
	g_free(there);
	return found == count;
}

static struct range_power power_in(const struct fit *fit, struct number_range range)
{
	GArray *amounts = g_array_new(FALSE, FALSE, sizeof(struct fit_amount));
	struct range_power mean = {0};
	double energy_j = 0;

	if (find_amounts(fit, range, amounts)) {
		for (guint i = 0; i < amounts->len; i++) {
			energy_j += g_array_index(amounts, struct fit_amount, i).energy_j;
			mean.time_s += g_array_index(amounts, struct fit_amount, i).time_ns / 1e9;
		}
		mean.power.power_w = energy_j / mean.time_s;
		mean.power.ci95_w =
			fit_ci95_j(fit, (const void *)amounts->data, amounts->len) / mean.time_s;
		mean.told = fit_told(fit, (const void *)amounts->data, amounts->len);
	}
	g_array_unref(amounts);
	return mean;
}

/* ---- in all fits ---- */

static const struct fit *fit_at(const GPtrArray *fits, guint i)
{
	return g_ptr_array_index(fits, i);
}

/* The first fit of the device that fit i is of. */
static guint first_of_device(const GPtrArray *fits, guint i)
{
	guint first = 0;

	while (strcmp(fit_at(fits, first)->source->device, fit_at(fits, i)->source->device) != 0)
		first++;
	return first;
}

/* By the fit with the narrowest interval: errors of the response are common to recordings of a
 * device, and a mean of their fits would seem to be without them. */
static struct range_power power_on_device(
	const GPtrArray *fits, guint first, struct number_range range)
{
	struct range_power best = {{NAN, INFINITY, NAN}, 0, 0};

	for (guint i = first; i < fits->len; i++) {
		struct range_power mean = {0};

		if (first_of_device(fits, i) == first)
			mean = power_in(fit_at(fits, i), range);
		if (mean.time_s > 0 && mean.power.ci95_w < best.power.ci95_w)
			best = mean;
	}
	return best;
}

/* The mean over the devices, by time, whose errors are independent. */
static struct range_power power_of(const GPtrArray *fits, struct number_range range)
{
	struct range_power mean = {{NAN, NAN, NAN}, 0, INFINITY};
	double energy_j = 0, variance = 0;

	for (guint i = 0; i < fits->len; i++) {
		struct range_power on = {0};

		if (first_of_device(fits, i) == i)
			on = power_on_device(fits, i, range);
		if (on.time_s <= 0)
			continue;
		energy_j += on.power.power_w * on.time_s;
		variance += pow(on.power.ci95_w * on.time_s, 2);
		mean.time_s += on.time_s;
		mean.told = fmin(mean.told, on.told);
	}
	if (mean.time_s > 0)
		mean.power = (struct steady_power){
			energy_j / mean.time_s, sqrt(variance) / mean.time_s, INFINITY};
	return mean;
}

/* ---- groups ---- */

/* Whether the readings tell it, and no less of it than the prior does. */
static bool is_known(const struct range_power *mean)
{
	return mean->told >= 1 && mean->power.ci95_w <= FIT_GROUP_WIDEST * mean->power.power_w;
}

static void set_group(
	struct modelled_power *powers, struct number_range range, struct steady_power together)
{
	for (guint part = range.first; part <= range.last; part++) {
		powers[part - 1].together = together;
		powers[part - 1].group = range;
	}
}

void modelled_powers(
	const struct attribution *attribution, guint parts, struct modelled_power *powers)
{
	for (guint part = 1; part <= parts; part++) {
		const struct number_range alone = {part, part};
		struct steady_power own = power_of(attribution->fits, alone).power;

		powers[part - 1] = (struct modelled_power){own, own, alone};
	}
}

bool modelled_groups(
	const struct attribution *attribution, guint parts, struct modelled_power *powers)
{
	struct number_range range = {1, 1}, before = range;
	guint groups = 0;

	for (; range.first <= parts; range.first = range.last = range.last + 1) {
		struct range_power mean = power_of(attribution->fits, range);

		while (!is_known(&mean) && range.last < parts) {
			range.last++;
			mean = power_of(attribution->fits, range);
		}
		if (is_known(&mean)) {
			before = range;
			groups++;
		} else {
			before.last = parts;
			mean = power_of(attribution->fits, before);
		}
		set_group(powers, before, mean.power);
	}
	return groups > 1 || (groups == 1 && parts == 1);
}
