/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/reading_spans.h"

#include "analyzer/model/spans.h"

#define REACH 3 /* a reading's window may be so many times the distance of readings */

double reading_spans_part(const GArray *spans, const struct power_reading *reading)
{
	double reach_ns = REACH * reading->length_ns;
	uint64_t begin_ns = (uint64_t)MAX(reading->time_ns - reach_ns, 0);

	return (double)spans_within(spans, begin_ns, (uint64_t)reading->time_ns) / reach_ns;
}

guint reading_spans_leave_out(const GArray *spans, GArray *readings)
{
	guint kept = 0, all = readings->len;

	for (guint i = 0; i < all; i++) {
		struct power_reading reading = g_array_index(readings, struct power_reading, i);

		if (!(reading_spans_part(spans, &reading) > 0))
			g_array_index(readings, struct power_reading, kept++) = reading;
	}
	g_array_set_size(readings, kept);
	return all - kept;
}
