/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/profile.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/numeric/polynomial.h"
#include "analyzer/profile/before.h"
#include "analyzer/profile/modelled.h"

/* A profile while it is made. */
struct profiling {
	const struct attribution *attribution;
	const struct profile_options *options;
	struct profile *profile;
	struct runs *runs;
	bool *chosen; /* by run */
	guint *part_of;
};

/* ---- which runs ---- */

static guint count_chosen(const struct profiling *job)
{
	guint count = 0;

	for (guint i = 0; i < job->runs->list->len; i++)
		count += job->chosen[i];
	return count;
}

static void choose_first(struct profiling *job)
{
	struct profile *profile = job->profile;
	size_t most = job->options->runs ? job->options->runs : SIZE_MAX;

	job->chosen = g_new0(bool, job->runs->list->len + 1);
	profile->fewest = G_MAXUINT;
	for (guint i = 0; i < job->runs->list->len && i < most; i++) {
		job->chosen[i] = true;
		profile->fewest = MIN(profile->fewest, runs_at(job->runs, i)->count);
		profile->most = MAX(profile->most, runs_at(job->runs, i)->count);
	}
	profile->runs = count_chosen(job);
}

static double least(const double *times_s, guint count)
{
	double least_s = NAN;

	for (guint i = 0; i < count; i++)
		least_s = fmin(least_s, times_s[i]);
	return least_s;
}

/* Finds the execution of the best time, and chooses the runs in which it took that. */
static void choose_golden(struct profiling *job)
{
	struct profile *profile = job->profile;
	guint count = MIN(job->runs->longest, PROFILE_NUMBERS_MAX);
	double *times_s = runs_times_s(job->runs, job->chosen);
	guint sse;
	bool *golden;

	profile->guidance = guidance_of(least(times_s, count), profile->period_s);
	if (!isnan(job->options->margin))
		profile->guidance.margin = job->options->margin;
	sse = steady_execution(times_s, count, profile->guidance.margin);
	golden = steady_golden_runs(job->runs, MAX(sse, 1), profile->guidance.margin,
		job->options->outlier_s, &profile->bin);
	for (guint i = 0; !job->options->no_binning && i < job->runs->list->len; i++)
		job->chosen[i] &= golden[i];
	profile->golden = count_chosen(job);
	profile->sse = profile->runs > 1 && job->runs->longest > 1 ? sse : 0;
	g_free(golden);
	g_free(times_s);
}

/* ---- the sensor ---- */

/* What tells the power of a whole device: the source that counts, not one that fills its holes. */
static bool is_main(const struct profiling *job, const struct source *source)
{
	return source->top_level && !source->estimated && !source->fills && source->curve->len &&
	       source_covers(source, runs_at(job->runs, 0)->gpu);
}

static const struct source *find_main(const struct profiling *job)
{
	const GArray *sources = job->attribution->sources;

	for (guint i = 0; i < sources->len; i++)
		if (is_main(job, &g_array_index(sources, struct source, i)))
			return &g_array_index(sources, struct source, i);
	return NULL;
}

/* A counter's reading is the mean since the one before it.  Where nothing tells the window of a
 * gauge, it may be as long as its period. */
static struct point_window window_of(const struct profiling *job, const struct source *source)
{
	const struct fit *fit = fit_of_source(job->attribution->fits, source);
	const struct model_sensor *sensor = source->sensor;
	bool counter = model_is_counter(sensor);
	bool stated = sensor->window_ns != PWRTRACE_UNKNOWN_U64;

	if (fit)
		return (struct point_window){
			response_window(&fit->response), response_lag(&fit->response)};
	return (struct point_window){stated    ? (double)sensor->window_ns
				     : counter ? 0
					       : (double)curve_period_ns(sensor),
		sensor->lag_ns == PWRTRACE_UNKNOWN_U64 ? 0 : (double)sensor->lag_ns};
}

static void find_sensor(struct profiling *job)
{
	const struct source *source = find_main(job);
	struct point_window window;

	job->profile->period_s = job->profile->window_s = NAN;
	if (!source)
		return;
	window = window_of(job, source);
	job->profile->period_s = (double)curve_period_ns(source->sensor) / 1e9;
	job->profile->window_s = window.window_ns / 1e9;
	if (model_is_counter(source->sensor))
		job->profile->window_s += job->profile->period_s;
}

static void add_points(struct profiling *job)
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

/* ---- powers ---- */

static void add_positions(struct profiling *job)
{
	struct profile *profile = job->profile;
	guint count = MIN(job->runs->longest, PROFILE_NUMBERS_MAX);
	double *times_s = runs_times_s(job->runs, job->chosen);

	for (guint i = 0; i < count; i++) {
		const struct profile_position position = {.execution = i + 1,
			.time_s = times_s[i],
			.power = {NAN, NAN},
			.together = {NAN, NAN}};

		g_array_append_val(profile->positions, position);
	}
	g_free(times_s);
}

static void set_measured(struct profiling *job)
{
	GArray *positions = job->profile->positions;
	struct steady_power *powers = g_new(struct steady_power, positions->len + 1);
	guint *counts = g_new(guint, positions->len + 1);

	points_powers(job->profile->points, job->part_of, positions->len, powers, counts);
	for (guint i = 0; i < positions->len; i++) {
		struct profile_position *position =
			&g_array_index(positions, struct profile_position, i);

		position->power = position->together = powers[i];
		position->points = counts[i];
	}
	g_free(powers);
	g_free(counts);
}

/* Returns false where the fits do not tell the numbers apart. */
static bool set_modelled(struct profiling *job)
{
	GArray *positions = job->profile->positions;
	guint count = MIN(positions->len, PROFILE_MODELLED_MAX);
	struct modelled_power *powers = g_new(struct modelled_power, count + 1);
	bool told = modelled_powers(job->attribution, count, powers);

	for (guint i = 0; told && i < count; i++) {
		struct profile_position *position =
			&g_array_index(positions, struct profile_position, i);

		position->power = powers[i].own;
		position->together = powers[i].together;
		position->group = powers[i].group;
	}
	g_free(powers);
	return told;
}

static void find_ssp(struct profile *profile, double stable)
{
	struct steady_power *powers = g_new(struct steady_power, profile->positions->len + 1);

	for (guint i = 0; i < profile->positions->len; i++)
		powers[i] = g_array_index(profile->positions, struct profile_position, i).together;
	if (profile->sse)
		profile->ssp = steady_power(powers, profile->positions->len, profile->sse, stable);
	g_free(powers);
}

/* ---- the shape of one execution ---- */

static void fit_points(struct profiling *job)
{
	struct profile *profile = job->profile;
	double *x = g_new(double, profile->points->len + 1);
	double *y = g_new(double, profile->points->len + 1);
	size_t count = 0;

	profile->studied = profile->ssp ? profile->ssp : MAX(profile->sse, 1);
	for (guint i = 0; i < profile->points->len; i++) {
		const struct point *point = &g_array_index(profile->points, struct point, i);
		const struct run_execution *execution = runs_execution(job->runs, point->execution);

		if (!point->whole || execution->number != profile->studied)
			continue;
		x[count] = point->toi_s / runs_time_s(execution);
		y[count++] = point->power_w;
	}
	profile->studied_points = (guint)count;
	if (!polynomial_fit(x, y, count, PROFILE_DEGREE, profile->fit))
		for (int i = 0; i <= PROFILE_DEGREE; i++)
			profile->fit[i] = NAN;
	g_free(x);
	g_free(y);
}

/* ---- what ran before ---- */

static void count_befores(const struct profiling *job, const struct befores *befores,
	struct steady_power *powers, double *times_s)
{
	for (guint i = 0; i < befores->names->len; i++) {
		const struct profile_before before = {
			.name = g_strdup(g_ptr_array_index(befores->names, i)), .power = powers[i]};

		g_array_append_val(job->profile->befores, before);
	}
	for (guint i = 0; i < job->runs->executions->len; i++) {
		const struct run_execution *execution = runs_execution(job->runs, i);
		guint part = befores->part_of[i];

		if (!job->chosen[execution->run])
			continue;
		g_array_index(job->profile->befores, struct profile_before, part - 1).executions++;
		times_s[part - 1] += runs_time_s(execution);
	}
}

/* Compares each with the least power that has an interval. */
static void judge_befores(GArray *befores, const double *times_s)
{
	struct steady_power best = {INFINITY, 0};

	for (guint i = 0; i < befores->len; i++) {
		const struct steady_power *power =
			&g_array_index(befores, struct profile_before, i).power;

		if (!isnan(power->ci95_w) && power->power_w < best.power_w)
			best = *power;
	}
	for (guint i = 0; i < befores->len; i++) {
		struct profile_before *before = &g_array_index(befores, struct profile_before, i);
		double more_w = before->power.power_w - best.power_w;

		before->significant = more_w > hypot(before->power.ci95_w, best.ci95_w);
		before->cost_j = before->significant ? more_w * times_s[i] : NAN;
	}
}

/* Returns false where the fits do not tell them apart. */
static bool set_befores_modelled(
	const struct profiling *job, guint count, struct steady_power *powers)
{
	struct modelled_power *modelled = g_new(struct modelled_power, count + 1);
	bool told = modelled_powers(job->attribution, count, modelled);

	for (guint i = 0; i < count; i++)
		powers[i] = told ? modelled[i].own : (struct steady_power){NAN, NAN};
	g_free(modelled);
	return told;
}

static void add_befores(struct profiling *job, const char *const *labels)
{
	struct befores befores = befores_find(job->attribution->model, job->runs, labels);
	guint count = befores.names->len;
	struct steady_power *powers = g_new(struct steady_power, count + 1);
	guint *numbers = g_new0(guint, count + 1);
	double *times_s = g_new0(double, count + 1);

	job->profile->befores = g_array_new(FALSE, FALSE, sizeof(struct profile_before));
	if (job->profile->resolution == PROFILE_MEASURED)
		points_powers(job->profile->points, befores.part_of, count, powers, numbers);
	else if (!set_befores_modelled(job, count, powers))
		job->profile->resolution = PROFILE_REFUSED;
	count_befores(job, &befores, powers, times_s);
	judge_befores(job->profile->befores, times_s);
	befores_clear(&befores);
	g_free(powers);
	g_free(numbers);
	g_free(times_s);
}

/* ---- all of it ---- */

static void set_part_of(struct profiling *job)
{
	job->part_of = g_new0(guint, job->runs->executions->len + 1);
	for (guint i = 0; i < job->runs->executions->len; i++) {
		guint number = runs_execution(job->runs, i)->number;

		job->part_of[i] = number <= PROFILE_NUMBERS_MAX ? number : 0;
	}
}

/* How far it can be trusted. */
static void judge(struct profile *profile)
{
	double time_s =
		g_array_index(profile->positions, struct profile_position, profile->studied - 1)
			.time_s;
	bool enough = profile->resolution == PROFILE_MEASURED &&
		      profile->studied_points >= profile->guidance.points;

	profile->expected_points =
		guidance_expected_points(profile->runs, time_s, profile->period_s);
	profile->runs_needed = enough ? profile->runs : fmax(profile->guidance.runs, profile->runs);
}

struct profile *profile_make(const struct attribution *attribution,
	const struct profile_options *options, const char *name, struct runs *runs,
	const char *const *labels)
{
	struct profile *profile = g_new0(struct profile, 1);
	struct profiling job = {attribution, options, profile, runs, NULL, NULL};
	double time_s;

	profile->name = g_strdup(name);
	profile->of = runs;
	profile->positions = g_array_new(FALSE, FALSE, sizeof(struct profile_position));
	profile->points = g_array_new(FALSE, FALSE, sizeof(struct point));
	find_sensor(&job);
	choose_first(&job);
	choose_golden(&job);
	set_part_of(&job);
	add_positions(&job);
	time_s = profile_position(profile, MAX(profile->sse, 1))->time_s;
	profile->resolution = profile->window_s <= time_s ? PROFILE_MEASURED : PROFILE_MODELLED;
	if (profile->resolution == PROFILE_MEASURED)
		add_points(&job);
	if (options->before)
		add_befores(&job, labels);
	/* With before, the parts of the fits are others than numbers. */
	if (profile->resolution == PROFILE_MEASURED)
		set_measured(&job);
	else if (!options->before && !set_modelled(&job))
		profile->resolution = PROFILE_REFUSED;
	find_ssp(profile, options->stable);
	fit_points(&job);
	judge(profile);
	g_free(job.chosen);
	g_free(job.part_of);
	return profile;
}

void profile_free(struct profile *profile)
{
	g_free(profile->name);
	runs_free(profile->of);
	g_array_free(profile->positions, TRUE);
	g_array_free(profile->points, TRUE);
	for (guint i = 0; profile->befores && i < profile->befores->len; i++)
		g_free(g_array_index(profile->befores, struct profile_before, i).name);
	if (profile->befores)
		g_array_free(profile->befores, TRUE);
	g_free(profile);
}
