/* SPDX-License-Identifier: MIT */
#include "analyzer/efficiency/run.h"

#include <math.h>

#include "analyzer/efficiency/phases.h"
#include "analyzer/efficiency/requests.h"
#include "analyzer/ledger/work.h"
#include "analyzer/print/message.h"

/* What marks of a name add up to; NaN: there are none. */
static double sum_of_marks(const struct model *model, const char *name)
{
	double sum = NAN;

	for (guint i = 0; i < model->marks->len; i++) {
		const struct model_mark *mark = &g_array_index(model->marks, struct model_mark, i);

		if (strcmp(mark->name, name) == 0)
			sum = (isnan(sum) ? 0 : sum) + mark->sum;
	}
	return sum;
}

/* Of a program that serves one batch after the other: all iterations but the first of each process
 * are steady, and the marks within the phase "decode" say how long a token takes. */
static void find_steady(struct efficiency_run *run)
{
	const struct iterations *steps = efficiency_steps(run->ledger);

	if (!steps)
		return;
	if (steps->steps.known && steps->steady_amount > 0) {
		run->steady.energy_j = steps->steps.steady_j;
		run->steady.tokens = steps->steady_amount;
	}
	phases_find_gaps(run->ledger, &run->steady);
	run->steady.output = run->steady.requests > 0 ? run->tokens : 0;
}

static bool says_nothing(const struct efficiency_run *run)
{
	for (guint i = 0; i < run->phases->len; i++)
		if (g_array_index(run->phases, struct efficiency_phase, i).amount > 0)
			return false;
	return !(run->tokens > 0);
}

struct efficiency_run *efficiency_run_new(struct ledger *ledger, double tokens)
{
	struct efficiency_run *run = g_new0(struct efficiency_run, 1);
	struct work_cost cost = work_cost(ledger);
	double requested = NAN;
	bool fine;

	run->ledger = ledger;
	run->total_j = ledger->total.known ? cost.measured_j : NAN;
	run->time_s = cost.measured_s;
	run->partly_measured = cost.partly_measured;
	run->phases = g_array_new(FALSE, FALSE, sizeof(struct efficiency_phase));
	run->requests = g_array_new(FALSE, FALSE, sizeof(struct efficiency_request));
	fine = requests_find(run, &requested);
	run->tokens = !isnan(tokens)      ? tokens
		      : !isnan(requested) ? requested
					  : sum_of_marks(ledger->model, EFFICIENCY_MARK);
	if (fine && isnan(requested)) {
		phases_of_layers(ledger, run->phases);
		find_steady(run);
	}
	if (fine && says_nothing(run)) {
		message_error("no mark counts tokens; let the program mark them (pwrtrace_mark), "
			      "record it with --layers torch, or give their number by --work");
		fine = false;
	}
	if (fine)
		return run;
	efficiency_run_free(run);
	return NULL;
}

void efficiency_run_free(struct efficiency_run *run)
{
	if (!run)
		return;
	g_array_free(run->phases, TRUE);
	g_array_free(run->requests, TRUE);
	g_free(run);
}
