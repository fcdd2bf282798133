/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/sweep.h"

static const struct model_execution *execution_at(const struct sweep *sweep, guint i)
{
	return &g_array_index(sweep->model->executions, struct model_execution, i);
}

static uint64_t end_of(const struct sweep *sweep, guint i)
{
	return execution_at(sweep, sweep_at(sweep, i)->execution)->end_ns;
}

void sweep_begin(struct sweep *sweep, const struct model *model, const struct source *source)
{
	*sweep = (struct sweep){.model = model,
		.source = source,
		.running = g_array_new(FALSE, FALSE, sizeof(struct sweep_running))};
}

void sweep_end(struct sweep *sweep)
{
	g_array_free(sweep->running, TRUE);
}

static void begin_and_end(struct sweep *sweep, uint64_t now_ns)
{
	for (guint i = sweep->running->len; i > 0; i--)
		if (end_of(sweep, i - 1) <= now_ns)
			g_array_remove_index_fast(sweep->running, i - 1);
	for (; sweep->next < sweep->model->executions->len; sweep->next++) {
		const struct model_execution *execution = execution_at(sweep, sweep->next);
		const struct sweep_running begun = {.execution = sweep->next};

		if (execution->begin_ns > now_ns)
			break;
		if (execution->end_ns > now_ns &&
			source_covers(sweep->source, model_gpu_of(sweep->model, execution)))
			g_array_append_val(sweep->running, begun);
	}
}

uint64_t sweep_step(struct sweep *sweep, uint64_t now_ns, uint64_t until_ns)
{
	begin_and_end(sweep, now_ns);
	for (guint i = 0; i < sweep->running->len; i++)
		until_ns = MIN(until_ns, end_of(sweep, i));
	if (sweep->next < sweep->model->executions->len)
		until_ns = MIN(until_ns, execution_at(sweep, sweep->next)->begin_ns);
	return until_ns;
}
