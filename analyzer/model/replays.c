/* SPDX-License-Identifier: MIT */
#include "analyzer/model/replays.h"

static const struct model_replay *replay_at(const struct model *model, guint i)
{
	return &g_array_index(model->replays, struct model_replay, i);
}

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct model_replay *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->span.begin_ns < y->span.begin_ns ? -1 : x->span.begin_ns > y->span.begin_ns;
}

/* Replays of a process do not overlap: the last that began by then is the only one. */
static bool is_within(const struct model *model, uint32_t process, uint64_t time_ns)
{
	const struct model_replay *found = NULL;
	guint low = 0, high = model->replays->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;
		const struct model_replay *replay = replay_at(model, middle);

		if (replay->process < process ||
			(replay->process == process && replay->span.begin_ns <= time_ns)) {
			found = replay;
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return found && found->process == process && time_ns < found->span.end_ns;
}

static uint32_t own_layer(struct model_process *process)
{
	uint32_t id = MAX(table_end(process->layers), 1);
	struct model_layer *layer = table_slot(process->layers, id);

	if (!layer)
		return 0;
	*layer = (struct model_layer){true, 0, REPLAYS_NAME};
	return id;
}

void replays_mark(struct model *model)
{
	uint32_t *layers;

	if (!model->replays->len)
		return;
	g_array_sort(model->replays, by_begin);
	layers = g_new0(uint32_t, model->processes->len + 1);
	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution *execution =
			&g_array_index(model->executions, struct model_execution, i);
		uint32_t *layer = &layers[execution->process];
		uint64_t launched_ns = execution->energy_nj == PWRTRACE_UNKNOWN_U64
					       ? execution->begin_ns
					       : execution->energy_nj;

		if (!is_within(model, execution->process, launched_ns))
			continue;
		if (!*layer)
			*layer = own_layer(&g_array_index(
				model->processes, struct model_process, execution->process));
		execution->replayed = true;
		execution->layer = *layer;
	}
	g_free(layers);
}

static int by_span(gconstpointer a, gconstpointer b)
{
	const struct model_span *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

GArray *replays_spans(const struct model *model)
{
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	struct model_span *all;
	guint count = 0;

	for (guint i = 0; i < model->replays->len; i++)
		g_array_append_val(spans, replay_at(model, i)->span);
	g_array_sort(spans, by_span);
	all = (void *)spans->data;
	for (guint i = 0; i < spans->len; i++) {
		if (count && all[i].begin_ns <= all[count - 1].end_ns)
			all[count - 1].end_ns = MAX(all[count - 1].end_ns, all[i].end_ns);
		else
			all[count++] = all[i];
	}
	g_array_set_size(spans, count);
	return spans;
}

uint64_t replays_span_ns(const struct model *model)
{
	GArray *spans = replays_spans(model);
	uint64_t sum_ns = 0;

	for (guint i = 0; i < spans->len; i++)
		sum_ns += g_array_index(spans, struct model_span, i).end_ns -
			  g_array_index(spans, struct model_span, i).begin_ns;
	g_array_free(spans, TRUE);
	return sum_ns;
}

/* Equal texts are one string. */
guint replays_alike(const struct model *model, guint own)
{
	guint count = 0;

	for (guint i = 0; i < model->replays->len; i++) {
		if (replay_at(model, i)->reason != replay_at(model, own)->reason)
			continue;
		if (i < own)
			return 0;
		count++;
	}
	return count;
}
