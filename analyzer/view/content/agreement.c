/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/agreement.h"

#include <string.h>

#include "analyzer/model/curve.h"

#define COMPARABLE 0.95 /* of the time that both should have measured */

/* The energy of a sensor within a span; negative where it has not measured nearly all of it. */
static double energy_within(const struct source *source, const struct model_span *span)
{
	GArray *curve = curve_of(source->sensor, span);
	double sum_nj = 0, measured_ns = 0;

	for (guint i = 0; i < curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, i);

		sum_nj += (double)interval->energy_nj;
		measured_ns += (double)(interval->end_ns - interval->begin_ns);
	}
	g_array_free(curve, TRUE);
	return measured_ns >= COMPARABLE * (double)(span->end_ns - span->begin_ns) ? sum_nj / 1e9
										   : -1;
}

/* From its first reading to its last. */
static struct model_span span_of(const struct source *source)
{
	const GArray *readings = source->sensor->readings;
	const struct model_reading *last =
		&g_array_index(readings, struct model_reading, readings->len - 1);

	return (struct model_span){
		g_array_index(readings, struct model_reading, 0).time_ns, last->time_ns};
}

static bool comparable(const struct source *a, const struct source *b)
{
	return a->recording == b->recording && !a->estimated && !b->estimated &&
	       strcmp(a->device, b->device) == 0 &&
	       strcmp(a->sensor->domain, b->sensor->domain) == 0 && a->sensor->readings->len > 1 &&
	       b->sensor->readings->len > 1;
}

static void compare(GArray *agreements, const struct source *a, const struct source *b)
{
	struct model_span span = span_of(a), other = span_of(b);
	struct agreement agreement = {.a = a, .b = b};

	span.begin_ns = MAX(span.begin_ns, other.begin_ns);
	span.end_ns = MIN(span.end_ns, other.end_ns);
	if (span.end_ns <= span.begin_ns)
		return;
	agreement.time_s = (double)(span.end_ns - span.begin_ns) / 1e9;
	agreement.a_j = energy_within(a, &span);
	agreement.b_j = energy_within(b, &span);
	if (agreement.a_j > 0 && agreement.b_j >= 0)
		g_array_append_val(agreements, agreement);
}

GArray *agreements_of(const struct ledger *ledger)
{
	GArray *agreements = g_array_new(FALSE, FALSE, sizeof(struct agreement));

	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *a = &g_array_index(ledger->sources, struct source, i);

		for (guint k = i + 1; k < ledger->sources->len; k++) {
			const struct source *b = &g_array_index(ledger->sources, struct source, k);

			if (comparable(a, b))
				compare(agreements, a, b);
		}
	}
	return agreements;
}
