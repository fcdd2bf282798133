/* SPDX-License-Identifier: MIT */
#include "analyzer/model/sweep.h"

static const struct model_execution *execution_at(const struct sweep *sweep, guint i)
{
	return model_execution_at(sweep->model, i);
}

static void set_next(struct sweep *sweep, guint next)
{
	sweep->next = next;
	sweep->next_begin_ns = next < sweep->model->executions->len
				       ? execution_at(sweep, next)->begin_ns
				       : UINT64_MAX;
}

void sweep_begin(struct sweep *sweep, const struct model *model, const struct source *source)
{
	*sweep = (struct sweep){.model = model, .source = source};
	set_next(sweep, 0);
}

void sweep_end(struct sweep *sweep)
{
	g_free(sweep->running);
}

static void begin(struct sweep *sweep, guint execution)
{
	if (sweep->count == sweep->room) {
		sweep->room = 2 * sweep->room + 1;
		sweep->running = g_renew(struct sweep_running, sweep->running, sweep->room);
	}
	sweep->running[sweep->count++] = (struct sweep_running){
		.end_ns = execution_at(sweep, execution)->end_ns, .execution = execution};
}

static void begin_and_end(struct sweep *sweep, uint64_t now_ns)
{
	for (guint i = sweep->count; i > 0; i--)
		if (sweep->running[i - 1].end_ns <= now_ns)
			sweep->running[i - 1] = sweep->running[--sweep->count];
	for (; sweep->next_begin_ns <= now_ns; set_next(sweep, sweep->next + 1)) {
		const struct model_execution *execution = execution_at(sweep, sweep->next);

		if (execution->end_ns > now_ns &&
			source_covers(sweep->source, model_gpu_of(sweep->model, execution)))
			begin(sweep, sweep->next);
	}
}

/* Returns when a replay begins or ends next, at most until_ns. */
static uint64_t step_replays(struct sweep *sweep, uint64_t now_ns, uint64_t until_ns)
{
	const GArray *replays = sweep->source->replays;

	sweep->replaying = false;
	for (; replays && sweep->next_replay < replays->len; sweep->next_replay++) {
		const struct model_span *span =
			&g_array_index(replays, struct model_span, sweep->next_replay);

		if (span->end_ns <= now_ns)
			continue;
		sweep->replaying = span->begin_ns <= now_ns;
		return MIN(until_ns, sweep->replaying ? span->end_ns : span->begin_ns);
	}
	return until_ns;
}

uint64_t sweep_step(struct sweep *sweep, uint64_t now_ns, uint64_t until_ns)
{
	begin_and_end(sweep, now_ns);
	until_ns = step_replays(sweep, now_ns, until_ns);
	for (guint i = 0; i < sweep->count; i++)
		until_ns = MIN(until_ns, sweep->running[i].end_ns);
	return MIN(until_ns, sweep->next_begin_ns);
}
