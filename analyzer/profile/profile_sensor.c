/* SPDX-License-Identifier: MIT */
/* What sensors tell of a profile: their windows, and points. */
#include <math.h>

#include "analyzer/model/curve.h"
#include "analyzer/profile/fold.h"
#include "analyzer/profile/profile_job.h"

#define FOLD_BINS 100 /* of an iteration whose power is modelled */

/* What tells the power of a whole device: the source that counts, not one that fills its holes. */
static bool is_main(const struct profile_job *job, const struct source *source)
{
	return source->top_level && !source->estimated && !source->fills && source->curve->len &&
	       source_covers(source, runs_at(job->runs, 0)->gpu);
}

static const struct source *find_main(const struct profile_job *job)
{
	const GArray *sources = job->attribution->sources;

	for (guint i = 0; i < sources->len; i++)
		if (is_main(job, &g_array_index(sources, struct source, i)))
			return &g_array_index(sources, struct source, i);
	return NULL;
}

/* A counter's reading is the mean since the one before it.  Where nothing tells the window of a
 * gauge, it may be as long as its period. */
static struct point_window window_of(const struct profile_job *job, const struct source *source)
{
	const struct fit *fit = fit_of_source(job->attribution->fits, source);
	const struct model_sensor *sensor = source->sensor;
	bool counter = model_is_counter(sensor);
	bool stated = sensor->window_ns != PWRTRACE_UNKNOWN_U64;

	if (fit)
		return (struct point_window){
			response_window_ns(&fit->response), response_lag_ns(&fit->response)};
	return (struct point_window){stated    ? (double)sensor->window_ns
				     : counter ? 0
					       : (double)curve_period_ns(sensor),
		sensor->lag_ns == PWRTRACE_UNKNOWN_U64 ? 0 : (double)sensor->lag_ns};
}

void profile_find_sensor(struct profile_job *job)
{
	struct point_window window;

	job->source = find_main(job);
	job->profile->period_s = job->profile->window_s = NAN;
	if (!job->source)
		return;
	window = window_of(job, job->source);
	job->profile->period_s = (double)curve_period_ns(job->source->sensor) / 1e9;
	job->profile->window_s = window.window_ns / 1e9;
	if (model_is_counter(job->source->sensor))
		job->profile->window_s += job->profile->period_s;
}

void profile_add_points(struct profile_job *job)
{
	const GArray *sources = job->attribution->sources;

	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = &g_array_index(sources, struct source, i);
		struct point_window window;

		if (source->estimated || !source->curve->len)
			continue;
		window = window_of(job, source);
		points_add(job->profile->points, job->runs, job->chosen, source, &window);
	}
}

bool profile_add_folded(struct profile_job *job)
{
	double power_w[FOLD_BINS];
	bool known = fold_powers(job->attribution, job->runs, job->chosen, power_w, FOLD_BINS);
	struct profile_position *position =
		&g_array_index(job->profile->positions, struct profile_position, 0);
	double sum_w = 0;

	for (guint bin = 0; known && bin < FOLD_BINS; bin++) {
		double toi_s = (bin + 0.5) / FOLD_BINS * position->time_s;
		const struct point point = {.toi_s = toi_s,
			.run_s = toi_s,
			.power_w = power_w[bin],
			.domain = job->source->sensor->domain,
			.whole = true};

		g_array_append_val(job->profile->points, point);
		sum_w += power_w[bin];
	}
	position->power.power_w = known ? sum_w / FOLD_BINS : NAN;
	return known;
}
