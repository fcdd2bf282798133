/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/activity.h"

#include <math.h>

#define COUNTER_POINTS 8 /* where a counter's rate is looked at between two readings */

static void add(
	struct activity *activity, guint slot, double weight, double begin_ns, double end_ns)
{
	double *below = activity->below + (gsize)slot * (activity->bins + 1);
	double from = MAX((begin_ns - activity->begin_ns) / activity->bin_ns, 0);
	double to = MIN((end_ns - activity->begin_ns) / activity->bin_ns, activity->bins);

	for (guint bin = (guint)from; from < to; bin++) {
		double until = MIN(to, bin + 1.);

		below[bin + 1] += weight * (until - from) * activity->bin_ns;
		from = until;
	}
}

struct activity *activity_make(const struct model *model, const struct classes *classes,
	const struct design_reading *readings, guint rows, double reach_ns, double bin_ns,
	guint slots, const uint32_t *slot_of, const double *weight_of)
{
	struct activity *activity = g_new0(struct activity, 1);
	double end_ns = readings[rows - 1].time_ns + reach_ns;

	activity->begin_ns = readings[0].since_ns - reach_ns;
	activity->bin_ns = bin_ns;
	activity->bins = (guint)ceil((end_ns - activity->begin_ns) / bin_ns);
	activity->slots = slots;
	activity->below = g_new0(double, (gsize)slots *(activity->bins + 1));
	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution =
			&g_array_index(model->executions, struct model_execution, i);
		uint32_t column;

		if (classes->of[i] == CLASSES_NONE ||
			(double)execution->end_ns <= activity->begin_ns)
			continue;
		if ((double)execution->begin_ns >= end_ns)
			break;
		column = g_array_index(classes->list, struct class, classes->of[i]).column;
		add(activity, slot_of ? slot_of[column] : 0, weight_of ? weight_of[column] : 1,
			(double)execution->begin_ns, (double)execution->end_ns);
	}
	for (gsize i = 0; i < (gsize)slots * (activity->bins + 1); i++)
		if (i % (activity->bins + 1))
			activity->below[i] += activity->below[i - 1];
	return activity;
}

void activity_free(struct activity *activity)
{
	g_free(activity->below);
	g_free(activity);
}

static double below(const struct activity *activity, const double *slot, double time_ns)
{
	double place = (time_ns - activity->begin_ns) / activity->bin_ns;
	guint bin;

	if (place <= 0)
		return 0;
	if (place >= activity->bins)
		return slot[activity->bins];
	bin = (guint)place;
	return slot[bin] + (place - bin) * (slot[bin + 1] - slot[bin]);
}

static double seen_at(const struct activity *activity, const double *slot,
	const struct response *response, double time_ns)
{
	double edge_ns = time_ns - response->begin_ns, later = below(activity, slot, edge_ns);
	double sum = 0;

	for (guint tap = 0; tap < response->taps; tap++) {
		double earlier = below(activity, slot, edge_ns - (tap + 1) * response->step_ns);

		sum += (response->below[tap + 1] - response->below[tap]) * (later - earlier);
		later = earlier;
	}
	return sum / response->step_ns;
}

double activity_part(const struct activity *activity, guint slot, const struct response *response,
	const struct design_reading *reading)
{
	const double *own = activity->below + (gsize)slot * (activity->bins + 1);
	double length_ns = reading->time_ns - reading->since_ns, sum = 0;

	if (!(length_ns > 0))
		return seen_at(activity, own, response, reading->time_ns);
	for (int i = 0; i < COUNTER_POINTS; i++)
		sum += seen_at(activity, own, response,
			reading->since_ns + length_ns * (i + 0.5) / COUNTER_POINTS);
	return sum / COUNTER_POINTS;
}
