/* SPDX-License-Identifier: MIT */
/* The powers of a profile, by execution number and by what ran before. */
#include <math.h>

#include "analyzer/numeric/significance.h"
#include "analyzer/numeric/student.h"
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

static const struct steady_power *before_power(const GArray *befores, guint i)
{
	return &g_array_index(befores, struct profile_before, i).power;
}

/* Sets how much more one draws than the mean of the others of which an interval is known.  Returns
 * how likely that is by chance; NaN: not known. */
static double chance_of(const GArray *befores, guint one, double *more_w)
{
	double variance = 0, parts = 0, others = -1;

	*more_w = 0;
	for (guint i = 0; i < befores->len; i++)
		others += !isnan(before_power(befores, i)->ci95_w);
	if (isnan(before_power(befores, one)->ci95_w) || others < 1)
		return NAN;
	for (guint i = 0; i < befores->len; i++) {
		const struct steady_power *power = before_power(befores, i);
		double weight = i == one ? 1 : -1 / others, own;

		if (isnan(power->ci95_w))
			continue;
		own = pow(weight * power->ci95_w / student_t95(power->freedom), 2);
		*more_w += weight * power->power_w;
		variance += own;
		parts += own * own / power->freedom;
	}
	/* Welch and Satterthwaite's degrees of freedom. */
	return student_two_sided(
		*more_w / sqrt(variance), parts > 0 ? variance * variance / parts : INFINITY);
}

/* Compares each with the mean of the others: the least power of many is low by chance, too. */
static void judge_befores(GArray *befores, const double *times_s)
{
	double *more_w = g_new(double, befores->len + 1);
	double *chances = g_new(double, befores->len + 1), largest;

	for (guint i = 0; i < befores->len; i++)
		chances[i] = chance_of(befores, i, &more_w[i]);
	largest = significance_largest(chances, befores->len);
	for (guint i = 0; i < befores->len; i++) {
		struct profile_before *before = &g_array_index(befores, struct profile_before, i);

		before->significant = more_w[i] > 0 && chances[i] <= largest;
		before->cost_j = before->significant ? more_w[i] * times_s[i] : NAN;
	}
	g_free(more_w);
	g_free(chances);
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

		powers[i] = known ? modelled[i].own : (struct steady_power){NAN, NAN, NAN};
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
