/* SPDX-License-Identifier: MIT */
/*
 * The methods that do not estimate the power of each kernel.  They split the power at each moment
 * equally among what runs, and differ only in how power changes between readings.  "overlap"
 * spreads the energy of an interval evenly over it; "hold" and "linear" do as common tools: power
 * stays the same until the next reading, or changes linearly to it.
 */
#include "analyzer/attribute/method.h"
#include "analyzer/model/curve.h"
#include "analyzer/numeric/apportion.h"

#define STEPS 8 /* of constant power, in place of a straight line between two readings */

static double power_of(const struct curve_interval *interval)
{
	return (double)interval->energy_nj / (double)(interval->end_ns - interval->begin_ns);
}

/* Appends an interval as steps of equal length, with powers from from_w to to_w, and to weights
 * (double) the energies of these powers, which are not yet scaled to the sum of the source. */
static void append_steps(GArray *curve, GArray *weights, const struct curve_interval *interval,
	double from_w, double to_w, uint64_t steps)
{
	uint64_t length_ns = interval->end_ns - interval->begin_ns;

	for (uint64_t i = 0; i < steps; i++) {
		double power_w = from_w + (to_w - from_w) * ((double)i + 0.5) / (double)steps;
		struct curve_interval part = *interval;
		double weight;

		part.begin_ns = interval->begin_ns + curve_share(length_ns, i, steps);
		part.end_ns = interval->begin_ns + curve_share(length_ns, i + 1, steps);
		weight = power_w * (double)(part.end_ns - part.begin_ns);
		if (part.end_ns <= part.begin_ns)
			continue;
		g_array_append_val(curve, part);
		g_array_append_val(weights, weight);
	}
}

/* Sets the energies of the intervals that are not blurred by their weights, so that they add up to
 * sum_nj. */
static void scale(GArray *curve, const GArray *weights, uint64_t sum_nj)
{
	const double *weight = (const void *)weights->data;
	uint64_t *energy_nj = g_new0(uint64_t, weights->len + 1);
	double whole = 0;

	for (guint i = 0; i < weights->len; i++)
		whole += weight[i];
	for (guint i = 0; whole > 0 && i < weights->len; i++)
		energy_nj[i] = (uint64_t)(weight[i] * apportion_scale(whole));
	if (whole > 0)
		apportion(sum_nj, energy_nj, weights->len, energy_nj);
	else
		energy_nj[0] = sum_nj;
	for (guint i = 0, next = 0; i < curve->len; i++) {
		struct curve_interval *interval = &g_array_index(curve, struct curve_interval, i);

		if (!interval->blurred)
			interval->energy_nj = energy_nj[next++];
	}
	g_free(energy_nj);
}

/* The source's curve with the power of each interval held from the reading before, or changing
 * linearly from it; the sum of energy stays the same.  Estimates, which have no readings, and
 * blurred intervals are kept as they are. */
static GArray *spread_anew(const struct source *source, bool linear)
{
	GArray *curve = g_array_new(FALSE, FALSE, sizeof(struct curve_interval));
	GArray *weights = g_array_new(FALSE, FALSE, sizeof(double));
	uint64_t sum_nj = 0;

	for (guint i = 0; i < source->curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(source->curve, struct curve_interval, i);
		double from_w = power_of(i ? interval - 1 : interval);

		if (interval->blurred || source->estimated) {
			g_array_append_vals(curve, interval, 1);
			continue;
		}
		append_steps(curve, weights, interval, from_w, linear ? power_of(interval) : from_w,
			linear ? STEPS : 1);
		sum_nj += interval->energy_nj;
	}
	if (!source->estimated)
		scale(curve, weights, sum_nj);
	g_array_free(weights, TRUE);
	return curve;
}

static GArray *hold_curve(const struct source *source)
{
	return spread_anew(source, false);
}

static GArray *linear_curve(const struct source *source)
{
	return spread_anew(source, true);
}

const struct method method_overlap = {
	.name = "overlap",
	.help = "measured energy split equally over what runs at each moment",
};

const struct method method_hold = {
	.name = "hold",
	.help = "each reading's power holds until the next reading",
	.curve = hold_curve,
};

const struct method method_linear = {
	.name = "linear",
	.help = "power changes linearly from reading to reading",
	.curve = linear_curve,
};
