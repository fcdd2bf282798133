/* SPDX-License-Identifier: MIT */
/* The powers of a profile, by execution number and by what ran before. */
#include <math.h>

#include "analyzer/profile/before.h"
#include "analyzer/profile/modelled.h"
#include "analyzer/profile/profile_job.h"

/* ---- by number ---- */

void profile_set_measured(struct profile_job *job)
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

bool profile_set_modelled(struct profile_job *job)
{
	GArray *positions = job->profile->positions;
	guint count = MIN(positions->len, PROFILE_MODELLED_MAX);
	struct modelled_power *powers = g_new(struct modelled_power, count + 1);
	bool told;

	modelled_powers(job->attribution, count, powers);
	told = modelled_groups(job->attribution, count, powers);
	/* The last part holds all numbers from it on. */
	for (guint i = 0; told && i < positions->len; i++) {
		const struct modelled_power *power = &powers[MIN(i, count - 1)];
		bool last = power->group.last == count;
		struct profile_position *position =
			&g_array_index(positions, struct profile_position, i);

		position->power = power->own;
		position->together = power->together;
		position->group.first = power->group.first;
		position->group.last = last ? positions->len : power->group.last;
	}
	g_free(powers);
	return told;
}

/* ---- by what ran before ---- */

static void count_befores(const struct profile_job *job, const struct befores *befores,
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

/* Sets the powers whose interval excludes 0.  Returns false where none does. */
static bool set_befores_modelled(
	const struct profile_job *job, guint count, struct steady_power *powers)
{
	struct modelled_power *modelled = g_new(struct modelled_power, count + 1);
	bool told = false;

	modelled_powers(job->attribution, count, modelled);
	for (guint i = 0; i < count; i++) {
		bool known = modelled[i].own.ci95_w < modelled[i].own.power_w;

		powers[i] = known ? modelled[i].own : (struct steady_power){NAN, NAN};
		told |= known;
	}
	g_free(modelled);
	return told;
}

bool profile_set_befores(struct profile_job *job, const char *const *labels)
{
	struct befores befores = befores_find(job->attribution->model, job->runs, labels);
	guint count = befores.names->len;
	struct steady_power *powers = g_new(struct steady_power, count + 1);
	guint *numbers = g_new0(guint, count + 1);
	double *times_s = g_new0(double, count + 1);
	bool told = true;

	job->profile->befores = g_array_new(FALSE, FALSE, sizeof(struct profile_before));
	if (job->profile->resolution == PROFILE_MEASURED)
		points_powers(job->profile->points, befores.part_of, count, powers, numbers);
	else
		told = set_befores_modelled(job, count, powers);
	count_befores(job, &befores, powers, times_s);
	judge_befores(job->profile->befores, times_s);
	befores_clear(&befores);
	g_free(powers);
	g_free(numbers);
	g_free(times_s);
	return told;
}
