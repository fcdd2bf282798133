/* SPDX-License-Identifier: MIT */
#include "analyzer/model/timeline.h"
#include "analyzer/view/perfetto/perfetto_trace.h"

#define DEPTH_MAX 256

/* The layers that a thread has open, outermost first. */
struct open_layers {
	uint32_t layers[DEPTH_MAX];
	guint depth;
	bool known; /* its track was written */
};

static const struct model_layer *layer_of(const struct model_process *process, uint32_t id)
{
	return table_find(process->layers, id);
}

/* Fills layers with those around one, and itself, outermost first; returns how many. */
static guint chain_of(
	const struct model_process *process, uint32_t id, uint32_t layers[static DEPTH_MAX])
{
	guint depth = 0;

	for (const struct model_layer *layer; id && depth < DEPTH_MAX; id = layer->parent) {
		layers[depth++] = id;
		layer = layer_of(process, id);
		if (!layer)
			break;
	}
	for (guint i = 0; i < depth / 2; i++) {
		uint32_t other = layers[i];

		layers[i] = layers[depth - 1 - i];
		layers[depth - 1 - i] = other;
	}
	return depth;
}

static void put_change(struct perfetto_trace *trace, struct open_layers *open,
	const struct timeline_switch *change)
{
	const struct model_process *process = &g_array_index(
		trace->ledger->model->processes, struct model_process, change->process);
	uint64_t track = perfetto_track(PERFETTO_THREAD, change->thread);
	uint32_t layers[DEPTH_MAX] = {0};
	guint depth = chain_of(process, change->layer, layers), same = 0;

	if (!open->known) {
		char *name = g_strdup_printf("layers, thread %u", change->thread);

		perfetto_put_track(trace, track, perfetto_track(PERFETTO_PROCESS, change->process),
			name, NULL);
		g_free(name);
		open->known = true;
	}
	while (same < MIN(depth, open->depth) && layers[same] == open->layers[same])
		same++;
	for (guint i = open->depth; i > same; i--) {
		perfetto_begin_track_event(trace, TRACK_EVENT_END, track);
		perfetto_put_event(trace, PACKET_TRACK_EVENT, change->time_ns);
	}
	for (guint i = same; i < depth; i++) {
		const struct model_layer *layer = layer_of(process, layers[i]);

		perfetto_begin_track_event(trace, TRACK_EVENT_BEGIN, track);
		packet_put_text(trace->event, 23,
			layer && layer->defined ? layer->name : "(unknown layer)");
		perfetto_put_event(trace, PACKET_TRACK_EVENT, change->time_ns);
	}
	memcpy(open->layers, layers, depth * sizeof(*layers));
	open->depth = depth;
}

void perfetto_put_layers(struct perfetto_trace *trace)
{
	const struct timeline *timeline = trace->ledger->timeline;
	struct open_layers *open;

	if (!timeline)
		return;
	open = g_new0(struct open_layers, timeline->threads + 1);
	for (guint i = 0; i < timeline->switches->len; i++) {
		const struct timeline_switch *change = mapped_array_at(timeline->switches, i);

		put_change(trace, &open[change->thread], change);
	}
	g_free(open);
}
