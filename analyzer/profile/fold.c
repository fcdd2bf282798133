/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/fold.h"

#include "analyzer/numeric/bisect.h"

struct fold {
	const struct model *model;
	const struct runs *runs;
	const bool *chosen;
	double *energy_j, *busy_s; /* by bin */
	guint bins;
};

/* Adds what lies in a bin of an execution that draws power_w. */
static void add_to_bins(struct fold *fold, const struct run_execution *run,
	const struct model_execution *execution, double power_w)
{
	double width_ns = (double)(run->end_ns - run->begin_ns) / fold->bins;
	double begin_ns = (double)execution->begin_ns - (double)run->begin_ns;
	double end_ns = (double)execution->end_ns - (double)run->begin_ns;

	for (guint bin = begin_ns > 0 ? (guint)(begin_ns / width_ns) : 0;
		bin < fold->bins && bin * width_ns < end_ns; bin++) {
		double within_ns =
			MIN(end_ns, (bin + 1) * width_ns) - MAX(begin_ns, bin * width_ns);

		fold->busy_s[bin] += within_ns / 1e9;
		fold->energy_j[bin] += power_w * within_ns / 1e9;
	}
}

static void add(void *data, const struct execution_energy *attributed)
{
	struct fold *fold = data;
	const struct model_execution *execution = attributed->execution;
	const struct run_execution *runs = runs_execution(fold->runs, 0);
	guint count = fold->runs->executions->len;
	double time_s = (double)(execution->end_ns - execution->begin_ns) / 1e9;

	if (time_s <= 0 || model_gpu_of(fold->model, execution) != runs_at(fold->runs, 0)->gpu)
		return;
	for (guint i = BISECT(k, 0, count, runs[k].end_ns > execution->begin_ns);
		i < count && runs[i].begin_ns < execution->end_ns; i++)
		if (fold->chosen[runs[i].run])
			add_to_bins(fold, &runs[i], execution,
				(double)attributed->energy_nj / 1e9 / time_s);
}

/* The static power of the device that the runs are on; NaN where none is fitted. */
static double static_w(const struct attribution *attribution, uint32_t gpu)
{
	for (guint i = 0; i < attribution->fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(attribution->fits, i);

		if (source_covers(fit->source, gpu))
			return fit->power_w[fit->powers - 1];
	}
	return NAN;
}

bool fold_powers(const struct attribution *attribution, const struct runs *runs, const bool *chosen,
	double *power_w, guint bins)
{
	struct fold fold = {attribution->model, runs, chosen, power_w, g_new0(double, bins), bins};
	double idle_w = static_w(attribution, runs_at(runs, 0)->gpu), time_s = 0;

	for (guint bin = 0; bin < bins; bin++)
		power_w[bin] = 0;
	attribution_visit(attribution, add, &fold);
	for (guint i = 0; i < runs->executions->len; i++)
		if (chosen[runs_execution(runs, i)->run])
			time_s += runs_time_s(runs_execution(runs, i)) / bins;
	for (guint bin = 0; bin < bins; bin++)
		power_w[bin] = (power_w[bin] + idle_w * MAX(time_s - fold.busy_s[bin], 0)) / time_s;
	g_free(fold.busy_s);
	return !isnan(idle_w);
}
