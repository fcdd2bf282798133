/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/share.h"

#include <math.h>

#include "analyzer/model/spans.h"

static const struct fit *fit_at(const struct attribution *attribution, guint i)
{
	return g_ptr_array_index(attribution->fits, i);
}

static double static_w(const struct fit *fit)
{
	return fit->power_w[fit->powers - 1];
}

static double dynamic_w(const struct fit *fit, guint class_index)
{
	return fit->power_w[g_array_index(fit->classes->list, struct kernel_class, class_index)
				    .column];
}

/* Sets the class and the raked time of an execution in each fit. */
static void find_shares(const struct attribution *attribution,
	const struct model_execution *execution, GArray *shares)
{
	for (guint i = 0; i < attribution->fits->len; i++) {
		const struct fit *fit = fit_at(attribution, i);
		struct class_share share = {.fit = i, .amount.executions = 1};

		share.amount.class_index = classes_find(fit->classes, execution);
		if (share.amount.class_index == CLASSES_NONE)
			continue;
		share.amount.time_ns =
			(double)spans_within(fit->raked, execution->begin_ns, execution->end_ns);
		if (share.amount.time_ns > 0)
			g_array_append_val(shares, share);
	}
}

/* split() for a single fit, as nearly all of millions of executions have. */
static void take_all(struct fit_amount *amount, double power_w, double static_j, double energy_j)
{
	amount->static_ns = power_w > 0 ? static_j / power_w * 1e9 : amount->time_ns;
	amount->energy_j = energy_j;
}

/* Divides an execution's energy among several fits, as of the domains of a device, in proportion to
 * their fitted energies.  Its static time is the same fraction of its time in all. */
static void split(const struct attribution *attribution, double energy_j, double static_j,
	struct class_share *shares, guint count)
{
	double all_static_j = 0, all_j = 0;

	for (guint i = 0; i < count; i++)
		all_static_j += static_w(fit_at(attribution, shares[i].fit)) *
				shares[i].amount.time_ns / 1e9;
	for (guint i = 0; i < count; i++) {
		struct fit_amount *amount = &shares[i].amount;
		const struct fit *fit = fit_at(attribution, shares[i].fit);

		amount->static_ns =
			amount->time_ns * (all_static_j > 0 ? static_j / all_static_j : 1);
		amount->energy_j = (static_w(fit) * amount->static_ns +
					   dynamic_w(fit, amount->class_index) * amount->time_ns) /
				   1e9;
		all_j += amount->energy_j;
	}
	for (guint i = 0; i < count; i++)
		shares[i].amount.energy_j *= all_j > 0 ? energy_j / all_j : 0;
}

void shares_of(const struct attribution *attribution, const struct execution_energy *attributed,
	GArray *shares)
{
	double energy_j = (double)attributed->energy_nj / 1e9;
	double static_j = attributed->static_part * energy_j;

	g_array_set_size(shares, 0);
	if (isnan(attributed->static_part))
		return;
	find_shares(attribution, attributed->execution, shares);
	if (shares->len == 1) {
		struct class_share *only = &g_array_index(shares, struct class_share, 0);

		take_all(&only->amount, static_w(fit_at(attribution, only->fit)), static_j,
			energy_j);
	} else {
		split(attribution, energy_j, static_j, (void *)shares->data, shares->len);
	}
}
