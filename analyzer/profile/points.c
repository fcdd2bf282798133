/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/points.h"

#include <math.h>

#include "analyzer/numeric/bisect.h"
#include "analyzer/numeric/student.h"
#include "analyzer/response/reading.h"

/* Degrees of freedom that the variance of the other parts counts as, at most, beside those of a
 * part's own: some, so that three points in a row by chance do not look exact. */
#define SHARED_FREEDOM 4

/* ---- readings within executions ---- */

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct run_execution *x = *(const struct run_execution *const *)a;
	const struct run_execution *y = *(const struct run_execution *const *)b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* The chosen executions on the devices of a source, in the order of time. */
static GPtrArray *executions_on(
	const struct runs *runs, const bool *chosen, const struct source *source)
{
	GPtrArray *executions = g_ptr_array_new();

	for (guint i = 0; i < runs->executions->len; i++) {
		const struct run_execution *execution = runs_execution(runs, i);

		if (chosen[execution->run] &&
			source_covers(source, runs_at(runs, execution->run)->gpu))
			g_ptr_array_add(executions, (gpointer)execution);
	}
	g_ptr_array_sort(executions, by_begin);
	return executions;
}

static double begin_of(const GPtrArray *executions, guint i)
{
	return (double)((const struct run_execution *)g_ptr_array_index(executions, i))->begin_ns;
}

/* The last execution that had begun at a time, or NULL. */
static const struct run_execution *last_at(const GPtrArray *executions, double time_ns)
{
	guint next = BISECT(i, 0, executions->len, begin_of(executions, i) > time_ns);

	return next ? g_ptr_array_index(executions, next - 1) : NULL;
}

void points_add(GArray *points, const struct runs *runs, const bool *chosen,
	const struct source *source, const struct point_window *window)
{
	GPtrArray *executions = executions_on(runs, chosen, source);
	GArray *readings = readings_of(source, NULL);

	for (guint i = 0; i < readings->len; i++) {
		const struct power_reading *reading =
			&g_array_index(readings, struct power_reading, i);
		double begin_ns = reading->since_ns - window->lag_ns - window->window_ns;
		double end_ns = reading->time_ns - window->lag_ns;
		double middle_ns = begin_ns + (end_ns - begin_ns) / 2;
		const struct run_execution *execution = last_at(executions, begin_ns);
		const struct run_execution *first;
		struct point point = {.power_w = reading->power_w,
			.domain = source->sensor->domain,
			.whole = source->top_level};

		if (!execution || end_ns > (double)execution->end_ns)
			continue;
		first = runs_execution(runs, runs_at(runs, execution->run)->first);
		point.toi_s = (middle_ns - (double)execution->begin_ns) / 1e9;
		point.run_s = (middle_ns - (double)first->begin_ns) / 1e9;
		point.execution = (guint)(execution - runs_execution(runs, 0));
		g_array_append_val(points, point);
	}
	g_ptr_array_free(executions, TRUE);
	g_array_free(readings, TRUE);
}

/* ---- means ---- */

static guint part_at(const GArray *points, guint i, const guint *part_of)
{
	const struct point *point = &g_array_index(points, struct point, i);

	return point->whole ? part_of[point->execution] : 0;
}

static double freedom_of(guint points)
{
	return points ? points - 1 : 0;
}

void points_powers(const GArray *points, const guint *part_of, guint parts,
	struct steady_power *powers, guint *counts)
{
	double *squares = g_new0(double, parts + 1), all_squares = 0, all_freedom = 0;

	for (guint i = 0; i < parts; i++) {
		powers[i] = (struct steady_power){0, NAN, NAN};
		counts[i] = 0;
	}
	for (guint i = 0; i < points->len; i++) {
		guint part = part_at(points, i, part_of);

		if (part) {
			powers[part - 1].power_w += g_array_index(points, struct point, i).power_w;
			counts[part - 1]++;
		}
	}
	for (guint i = 0; i < parts; i++)
		powers[i].power_w = counts[i] ? powers[i].power_w / counts[i] : NAN;
	for (guint i = 0; i < points->len; i++) {
		guint part = part_at(points, i, part_of);
		double off_w = part ? g_array_index(points, struct point, i).power_w -
					       powers[part - 1].power_w
				    : 0;

		squares[part ? part - 1 : parts] += off_w * off_w;
	}
	for (guint i = 0; i < parts; i++) {
		all_squares += squares[i];
		all_freedom += freedom_of(counts[i]);
	}
	for (guint i = 0; i < parts; i++) {
		double other_freedom = all_freedom - freedom_of(counts[i]);
		double shared = fmin(SHARED_FREEDOM, other_freedom);
		double freedom = freedom_of(counts[i]) + shared;
		double other = shared > 0 ? (all_squares - squares[i]) / other_freedom : 0;
		double variance = (squares[i] + shared * other) / freedom;

		powers[i].freedom = freedom;
		if (counts[i] && freedom > 0)
			powers[i].ci95_w = student_t95(freedom) * sqrt(variance / counts[i]);
	}
	g_free(squares);
}
