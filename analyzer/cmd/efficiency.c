/* SPDX-License-Identifier: MIT */
/* pwrtrace efficiency: what serving and training cost. */
#include <math.h>

#include "analyzer/cmd/analysis.h"
#include "analyzer/ledger/work.h"
#include "analyzer/print/message.h"
#include "analyzer/view/efficiency/efficiency_view.h"

/* The options, for command_parse. */
struct efficiency_options {
	struct analysis_options analysis;
	double deadline_s;
	struct work work;
};

/* Traces in memory, and what they cost. */
struct loaded {
	struct analysis analysis;
	struct ledger *ledger;
	struct efficiency_run *run;
};

static void free_loaded(gpointer data)
{
	struct loaded *loaded = data;

	efficiency_run_free(loaded->run);
	if (loaded->ledger)
		ledger_free(loaded->ledger);
	analysis_end(&loaded->analysis);
	g_free(loaded);
}

/* Loads traces as one, which are then last in all.  Returns their model, or NULL after an error
 * message. */
static const struct model *load(
	GPtrArray *all, const struct efficiency_options *options, char *const *traces)
{
	struct loaded *loaded = g_new0(struct loaded, 1);

	if (!analysis_begin(&loaded->analysis, &options->analysis, traces,
		    &(struct load_options){.layers = true})) {
		g_free(loaded);
		return NULL;
	}
	g_ptr_array_add(all, loaded);
	return loaded->analysis.model;
}

/* Loads each trace alone. */
static int load_apart(GPtrArray *all, const struct efficiency_options *options)
{
	char *const *traces = options->analysis.common.arguments;

	if (options->work.amount > 0)
		return command_misused(&command_efficiency,
			"--work is for one run, and these traces are one each");
	for (size_t i = 1; traces[i]; i++)
		if (!load(all, options, (char *const[]){traces[i], NULL}))
			return COMMAND_BAD_INPUT;
	return COMMAND_FINE;
}

/* Loads all traces, of which the first lacks a tag, as one run; not where they are of models all
 * the same. */
static int load_together(
	GPtrArray *all, const struct efficiency_options *options, const char *lacks)
{
	char *const *traces = options->analysis.common.arguments;
	const struct model *model;

	g_ptr_array_set_size(all, 0);
	model = load(all, options, traces);
	if (!model)
		return COMMAND_BAD_INPUT;
	if (models_lack(model) && !models_differ(model))
		return COMMAND_FINE;
	message_error("%s lacks the tag %s, by which models are told apart; record it with --tag "
		      "%s=...",
		traces[0], lacks, lacks);
	return COMMAND_BAD_INPUT;
}

/* Loads each trace alone where they are of models, or a deadline asks for these; else as one.
 * Returns the exit status, after an error message where it is not 0. */
static int load_all(GPtrArray *all, const struct efficiency_options *options)
{
	char *const *traces = options->analysis.common.arguments;
	const struct model *first = load(all, options, (char *const[]){traces[0], NULL});
	const char *lacks = first ? models_lack(first) : NULL;

	if (!first)
		return COMMAND_BAD_INPUT;
	if (!traces[1])
		return COMMAND_FINE;
	return lacks && isnan(options->deadline_s) ? load_together(all, options, lacks)
						   : load_apart(all, options);
}

/* Returns false after an error message. */
static bool sum_up(const GPtrArray *all, const struct efficiency_options *options, GPtrArray *runs)
{
	double tokens = options->work.amount > 0 ? options->work.amount : NAN;

	for (guint i = 0; i < all->len; i++) {
		struct loaded *loaded = g_ptr_array_index(all, i);

		loaded->ledger = ledger_make(loaded->analysis.attribution,
			&(struct ledger_options){.by = "layer", .iterations = EFFICIENCY_MARK});
		loaded->run = efficiency_run_new(loaded->ledger, tokens);
		if (!loaded->run)
			return false;
		g_ptr_array_add(runs, loaded->run);
	}
	return true;
}

static int answer(const struct efficiency_options *options, const GPtrArray *runs)
{
	static analysis_writer *const writers[ANALYSIS_FORMATS] = {
		[ANALYSIS_TEXT] = efficiency_put_text,
		[ANALYSIS_JSON] = efficiency_put_json,
		[ANALYSIS_CSV] = efficiency_put_csv};
	const struct efficiency_run *first = g_ptr_array_index(runs, 0);
	bool tagged = !models_lack(first->ledger->model) || !isnan(options->deadline_s);
	struct efficiency_result result = {.runs = runs, .deadline_s = options->deadline_s};
	GArray *models = tagged ? models_of(runs, options->deadline_s) : NULL;
	int status = COMMAND_BAD_INPUT;

	result.models = models;
	if (models || !tagged)
		status = analysis_write(&options->analysis, writers, &result);
	if (models)
		g_array_free(models, TRUE);
	return status;
}

static int run(int argc, char **argv)
{
	struct efficiency_options options = {
		.analysis = analysis_options_default(), .deadline_s = NAN};
	GPtrArray *all = g_ptr_array_new_with_free_func(free_loaded), *runs = g_ptr_array_new();
	int status = command_parse(&command_efficiency, argc, argv, &options);

	if (!status && !options.analysis.common.done)
		status = load_all(all, &options);
	if (!status && !options.analysis.common.done)
		status = sum_up(all, &options, runs) ? answer(&options, runs) : COMMAND_BAD_INPUT;
	g_ptr_array_free(runs, TRUE);
	g_ptr_array_free(all, TRUE);
	analysis_options_clear(&options.analysis);
	return status;
}

static int take_tokens(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	(void)option;
	if (work_parse(argument, place))
		return 0;
	return command_misused(command, "--work takes a number of tokens, not \"%s\"", argument);
}

#define PLACE(member) .offset = offsetof(struct efficiency_options, member)

static const struct command_option options[] = {
	{"deadline", 0, "TIME", "say which model is the cheapest that makes a token in this time",
		.take = command_take_quantity, PLACE(deadline_s), .unit = "s", .example = "50ms",
		.above_zero = true},
	{"work", 0, "N",
		"how many output tokens the run made (default: as the program's marks "
		"say)",
		.take = take_tokens, PLACE(work)},
	ANALYSIS_METHOD,
	ANALYSIS_DOMAIN,
	ANALYSIS_LIBRARY,
	ANALYSIS_FORMAT,
	ANALYSIS_OUTPUT,
	{0},
};

const struct command command_efficiency = {
	.name = "efficiency",
	.help = "say what serving and training cost: tokens, phases, requests, models",
	.synopsis = (const char *const[]){"[OPTION]... TRACE...", NULL},
	.about =
		"Says how many tokens a joule makes, what prompts and what follows them cost, what "
		"each request cost of a server that serves several at once, and, of traces with "
		"the tags model, gpu and batch, which one is the cheapest.",
	.options = options,
	.traces = true,
	.run = run,
};
