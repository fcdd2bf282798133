/* SPDX-License-Identifier: MIT */
#include "analyzer/efficiency/steps.h"

#include <math.h>

#include "analyzer/model/replays.h"
#include "analyzer/numeric/bisect.h"

struct costing {
	const struct ledger *ledger;
	struct iterations *iterations;
	struct step *step;
	const GPtrArray *replays; /* by process */
};

static int by_value(gconstpointer a, gconstpointer b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* When the requests of a process came, and when they were done, each in order. */
struct comings {
	GArray *begins_ns, *ends_ns; /* uint64_t */
};

static guint until(const GArray *times_ns, uint64_t time_ns)
{
	return BISECT(i, 0, times_ns->len, g_array_index(times_ns, uint64_t, i) > time_ns);
}

/* How long there was no request at the beginning of a step. */
static uint64_t waited_ns(const struct comings *comings, const struct iteration *step)
{
	guint come = until(comings->begins_ns, step->begin_ns);
	uint64_t next_ns;

	if (come > until(comings->ends_ns, step->begin_ns) || come == comings->begins_ns->len)
		return 0;
	next_ns = g_array_index(comings->begins_ns, uint64_t, come);
	return MIN(next_ns, step->end_ns) - step->begin_ns;
}

/* Returns whether a step of a process began without a request. */
static bool find_waits(const struct costing *costing, const GArray *served, uint32_t process)
{
	const struct iterations *iterations = costing->iterations;
	struct comings comings = {g_array_new(FALSE, FALSE, sizeof(uint64_t)),
		g_array_new(FALSE, FALSE, sizeof(uint64_t))};
	bool found = false;

	for (guint i = 0; i < served->len; i++) {
		const struct served *one = &g_array_index(served, struct served, i);

		if (one->process != process)
			continue;
		g_array_append_val(comings.begins_ns, one->begin_ns);
		g_array_append_val(comings.ends_ns, one->end_ns);
	}
	g_array_sort(comings.ends_ns, by_value);
	for (guint i = iterations->first[process]; i < iterations->first[process + 1]; i++) {
		costing->step[i].waited_ns = waited_ns(&comings, iterations_at(iterations, i));
		found |= costing->step[i].waited_ns > 0;
	}
	g_array_free(comings.begins_ns, TRUE);
	g_array_free(comings.ends_ns, TRUE);
	return found;
}

/* An attribution_visitor: sums up what was launched while there was no request. */
static void add_other(void *data, const struct execution_energy *attributed)
{
	const struct costing *costing = data;
	const struct model_execution *execution = attributed->execution;
	const struct model_origin *origin = model_origin_of(costing->ledger->model, execution);
	uint64_t launched_ns = model_launched_ns(execution);
	guint i = iterations_index(costing->iterations, origin->process, launched_ns);
	struct step *step = &costing->step[i];

	if (i == costing->iterations->list->len || origin->replayed != MODEL_OF_PROGRAM ||
		launched_ns - iterations_at(costing->iterations, i)->begin_ns >= step->waited_ns)
		return;
	step->other_nj += attributed->energy_nj;
	step->other_ns += execution->end_ns - execution->begin_ns;
}

/* What part of the idle energy of a step of a process was drawn while it had a request: idle power
 * is taken to be the same throughout the step. */
static double idle_part(const struct costing *costing, uint32_t process, guint i)
{
	const struct iteration *iteration = iterations_at(costing->iterations, i);
	const struct step *step = &costing->step[i];
	uint64_t begin_ns = iteration->begin_ns;
	double length_ns =
		(double)replays_left_ns(costing->replays, process, begin_ns, iteration->end_ns);
	double waited_ns = (double)replays_left_ns(
		costing->replays, process, begin_ns, begin_ns + step->waited_ns);
	double idle_ns = length_ns - (double)iteration->busy_ns;
	double without_ns = waited_ns - (double)step->other_ns;

	if (!step->waited_ns || without_ns <= 0)
		return 1;
	return idle_ns > without_ns ? (idle_ns - without_ns) / idle_ns : 0;
}

static void cost_step(const struct costing *costing, uint32_t process, guint i)
{
	const struct iteration *iteration = iterations_at(costing->iterations, i);
	struct step *step = &costing->step[i];
	uint64_t own_nj = iteration->energy_nj - MIN(step->other_nj, iteration->energy_nj);

	step->time_s = (double)replays_left_ns(costing->replays, process,
			       iteration->begin_ns + step->waited_ns, iteration->end_ns) /
		       1e9;
	step->energy_j =
		((double)own_nj + (double)iteration->idle_nj * idle_part(costing, process, i)) /
		1e9;
	if (!costing->ledger->total.known ||
		ledger_notably_unmeasured(iteration->unmeasured_ns, iteration->busy_ns))
		step->energy_j = NAN;
}

void steps_cost(const struct ledger *ledger, struct iterations *iterations, const GArray *served,
	struct step *step)
{
	GPtrArray *replays = replays_by_process(ledger->model);
	struct costing costing = {ledger, iterations, step, replays};
	bool waits = false;

	for (guint i = 0; i < iterations_processes(iterations); i++)
		waits |= find_waits(&costing, served, i);
	if (waits)
		attribution_visit(ledger->attribution, add_other, &costing);
	for (guint process = 0; process < iterations_processes(iterations); process++)
		for (guint i = iterations->first[process]; i < iterations->first[process + 1]; i++)
			cost_step(&costing, process, i);
	g_ptr_array_unref(replays);
}
