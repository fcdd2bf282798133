/* SPDX-License-Identifier: MIT */
/* pwrtrace critical: what sets the pace, and what could be slower without the whole being so. */
#include "analyzer/cmd/analysis.h"
#include "analyzer/critical/tradeoffs.h"
#include "analyzer/view/critical/critical_view.h"

/* The options, for command_parse. */
struct critical_options {
	struct analysis_options analysis;
	const char *by;
	const char *curves; /* a path; NULL: none */
};

static const char *by_choice(size_t i)
{
	return critical_bys[i];
}

static int answer(const struct critical_options *options, const struct analysis *analysis,
	const struct tradeoffs *tradeoffs)
{
	static analysis_writer *const writers[ANALYSIS_FORMATS] = {
		[ANALYSIS_TEXT] = critical_put_text,
		[ANALYSIS_JSON] = critical_put_json,
		[ANALYSIS_CSV] = critical_put_csv};
	struct ledger *ledger =
		ledger_make(analysis->attribution, &(struct ledger_options){.by = "kernel"});
	struct critical_answer *found = critical_answer_new(
		ledger, &(struct critical_question){.by = options->by, .tradeoffs = tradeoffs});
	int status = COMMAND_BAD_INPUT;

	if (found) {
		status = analysis_write(&options->analysis, writers, found);
		critical_answer_free(found);
	}
	ledger_free(ledger);
	return status;
}

static int load(const struct critical_options *options)
{
	struct tradeoffs *tradeoffs = options->curves ? tradeoffs_read(options->curves) : NULL;
	struct analysis analysis;
	int status = COMMAND_BAD_INPUT;

	if (options->curves && !tradeoffs)
		return status;
	if (analysis_begin(&analysis, &options->analysis, options->analysis.common.arguments,
		    &(struct load_options){.order = true})) {
		status = answer(options, &analysis, tradeoffs);
		analysis_end(&analysis);
	}
	tradeoffs_free(tradeoffs);
	return status;
}

static int run(int argc, char **argv)
{
	struct critical_options options = {
		.analysis = analysis_options_default(), .by = critical_bys[0]};
	int status = command_parse(&command_critical, argc, argv, &options);

	if (!status && !options.analysis.common.done)
		status = load(&options);
	analysis_options_clear(&options.analysis);
	return status;
}

#define PLACE(member) .offset = offsetof(struct critical_options, member)

static const struct command_option options[] = {
	{"by", 0, "WHAT", "a row for each %s", .take = command_take_text, PLACE(by),
		.choice = by_choice, .first = "default"},
	{"curves", 0, "CSV",
		"what kernels take and draw at several clocks (columns name,time_s,energy_j): say "
		"how much energy could be saved in the same time",
		.take = command_take_text, PLACE(curves)},
	ANALYSIS_METHOD,
	ANALYSIS_DOMAIN,
	ANALYSIS_LIBRARY,
	ANALYSIS_FORMAT,
	ANALYSIS_OUTPUT,
	{0},
};

const struct command command_critical = {
	.name = "critical",
	.help = "say what sets the pace, and what could be slower for free",
	.synopsis = (const char *const[]){"[OPTION]... TRACE...", NULL},
	.about = "Follows the critical path through launches, streams, dependencies, waits and "
		 "collectives: what it is made of, which kernels are on it with how much energy, "
		 "and for how much longer the others could take without the whole taking longer.",
	.options = options,
	.traces = true,
	.run = run,
};
