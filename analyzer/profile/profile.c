/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/profile.h"

#include <math.h>

#include "analyzer/numeric/polynomial.h"
#include "analyzer/profile/profile_job.h"

/* ---- which runs ---- */

static guint count_chosen(const struct profile_job *job)
{
	guint count = 0;

	for (guint i = 0; i < job->runs->list->len; i++)
		count += job->chosen[i];
	return count;
}

static void choose_first(struct profile_job *job)
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
static void choose_golden(struct profile_job *job)
{
	struct profile *profile = job->profile;
	guint count = MIN(job->runs->longest, PROFILE_NUMBERS_MAX);
	double *times_s = runs_times_s(job->runs, job->chosen);
	bool *binned = g_memdup2(job->chosen, job->runs->list->len * sizeof(bool));
	guint sse;

	profile->guidance = guidance_of(least(times_s, count), profile->period_s);
	if (!isnan(job->options->margin))
		profile->guidance.margin = job->options->margin;
	sse = steady_execution(times_s, count, profile->guidance.margin);
	profile->binned = MAX(sse, 1);
	profile->times = steady_times(job->runs, profile->binned, job->chosen);
	profile->bin = steady_choose_golden(job->runs, profile->binned, profile->guidance.margin,
		job->options->outlier_s, job->options->no_binning ? binned : job->chosen);
	profile->golden = count_chosen(job);
	profile->sse = profile->runs > 1 && job->runs->longest > 1 ? sse : 0;
	g_free(binned);
	g_free(times_s);
}

/* ---- numbers ---- */

static void add_positions(struct profile_job *job)
{
	struct profile *profile = job->profile;
	guint count = MIN(job->runs->longest, PROFILE_NUMBERS_MAX);
	double *times_s = runs_times_s(job->runs, job->chosen);
	const struct steady_power unknown = {.power_w = NAN, .ci95_w = NAN};

	for (guint i = 0; i < count; i++) {
		const struct profile_position position = {.execution = i + 1,
			.group = {i + 1, i + 1},
			.time_s = times_s[i],
			.power = unknown,
			.together = unknown};

		g_array_append_val(profile->positions, position);
	}
	g_free(times_s);
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

static void fit_points(struct profile_job *job)
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

/* ---- all of it ---- */

static void set_part_of(struct profile_job *job)
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

/* Sets the points and the powers.  Returns false where everything would be one number. */
static bool resolve(struct profile_job *job, const char *const *labels)
{
	if (job->profile->resolution == PROFILE_MEASURED) {
		profile_add_points(job);
		profile_set_measured(job);
	}
	if (job->options->before && !profile_set_befores(job, labels))
		return false;
	/* With before, the parts of the fits are others than numbers. */
	if (job->profile->resolution == PROFILE_MEASURED || job->options->before)
		return true;
	return job->profile->of_iterations ? profile_add_folded(job) : profile_set_modelled(job);
}

struct profile *profile_make(const struct attribution *attribution,
	const struct profile_options *options, const char *name, struct runs *runs,
	const char *const *labels)
{
	struct profile *profile = g_new0(struct profile, 1);
	struct profile_job job = {
		.attribution = attribution, .options = options, .profile = profile, .runs = runs};
	double time_s;

	profile->name = g_strdup(name);
	profile->of = runs;
	profile->of_iterations = runs_execution(runs, 0)->execution == MODEL_NONE;
	profile->positions = g_array_new(FALSE, FALSE, sizeof(struct profile_position));
	profile->points = g_array_new(FALSE, FALSE, sizeof(struct point));
	profile_find_sensor(&job);
	choose_first(&job);
	choose_golden(&job);
	set_part_of(&job);
	add_positions(&job);
	time_s = profile_position(profile, MAX(profile->sse, 1))->time_s;
	profile->resolution = profile->window_s <= time_s ? PROFILE_MEASURED : PROFILE_MODELLED;
	if (!job.source || !resolve(&job, labels))
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
