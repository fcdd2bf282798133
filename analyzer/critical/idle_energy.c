/* SPDX-License-Identifier: MIT */
#include "analyzer/critical/idle_energy.h"

#include <math.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/sweep.h"

/* How long nothing ran on the devices of a source while its power was known. */
static uint64_t idle_ns(const struct model *model, const struct source *source)
{
	struct sweep sweep;
	uint64_t idle_ns = 0;

	sweep_begin(&sweep, model, source);
	for (guint i = 0; i < source->curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(source->curve, struct curve_interval, i);

		for (uint64_t now_ns = interval->begin_ns, next_ns; now_ns < interval->end_ns;
			now_ns = next_ns) {
			next_ns = sweep_step(&sweep, now_ns, interval->end_ns);
			if (!sweep.count && !sweep.replaying)
				idle_ns += next_ns - now_ns;
		}
	}
	sweep_end(&sweep);
	return idle_ns;
}

static double power_w(const struct attribution *attribution, guint i)
{
	const struct source *source = &g_array_index(attribution->sources, struct source, i);
	uint64_t time_ns;

	if (source->estimated)
		return (double)source->static_mw / 1e3;
	time_ns = idle_ns(attribution->model, source);
	return time_ns ? (double)attribution->balances[i].idle_nj / (double)time_ns : NAN;
}

/* Adds the idle energy of the executions on the devices of a source: power_w for the time in which
 * any of them runs, in equal parts. */
static void add_source(
	const struct model *model, const struct source *source, double power_w, double *all_j)
{
	struct sweep sweep;

	sweep_begin(&sweep, model, source);
	for (uint64_t now_ns = 0, next_ns; now_ns < UINT64_MAX; now_ns = next_ns) {
		next_ns = sweep_step(&sweep, now_ns, UINT64_MAX);
		for (guint i = 0; i < sweep.count; i++)
			all_j[sweep.running[i].execution] +=
				power_w * (double)(next_ns - now_ns) / 1e9 / sweep.count;
	}
	sweep_end(&sweep);
}

double *idle_energies_of(const struct attribution *attribution)
{
	const struct model *model = attribution->model;
	double *all_j = g_new0(double, model->executions->len + 1);

	for (guint i = 0; i < attribution->sources->len; i++) {
		const struct source *source =
			&g_array_index(attribution->sources, struct source, i);

		if (source->top_level && !source->fills && source_covers_any(model, source))
			add_source(model, source, power_w(attribution, i), all_j);
	}
	for (guint i = 0; i < model->executions->len; i++) {
		uint32_t gpu = model_gpu_of(model, model_execution_at(model, i));

		if (gpu == MODEL_NONE || !attribution->measured[gpu])
			all_j[i] = NAN;
	}
	return all_j;
}
