/* SPDX-License-Identifier: MIT */
#include "analyzer/critical/idle_power.h"

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

double *idle_powers_of(const struct attribution *attribution)
{
	guint gpus = attribution->model->gpus->len;
	double *all_w = g_new0(double, gpus + 1);
	bool *known = g_new0(bool, gpus + 1);

	for (guint i = 0; i < attribution->sources->len; i++) {
		const struct source *source =
			&g_array_index(attribution->sources, struct source, i);
		double covered = 0, w = NAN;

		if (!source->top_level || source->fills)
			continue;
		for (guint gpu = 0; gpu < gpus; gpu++)
			covered += source->covers[gpu];
		if (covered > 0)
			w = power_w(attribution, i) / covered;
		for (guint gpu = 0; gpu < gpus; gpu++) {
			all_w[gpu] += source->covers[gpu] ? w : 0;
			known[gpu] |= source->covers[gpu];
		}
	}
	for (guint gpu = 0; gpu < gpus; gpu++)
		all_w[gpu] = known[gpu] ? all_w[gpu] : NAN;
	g_free(known);
	return all_w;
}
