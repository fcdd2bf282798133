/* SPDX-License-Identifier: MIT */
#include "analyzer/model/curve.h"

#include <stdlib.h>

/* The longest time in which a counter gains nothing while energy is drawn. */
#define COUNTER_TICK_NS PWRTRACE_NS_PER_S

uint64_t curve_share(uint64_t amount, uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)amount * part / whole) : 0;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

uint64_t curve_period_ns(const struct model_sensor *sensor)
{
	const struct model_reading *reading = (const void *)sensor->readings->data;
	guint count = sensor->readings->len;
	uint64_t *steps, median;

	if (count < 2)
		return sensor->period_ns;
	steps = g_new(uint64_t, count - 1);
	for (guint i = 1; i < count; i++)
		steps[i - 1] = reading[i].time_ns - reading[i - 1].time_ns;
	qsort(steps, count - 1, sizeof(*steps), by_value);
	median = steps[(count - 1) / 2];
	g_free(steps);
	return median;
}

uint64_t curve_hole_ns(const struct model_sensor *sensor)
{
	uint64_t period_ns = curve_period_ns(sensor);

	return period_ns > UINT64_MAX / 5 ? UINT64_MAX : period_ns * 5 / 2;
}

/* Appends the part of an interval that is within the span, if any. */
static void append_within(
	GArray *curve, struct curve_interval interval, const struct model_span *span)
{
	uint64_t length_ns = interval.end_ns - interval.begin_ns;
	uint64_t begin_ns = MAX(interval.begin_ns, span->begin_ns);
	uint64_t end_ns = MIN(interval.end_ns, span->end_ns);

	if (interval.end_ns <= interval.begin_ns || end_ns <= begin_ns)
		return;
	interval.energy_nj = curve_share(interval.energy_nj, end_ns - begin_ns, length_ns);
	interval.begin_ns = begin_ns;
	interval.end_ns = end_ns;
	g_array_append_val(curve, interval);
}

/* The energy between two readings of a counter is known to within one tick, and ticks come once in
 * a period: of readings that are closer than half a period, as the last two may be, one is left
 * out.  Returns the others (struct model_reading); the caller frees the array. */
static GArray *readings_apart(const struct model_sensor *sensor)
{
	GArray *apart = g_array_new(FALSE, FALSE, sizeof(struct model_reading));
	uint64_t period_ns = sensor->period_ns == PWRTRACE_UNKNOWN_U64 ? 0 : sensor->period_ns;
	bool close = false; /* whether the last two are */

	for (guint i = 0; i < sensor->readings->len; i++) {
		struct model_reading reading =
			g_array_index(sensor->readings, struct model_reading, i);

		if (close)
			g_array_set_size(apart, apart->len - 1);
		close = apart->len &&
			reading.time_ns - g_array_index(apart, struct model_reading, apart->len - 1)
						  .time_ns <
				period_ns / 2;
		g_array_append_val(apart, reading);
	}
	if (close && apart->len > 2)
		g_array_remove_index(apart, apart->len - 2);
	return apart;
}

bool curve_counts(const struct model_reading *before, const struct model_reading *now)
{
	uint64_t time_ns = now->time_ns - before->time_ns, gain_uj = now->value - before->value;
	unsigned __int128 most_pj =
		MODEL_IMPOSSIBLE_MW * ((unsigned __int128)time_ns + COUNTER_TICK_NS);

	return now->value >= before->value &&
	       gain_uj < most_pj / (PWRTRACE_PJ_PER_NJ * PWRTRACE_NJ_PER_UJ);
}

GArray *curve_of(const struct model_sensor *sensor, const struct model_span *span)
{
	GArray *curve = g_array_new(FALSE, FALSE, sizeof(struct curve_interval));
	bool counter = model_is_counter(sensor);
	GArray *readings = counter ? readings_apart(sensor) : g_array_ref(sensor->readings);
	const struct model_reading *reading = (const void *)readings->data;
	uint64_t period_ns = curve_period_ns(sensor);
	uint64_t hole_ns = curve_hole_ns(sensor), sum_nj = 0;

	for (guint i = counter; i < readings->len; i++) {
		uint64_t end_ns = reading[i].time_ns;
		uint64_t before_ns =
			i ? reading[i - 1].time_ns
			  : end_ns - MIN(end_ns, period_ns == PWRTRACE_UNKNOWN_U64 ? 0 : period_ns);
		bool hole = end_ns - before_ns > hole_ns;
		struct curve_interval interval = {.end_ns = end_ns};
		unsigned __int128 energy_nj;

		interval.begin_ns = !counter && hole ? end_ns - period_ns : before_ns;
		interval.blurred = counter && hole;
		/* Of a counter that was reset, the energy of the interval is not known. */
		if (counter && !curve_counts(&reading[i - 1], &reading[i]))
			continue;
		energy_nj = counter ? (unsigned __int128)(reading[i].value - reading[i - 1].value) *
					      PWRTRACE_NJ_PER_UJ
				    : (unsigned __int128)reading[i].value *
					      (interval.end_ns - interval.begin_ns) /
					      PWRTRACE_PJ_PER_NJ;
		if (energy_nj > UINT64_MAX - sum_nj)
			continue;
		interval.energy_nj = (uint64_t)energy_nj;
		sum_nj += interval.energy_nj;
		append_within(curve, interval, span);
	}
	g_array_unref(readings);
	return curve;
}

void curve_subtract(GArray *curve, const GArray *other)
{
	GArray *kept = g_array_new(FALSE, FALSE, sizeof(struct curve_interval));
	guint j = 0;

	for (guint i = 0; i < curve->len; i++) {
		struct curve_interval whole = g_array_index(curve, struct curve_interval, i);
		uint64_t from_ns = whole.begin_ns;

		while (j < other->len &&
			g_array_index(other, struct curve_interval, j).end_ns <= from_ns)
			j++;
		for (guint k = j; from_ns < whole.end_ns; k++) {
			const struct curve_interval *taken =
				MODEL_AT(other, struct curve_interval, k);
			uint64_t until_ns =
				taken ? MIN(taken->begin_ns, whole.end_ns) : whole.end_ns;

			if (until_ns > from_ns)
				append_within(kept, whole, &(struct model_span){from_ns, until_ns});
			if (!taken)
				break;
			from_ns = MAX(from_ns, taken->end_ns);
		}
	}
	g_array_set_size(curve, 0);
	g_array_append_vals(curve, kept->data, kept->len);
	g_array_free(kept, TRUE);
}

void curve_add_spans(const GArray *curve, bool blurred, GArray *spans)
{
	for (guint i = 0; i < curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, i);
		const struct model_span span = {interval->begin_ns, interval->end_ns};

		if (blurred || !interval->blurred)
			g_array_append_val(spans, span);
	}
}
