/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/sleep.h"

#include "analyzer/model/spans.h"
#include "analyzer/model/state.h"
#include "analyzer/model/sweep.h"
#include "analyzer/regress/design/reading_spans.h"

#define READINGS_MIN 5 /* of sleep, for a mean power */

static uint32_t highest_clock_mhz(const GArray *states)
{
	uint32_t highest_mhz = 0;

	for (guint i = 0; states && i < states->len; i++) {
		uint32_t clock_mhz = g_array_index(states, struct model_state, i).sm_clock_mhz;

		if (clock_mhz != PWRTRACE_UNKNOWN_U32)
			highest_mhz = MAX(highest_mhz, clock_mhz);
	}
	return highest_mhz;
}

/* Adds the parts of a span in which nothing ran. */
static void add_idle(GArray *spans, struct sweep *sweep, uint64_t begin_ns, uint64_t end_ns)
{
	while (begin_ns < end_ns) {
		uint64_t until_ns = sweep_step(sweep, begin_ns, end_ns);
		struct model_span idle = {begin_ns, until_ns};

		if (!sweep->count)
			g_array_append_val(spans, idle);
		begin_ns = until_ns;
	}
}

static GArray *spans_of(const struct model *model, const struct source *source)
{
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	struct states *states = states_of(model);
	const GArray *all = states_list(states, source_gpu(model, source));
	uint32_t highest_mhz = highest_clock_mhz(all);
	struct sweep sweep;

	sweep_begin(&sweep, model, source);
	for (guint i = 0; all && i + 1 < all->len; i++) {
		const struct model_state *state = &g_array_index(all, struct model_state, i);

		/* Readings may go back to before the first state was read. */
		if (state->sm_clock_mhz < highest_mhz / 2)
			add_idle(spans, &sweep, i ? state->time_ns : 0, state[1].time_ns);
	}
	sweep_end(&sweep);
	states_free(states);
	return spans;
}

struct sleep *sleep_of(
	const struct model *model, const struct source *source, const GArray *readings)
{
	struct sleep *sleep = g_new0(struct sleep, 1);
	double sum_w = 0;

	sleep->spans = spans_of(model, source);
	for (guint i = 0; sleep->spans->len && i < readings->len; i++) {
		const struct power_reading *reading =
			&g_array_index(readings, struct power_reading, i);

		if (reading_spans_part(sleep->spans, reading) < 1)
			continue;
		sum_w += reading->power_w;
		sleep->readings++;
	}
	if (sleep->readings < READINGS_MIN) {
		sleep_free(sleep);
		return NULL;
	}
	sleep->power_w = sum_w / sleep->readings;
	return sleep;
}

void sleep_free(struct sleep *sleep)
{
	if (!sleep)
		return;
	g_array_free(sleep->spans, TRUE);
	g_free(sleep);
}

uint64_t sleep_within(const struct sleep *sleep, uint64_t begin_ns, uint64_t end_ns)
{
	return sleep ? spans_within(sleep->spans, begin_ns, end_ns) : 0;
}
