/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/limit.h"

#include "analyzer/model/replays.h"
#include "analyzer/model/spans.h"
#include "analyzer/model/state.h"
#include "analyzer/numeric/bisect.h"

#define LITTLE 0.01 /* of the program's time */
#define HELD_BACK                                                                                  \
	.33        /* of a replay: the state is read now and then, and tells only after a while */
#define NEARLY 0.9 /* of the limit: what draws less was not held back, but ran after such a one */

/* The mean of the readings in a span; 0 where there are none. */
static double mean_w(const GArray *readings, const struct model_span *span)
{
	guint first = BISECT(i, 0, readings->len,
		g_array_index(readings, struct power_reading, i).time_ns > (double)span->begin_ns);
	double sum_w = 0;
	guint i;

	for (i = first; i < readings->len; i++) {
		const struct power_reading *reading =
			&g_array_index(readings, struct power_reading, i);

		if (reading->time_ns > (double)span->end_ns)
			break;
		sum_w += reading->power_w;
	}
	return i > first ? sum_w / (i - first) : 0;
}

/* Adds the halves of a replay in which as much was drawn as a limit allows. */
static void add_halves(
	GArray *halves, const struct model_span *replay, double limit_w, const GArray *readings)
{
	uint64_t middle_ns = replay->begin_ns + (replay->end_ns - replay->begin_ns) / 2;
	const struct model_span both[] = {
		{replay->begin_ns, middle_ns}, {middle_ns, replay->end_ns}};

	for (guint i = 0; i < G_N_ELEMENTS(both); i++)
		if (mean_w(readings, &both[i]) > NEARLY * limit_w)
			g_array_append_val(halves, both[i]);
}

/* The time of each class in the program; *all_ns: that of all.  g_free it. */
static double *times_of(const struct model *model, const struct classes *classes, double *all_ns)
{
	double *time_ns = g_new0(double, classes->list->len + 1);

	*all_ns = 0;
	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t own = classes_find(classes, execution);
		double length_ns = (double)(execution->end_ns - execution->begin_ns);

		if (own == CLASSES_NONE ||
			model_origin_of(model, execution)->replayed != MODEL_OF_PROGRAM)
			continue;
		time_ns[own] += length_ns;
		*all_ns += length_ns;
	}
	return time_ns;
}

/* The longest time in the program of a class of which something ran in a span. */
static double longest_in(const struct model *model, const struct classes *classes,
	const double *time_ns, const struct model_span *span)
{
	guint first = BISECT(i, 0, model->executions->len,
		model_execution_at(model, i)->begin_ns >= span->begin_ns);
	double longest_ns = 0;

	for (guint i = first; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t own = classes_find(classes, execution);

		if (execution->begin_ns >= span->end_ns)
			break;
		if (own != CLASSES_NONE)
			longest_ns = MAX(longest_ns, time_ns[own]);
	}
	return longest_ns;
}

GArray *limit_spans(const struct model *model, const struct source *source,
	const struct classes *classes, const GArray *readings)
{
	GArray *halves = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	uint32_t device = source_gpu(model, source);
	struct states *states;
	double all_ns, *time_ns;

	if (!source->replays)
		return halves;
	states = states_of(model);
	time_ns = times_of(model, classes, &all_ns);
	for (guint i = 0; i < model->replays->len; i++) {
		const struct model_span *span =
			&g_array_index(model->replays, struct model_replay, i).span;
		struct state_sums sums = {0};

		states_add(states, &sums, device, span->begin_ns, span->end_ns);
		if (state_at_limit(&sums) > HELD_BACK &&
			longest_in(model, classes, time_ns, span) < LITTLE * all_ns)
			add_halves(halves, span, state_limit_w(&sums), readings);
	}
	g_free(time_ns);
	states_free(states);
	spans_unite(halves);
	return halves;
}
