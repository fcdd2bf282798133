/* SPDX-License-Identifier: MIT */
#include "analyzer/frontier/iteration_cost.h"

#include <math.h>
#include <string.h>

#include "analyzer/ledger/iterations.h"
#include "analyzer/numeric/autocorrelation.h"
#include "analyzer/numeric/student.h"

/* What an iteration costs, and how much work it does. */
struct cost {
	uint64_t done_ns;
	double time_s, energy_j, amount;
};

/* When an iteration and what it launched had ended: devices may be far behind the host. */
static uint64_t done_ns(const struct iterations *iterations, guint i)
{
	const struct iteration *iteration = iterations_at(iterations, i);

	return MAX(iteration->end_ns, iteration->done_ns);
}

static struct cost cost_of(const struct iterations *iterations, guint i, double amount)
{
	const struct iteration *iteration = iterations_at(iterations, i);

	return (struct cost){.done_ns = done_ns(iterations, i),
		.time_s = ((double)done_ns(iterations, i) - (double)done_ns(iterations, i - 1) -
				  (double)iteration->replay_ns) /
			  1e9,
		.energy_j = (double)(iteration->energy_nj + iteration->idle_nj) / 1e9,
		.amount = amount};
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct cost *x = a, *y = b;

	return x->done_ns < y->done_ns ? -1 : x->done_ns > y->done_ns;
}

/* Adds the costs of iterations that are measured as a whole, but for each process's first, in the
 * order of time. */
static void add_costs(GArray *costs, const struct iterations *iterations, const double *amounts)
{
	for (guint process = 0; process < iterations_processes(iterations); process++)
		for (guint i = iterations->first[process] + 1; i < iterations->first[process + 1];
			i++) {
			struct cost cost = cost_of(iterations, i, amounts ? amounts[i] : 1);

			if (iteration_is_whole(iterations_at(iterations, i)))
				g_array_append_val(costs, cost);
		}
	g_array_sort(costs, by_time);
}

/* Sets the mean of a member of the costs for an amount of 1, and half its 95 % interval, by how
 * much the costs differ from what is in proportion to their amounts; NaN: there are too few.  Those
 * that follow each other share the clock, the temperature and the scale of the energy: together
 * they count as fewer, by the time of autocorrelation. */
static void set_mean(const GArray *costs, size_t offset, double *mean, double *ci95)
{
	double *left = g_new(double, costs->len + 1);
	double n = costs->len, sum = 0, amount = 0, squares = 0, freedom;

	for (guint i = 0; i < costs->len; i++) {
		const struct cost *cost = &g_array_index(costs, struct cost, i);

		sum += G_STRUCT_MEMBER(double, cost, offset);
		amount += cost->amount;
	}
	*mean = sum / amount;
	for (guint i = 0; i < costs->len; i++) {
		const struct cost *cost = &g_array_index(costs, struct cost, i);

		left[i] = G_STRUCT_MEMBER(double, cost, offset) - *mean * cost->amount;
		squares += left[i] * left[i];
	}
	freedom = fmax(n / autocorrelation_time(left, costs->len) - 1, 1);
	*ci95 = n > 1 ? student_t95(freedom) * sqrt(squares * n / freedom) / amount : NAN;
	g_free(left);
}

/* The cost of an amount of 1.  amounts: by iteration, NaN where none is known; NULL: an iteration
 * is 1. */
static bool find_cost(
	const struct ledger *ledger, const double *amounts, struct frontier_point *point)
{
	GArray *costs = g_array_new(FALSE, FALSE, sizeof(struct cost));

	*point = (struct frontier_point){0};
	if (ledger->iterations && ledger->iterations->steps.known)
		add_costs(costs, ledger->iterations, amounts);
	set_mean(costs, offsetof(struct cost, time_s), &point->time_s, &point->ci95_s);
	set_mean(costs, offsetof(struct cost, energy_j), &point->energy_j, &point->ci95_j);
	g_array_free(costs, TRUE);
	return point->time_s > 0 && isfinite(point->time_s);
}

bool iteration_cost(const struct ledger *ledger, struct frontier_point *point)
{
	return find_cost(ledger, NULL, point);
}

/* ---- work ---- */

/* How much of its work the marks in each iteration count; NaN: no mark is in it.  The caller frees
 * it. */
static double *amounts_of(const struct ledger *ledger, const struct run_work *work)
{
	const struct model *model = ledger->model;
	const struct iterations *iterations = ledger->iterations;
	guint count = iterations->list->len;
	double *amounts = g_new(double, count + 1); /* the last one: outside of all */

	for (guint i = 0; i <= count; i++)
		amounts[i] = NAN;
	for (guint i = 0; i < model->mark_times->len; i++) {
		const struct model_mark_time *time =
			&g_array_index(model->mark_times, struct model_mark_time, i);
		const struct model_mark *mark =
			&g_array_index(model->marks, struct model_mark, time->mark);
		double *amount;

		if (strcmp(mark->name, work->mark) != 0 || strcmp(mark->unit, work->unit) != 0)
			continue;
		/* It counts what was done before it, and may be where the iteration ends. */
		amount = &amounts[iterations_index(
			iterations, time->process, MAX(time->time_ns, 1) - 1)];
		*amount = (isnan(*amount) ? 0 : *amount) + (isnan(time->value) ? 0 : time->value);
	}
	return amounts;
}

bool iteration_cost_of_work(
	const struct ledger *ledger, const struct run_work *work, struct frontier_point *point)
{
	double *amounts = ledger->iterations ? amounts_of(ledger, work) : NULL;
	bool known = find_cost(ledger, amounts, point);

	g_free(amounts);
	return known;
}
