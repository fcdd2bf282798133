/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/runs.h"

#include <math.h>

#include "analyzer/numeric/order.h"

static struct runs *new_runs(void)
{
	struct runs *runs = g_new0(struct runs, 1);

	runs->list = g_array_new(FALSE, FALSE, sizeof(struct run));
	runs->executions = g_array_new(FALSE, FALSE, sizeof(struct run_execution));
	return runs;
}

/* Leaves the last run out where it has too few executions. */
static void end_run(struct runs *runs, guint fewest)
{
	const struct run *run = runs->list->len ? runs_at(runs, runs->list->len - 1) : NULL;

	if (!run || run->count >= fewest)
		return;
	g_array_set_size(runs->executions, run->first);
	g_array_set_size(runs->list, runs->list->len - 1);
}

static void begin_run(struct runs *runs, uint32_t gpu)
{
	const struct run run = {.first = runs->executions->len, .gpu = gpu};

	g_array_append_val(runs->list, run);
}

static void add(struct runs *runs, struct run_execution execution)
{
	struct run *run = &g_array_index(runs->list, struct run, runs->list->len - 1);

	execution.run = runs->list->len - 1;
	execution.number = ++run->count;
	runs->longest = MAX(runs->longest, run->count);
	g_array_append_val(runs->executions, execution);
}

/* An execution at its time on the device, or as if it had begun with its launch. */
static struct run_execution timed(const struct model *model, guint i, bool as_launched)
{
	const struct model_execution *execution = model_execution_at(model, i);
	uint64_t begin_ns = as_launched ? model_launched_ns(execution) : execution->begin_ns;

	return (struct run_execution){.begin_ns = begin_ns,
		.end_ns = begin_ns + (execution->end_ns - execution->begin_ns),
		.execution = i};
}

static void find_on(struct runs *runs, const struct model *model, const struct runs_wanted *wanted,
	uint32_t gpu)
{
	uint64_t busy_until_ns = 0;
	bool idle = true; /* since the last of the kernel's executions */

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);

		if (!model_is_timed(execution) || model_gpu_of(model, execution) != gpu)
			continue;
		idle |= execution->begin_ns >= busy_until_ns + wanted->gap_ns;
		busy_until_ns = MAX(busy_until_ns, execution->end_ns);
		if (!wanted->origins[execution->origin])
			continue;
		if (idle) {
			end_run(runs, wanted->fewest);
			begin_run(runs, gpu);
		}
		idle = false;
		add(runs, timed(model, i, wanted->as_launched));
	}
	end_run(runs, wanted->fewest);
}

struct runs *runs_find(const struct model *model, const struct runs_wanted *wanted)
{
	struct runs *runs = new_runs();

	for (guint gpu = 0; gpu < model->gpus->len; gpu++)
		find_on(runs, model, wanted, gpu);
	return runs;
}

struct runs *runs_of_spans(const GArray *spans, uint32_t gpu)
{
	struct runs *runs = new_runs();

	for (guint i = 0; i < spans->len; i++) {
		const struct model_span *span = &g_array_index(spans, struct model_span, i);

		begin_run(runs, gpu);
		add(runs, (struct run_execution){.begin_ns = span->begin_ns,
				  .end_ns = span->end_ns,
				  .execution = MODEL_NONE});
	}
	return runs;
}

void runs_free(struct runs *runs)
{
	if (!runs)
		return;
	g_array_free(runs->list, TRUE);
	g_array_free(runs->executions, TRUE);
	g_free(runs);
}

double *runs_times_s(const struct runs *runs, const bool *chosen)
{
	double *medians = g_new(double, runs->longest + 1);
	GArray *times = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint number = 1; number <= runs->longest; number++) {
		g_array_set_size(times, 0);
		for (guint i = 0; i < runs->list->len; i++) {
			const struct run *run = runs_at(runs, i);
			double time_s;

			if (run->count < number || (chosen && !chosen[i]))
				continue;
			time_s = runs_time_s(runs_execution(runs, run->first + number - 1));
			g_array_append_val(times, time_s);
		}
		g_array_sort(times, order_doubles);
		medians[number - 1] =
			times->len ? g_array_index(times, double, times->len / 2) : NAN;
	}
	g_array_free(times, TRUE);
	return medians;
}
