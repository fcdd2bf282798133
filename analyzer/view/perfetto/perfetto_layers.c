/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/layer_steps.h"
#include "analyzer/view/perfetto/perfetto_trace.h"

static void put_thread(struct perfetto_trace *trace, const struct layer_step *step)
{
	char *name = g_strdup_printf("layers, thread %u", step->thread);

	perfetto_put_track(trace, perfetto_track(PERFETTO_THREAD, step->thread),
		perfetto_track(PERFETTO_PROCESS, step->process), name, NULL);
	g_free(name);
}

void perfetto_put_layers(struct perfetto_trace *trace)
{
	const struct model *model = trace->ledger->model;
	const struct timeline *timeline = trace->ledger->timeline;
	struct layer_steps *steps = layer_steps_new(model, timeline);
	bool *known = g_new0(bool, timeline ? timeline->threads + 1 : 1);
	struct layer_step step;

	while (layer_steps_next(steps, &step)) {
		if (!known[step.thread])
			put_thread(trace, &step);
		known[step.thread] = true;
		perfetto_begin_track_event(trace, step.begins ? TRACK_EVENT_BEGIN : TRACK_EVENT_END,
			perfetto_track(PERFETTO_THREAD, step.thread));
		if (step.begins)
			packet_put_text(trace->event, 23, step.name);
		perfetto_put_event(trace, PACKET_TRACK_EVENT, step.time_ns);
	}
	g_free(known);
	layer_steps_free(steps);
}
