/* SPDX-License-Identifier: MIT */
/*
 * The methods "hold" and "linear", as common tools have them: a power holds until the next reading,
 * or changes linearly to it.  The measured energy is the same; only when it was drawn differs.
 */
#include "analyzer/attribute/method.h"
#include "analyzer/model/curve.h"
#include "analyzer/numeric/apportion.h"

#define STEPS 8 /* of a line */

static double power_of(const struct curve_interval *interval)
{
	return (double)interval->energy_nj / (double)(interval->end_ns - interval->begin_ns);
}

/* Cuts an interval into steps of one length, whose powers go from from_w to to_w. */
static void append_steps(GArray *curve, GArray *weights, const struct curve_interval *interval,
	double from_w, double to_w, uint64_t steps)
{
	uint64_t length_ns = interval->end_ns - interval->begin_ns;

	for (uint64_t i = 0; i < steps; i++) {
		double power_w = from_w + (to_w - from_w) * ((double)i + 0.5) / (double)steps;
		struct curve_interval part = *interval;
		uint64_t weight;

		part.begin_ns = interval->begin_ns + curve_share(length_ns, i, steps);
		part.end_ns = interval->begin_ns + curve_share(length_ns, i + 1, steps);
		weight = (uint64_t)(power_w * (double)(part.end_ns - part.begin_ns));
		if (part.end_ns > part.begin_ns) {
			g_array_append_val(curve, part);
			g_array_append_val(weights, weight);
		}
	}
}

/* The same energy in all, spread anew over the same time. */
static void spread_anew(struct model *model, const struct source *source,
	struct ledger_balance *balance, bool linear)
{
	GArray *curve = g_array_new(FALSE, FALSE, sizeof(struct curve_interval));
	GArray *weights = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	uint64_t sum_nj = 0, weight = 0, *parts_nj;

	for (guint i = 0; i < source->curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(source->curve, struct curve_interval, i);
		double from_w = power_of(i ? interval - 1 : interval);

		if (interval->blurred)
			balance->measured_nj += interval->energy_nj,
				balance->unattributed_nj += interval->energy_nj;
		else
			append_steps(curve, weights, interval, from_w,
				linear ? power_of(interval) : from_w, linear ? STEPS : 1);
		sum_nj += interval->blurred ? 0 : interval->energy_nj;
	}
	for (guint i = 0; i < weights->len; i++)
		weight += g_array_index(weights, uint64_t, i);
	parts_nj = g_new0(uint64_t, curve->len + 1);
	if (weight)
		apportion(sum_nj, (const uint64_t *)(const void *)weights->data, curve->len,
			parts_nj);
	else if (curve->len)
		parts_nj[0] = sum_nj;
	for (guint i = 0; i < curve->len; i++)
		g_array_index(curve, struct curve_interval, i).energy_nj = parts_nj[i];
	overlap_spread(model, source, curve, balance);
	g_free(parts_nj);
	g_array_free(weights, TRUE);
	g_array_free(curve, TRUE);
}

static void attribute_hold(struct model *model, const struct source *source,
	struct ledger_balance *balance, GPtrArray *fits)
{
	(void)fits;
	if (source->estimated)
		overlap_spread(model, source, source->curve, balance);
	else
		spread_anew(model, source, balance, false);
}

static void attribute_linear(struct model *model, const struct source *source,
	struct ledger_balance *balance, GPtrArray *fits)
{
	(void)fits;
	if (source->estimated)
		overlap_spread(model, source, source->curve, balance);
	else
		spread_anew(model, source, balance, true);
}

const struct method method_hold = {
	.name = "hold",
	.help = "each reading's power holds until the next reading",
	.attribute = attribute_hold,
};

const struct method method_linear = {
	.name = "linear",
	.help = "power changes linearly from reading to reading",
	.attribute = attribute_linear,
};
