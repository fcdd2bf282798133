/* SPDX-License-Identifier: MIT */
#include "analyzer/response/reading.h"

#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/response/ablation.h"

#define STALL 10        /* equal readings in a row: by chance there are hardly as many */
#define EQUAL_PART 0.05 /* of others: with more, equal readings are usual for this sensor */

/* Marks the readings of a sensor that stood still: the same value many times in a row, where
 * otherwise hardly any neighbours are equal.  A sensor with a coarse resolution, or of a constant
 * power, often has equal neighbours.  g_free it. */
static bool *stalled(const GArray *readings)
{
	const struct model_reading *reading = (const void *)readings->data;
	bool *marks = g_new0(bool, readings->len + 1);
	guint equal = 0, stalls = 0;

	for (guint first = 0, end; first < readings->len; first = end) {
		for (end = first + 1; end < readings->len; end++)
			if (reading[end].value != reading[first].value)
				break;
		if (end - first < STALL) {
			equal += end - first - 1;
			continue;
		}
		for (guint i = first + 1; i < end; i++, stalls++)
			marks[i] = true;
	}
	if (ablated(ABLATION_STALLS) || stalls > readings->len / 2 ||
		equal > EQUAL_PART * readings->len)
		memset(marks, 0, readings->len * sizeof(*marks));
	return marks;
}

GArray *readings_of(const struct source *source, struct readings_left_out *left_out)
{
	struct readings_left_out ignored = {.ceiling_w = 0};
	const struct model_sensor *sensor = source->sensor;
	const struct model_span *span = &source->recording->span;
	bool counter = model_is_counter(sensor);
	GArray *readings = g_array_new(FALSE, FALSE, sizeof(struct power_reading));
	bool *stands = stalled(sensor->readings);
	uint64_t hole_ns = curve_hole_ns(sensor), period_ns = curve_period_ns(sensor);

	left_out = left_out ? left_out : &ignored;
	*left_out = (struct readings_left_out){.backwards = counter ? sensor->glitches : 0,
		.impossible = counter ? 0 : sensor->glitches};
	for (guint i = 1; i < sensor->readings->len; i++) {
		const struct model_reading *now =
			&g_array_index(sensor->readings, struct model_reading, i);
		const struct model_reading *before = now - 1;
		bool hole =
			now->time_ns > before->time_ns && now->time_ns - before->time_ns > hole_ns;
		struct power_reading reading = {.time_ns = (double)now->time_ns,
			.since_ns = (double)(counter ? before->time_ns : now->time_ns),
			.length_ns = (double)(hole ? period_ns : now->time_ns - before->time_ns),
			.power_w = (double)now->value / 1e3};

		if (now->time_ns <= before->time_ns || before->time_ns < span->begin_ns ||
			now->time_ns > span->end_ns)
			continue;
		left_out->stalled += stands[i];
		if (counter && now->value < before->value)
			left_out->backwards++;
		else if (counter && !curve_counts(before, now))
			left_out->impossible++;
		if (stands[i] || (counter && (hole || !curve_counts(before, now))))
			continue;
		if (counter)
			reading.power_w =
				(double)(now->value - before->value) * 1e3 / reading.length_ns;
		g_array_append_val(readings, reading);
	}
	g_free(stands);
	return readings;
}

double reading_variance(double mean_w, double power_w)
{
	double floor_w = READING_ERROR_FLOOR * mean_w, part_w = READING_ERROR_PART * power_w;

	return floor_w * floor_w + part_w * part_w + 1e-12;
}
