/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/steps.h"

/* The index of the iteration in which an execution was launched; list->len: of none. */
static guint iteration_of(
	const struct iterations *iterations, const struct model_execution *execution)
{
	const struct model *model = iterations->ledger->model;

	return iterations_index(iterations, model_origin_of(model, execution)->process,
		model_launched_ns(execution));
}

/* The device that most iterations' executions ran on. */
static uint32_t device_of(const struct iterations *iterations)
{
	const struct model *model = iterations->ledger->model;
	guint *counts = g_new0(guint, model->gpus->len + 1);
	uint32_t most = 0;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t gpu = model_gpu_of(model, execution);

		if (gpu != MODEL_NONE &&
			iteration_of(iterations, execution) < iterations->list->len)
			counts[gpu]++;
	}
	for (uint32_t gpu = 1; gpu < model->gpus->len; gpu++)
		most = counts[gpu] > counts[most] ? gpu : most;
	g_free(counts);
	return most;
}

struct runs *steps_find(const struct iterations *iterations)
{
	const struct model *model = iterations->ledger->model;
	guint count = iterations->list->len;
	struct model_span *spans = g_new0(struct model_span, count + 1);
	GArray *kept = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	uint32_t gpu = device_of(iterations);
	struct runs *runs;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		struct model_span *span = &spans[iteration_of(iterations, execution)];

		if (!model_is_timed(execution) || model_gpu_of(model, execution) != gpu)
			continue;
		span->begin_ns = span->end_ns ? MIN(span->begin_ns, execution->begin_ns)
					      : execution->begin_ns;
		span->end_ns = MAX(span->end_ns, execution->end_ns);
	}
	for (guint i = 0; i < count; i++)
		if (spans[i].end_ns)
			g_array_append_val(kept, spans[i]);
	runs = runs_of_spans(kept, gpu);
	g_array_free(kept, TRUE);
	g_free(spans);
	return runs;
}
