/* SPDX-License-Identifier: MIT */
/*
 * What a run cost by what it is for: in all, by phase, and by request.
 *
 * Tokens that come out are counted by the marks "tokens", those that go in by "input tokens"; where
 * the marks say of which request they are (requests.h), by these.  Energies are in joules, times in
 * seconds; what is not known is NaN.
 */
#ifndef PWRTRACE_EFFICIENCY_RUN_H
#define PWRTRACE_EFFICIENCY_RUN_H

#include "analyzer/ledger/iterations.h"

/* A part of the work of another kind than the others: the prompt and what follows it, or a step of
 * training forwards and backwards. */
struct efficiency_phase {
	const char *name;
	const char *unit; /* what amount counts: "token" or "iteration" */
	double amount;    /* "prefill": input tokens; "decode": output tokens that it made */
	double energy_j, time_s;
	double ci95_j;        /* half the 95 % interval of energy_j */
	bool partly_measured; /* energy_j is too low */
};

struct efficiency_request {
	const char *name;     /* of the model's strings */
	double input, output; /* tokens */
	double energy_j;
	double ttft_s; /* until the first token came out */
	double tpot_s; /* from one token to the next, in the mean */
};

/* Sums by which runs with the same settings are put together: what a steady token costs, how many
 * there are of a request, and how long one takes. */
struct efficiency_steady {
	double energy_j, tokens; /* while as many requests as ever were served at once */
	double output, requests; /* tokens that came out, and of how many requests */
	double gap_s, gaps;      /* times from a token to the next, and of how many */
};

struct efficiency_run {
	const struct ledger *ledger;
	double total_j, time_s; /* measured */
	bool partly_measured;   /* total_j is too low */
	double tokens;          /* that came out */
	GArray *phases;         /* struct efficiency_phase */
	GArray *requests;       /* struct efficiency_request, by beginning */
	struct efficiency_steady steady;
};

/* The name of the mark by which iterations of the ledger are to be told apart. */
#define EFFICIENCY_MARK "tokens"

/* Sums a run up.  ledger: by layer, with the iterations of EFFICIENCY_MARK; it must outlive the
 * result.  tokens: how many came out; NaN: as the marks say.  Returns NULL after an error message,
 * where nothing says what was done, or requests make no sense; else free with efficiency_run_free.
 */
struct efficiency_run *efficiency_run_new(struct ledger *ledger, double tokens);
void efficiency_run_free(struct efficiency_run *run);

/* The steps of a ledger: its iterations where the mark made them; else NULL. */
static inline struct iterations *efficiency_steps(const struct ledger *ledger)
{
	struct iterations *steps = ledger->iterations;
	bool marked = steps && strcmp(steps->from, "mark") == 0 &&
		      strcmp(steps->name, EFFICIENCY_MARK) == 0;

	return marked ? steps : NULL;
}

#endif
