/* SPDX-License-Identifier: MIT */
/* pwrtrace profile: the power of one kernel, from its first execution to its steady ones. */
#include <math.h>
#include <string.h>

#include "analyzer/cmd/analysis.h"
#include "analyzer/ledger/iterations.h"
#include "analyzer/ledger/kernel_names.h"
#include "analyzer/ledger/ledger.h"
#include "analyzer/print/message.h"
#include "analyzer/profile/steps.h"
#include "analyzer/view/profile/profile_view.h"

/* The options, for command_parse. */
struct profile_choice {
	struct analysis_options analysis;
	struct profile_options profile;
	const char *kernel, *layer;
};

/* A profile while its trace is loaded. */
struct loading {
	const struct profile_choice *choice;
	bool refused; /* after an error message: there is no such kernel */
};

/* ---- a profile of what was recorded ---- */

static void divide(void *data, const struct model *model, uint32_t *parts)
{
	struct loading *loading = data;
	struct kernel_names *names = kernel_names_of(model);
	const char *label = kernel_names_pick(names, loading->choice->kernel);

	if (label)
		profile_divide(model, &loading->choice->profile, names->label, label, parts);
	loading->refused = !label;
	kernel_names_free(names);
}

static int write_profile(
	const struct profile_choice *choice, struct profile *profile, const struct ledger *ledger)
{
	static analysis_writer *const writers[ANALYSIS_FORMATS] = {
		[ANALYSIS_TEXT] = profile_put_text,
		[ANALYSIS_JSON] = profile_put_json,
		[ANALYSIS_CSV] = profile_put_csv};
	const struct profile_view view = {profile, ledger, choice->analysis.common.verbose};
	int status = COMMAND_BAD_INPUT;

	if (isnan(profile->period_s))
		message_error("no sensor measured the device of \"%s\"; pwrtrace sensors says what "
			      "there is to measure it",
			profile->name);
	else
		status = analysis_write(&choice->analysis, writers, &view);
	profile_free(profile);
	return status;
}

static int profile_kernel(const struct profile_choice *choice,
	const struct attribution *attribution, const struct ledger *ledger)
{
	struct kernel_names *names = kernel_names_of(attribution->model);
	const char *label = kernel_names_pick(names, choice->kernel);
	struct runs *runs = profile_runs(attribution->model, &choice->profile, names->label, label);
	int status = COMMAND_BAD_INPUT;

	if (runs->list->len) {
		status = write_profile(choice,
			profile_make(attribution, &choice->profile, label, runs, names->label),
			ledger);
	} else {
		message_error("the times of all executions of \"%s\" are unknown", label);
		runs_free(runs);
	}
	kernel_names_free(names);
	return status;
}

static int profile_layer(const struct profile_choice *choice, const struct attribution *attribution,
	const struct ledger *ledger)
{
	struct runs *runs = ledger->iterations ? steps_find(ledger->iterations) : NULL;

	if (runs && runs->list->len)
		return write_profile(choice,
			profile_make(attribution, &choice->profile, ledger->iterations->name, runs,
				NULL),
			ledger);
	runs_free(runs);
	message_error("no mark and no layer \"%s\" is there twice with work in it", choice->layer);
	return COMMAND_BAD_INPUT;
}

static int profile_traces(const struct profile_choice *choice)
{
	struct loading loading = {.choice = choice};
	const struct load_options load = {.layers = choice->layer != NULL,
		.divide = choice->kernel ? divide : NULL,
		.divide_data = &loading};
	bool any = !choice->layer || strcmp(choice->layer, "iteration") == 0;
	struct analysis analysis;
	struct ledger *ledger;
	int status = COMMAND_BAD_INPUT;

	if (!analysis_begin(&analysis, &choice->analysis, choice->analysis.common.arguments, &load))
		return COMMAND_BAD_INPUT;
	ledger = ledger_make(analysis.attribution,
		&(struct ledger_options){.by = choice->layer ? "layer" : "kernel",
			.iterations = any ? NULL : choice->layer});
	if (analysis.attribution->estimated)
		message_error("the power of this trace is an estimate, which tells kernels' times "
			      "and not their powers; record with a sensor");
	else if (!loading.refused)
		status = choice->layer ? profile_layer(choice, analysis.attribution, ledger)
				       : profile_kernel(choice, analysis.attribution, ledger);
	ledger_free(ledger);
	analysis_end(&analysis);
	return status;
}

/* ---- options ---- */

#define FIELD(taker, member) .take = taker, .offset = offsetof(struct profile_choice, member)
#define TIME(member) FIELD(command_take_quantity, profile.member), .unit = "s"
#define PART(member) FIELD(command_take_quantity, profile.member), .unit = "", .example = "2%"
#define FLAG(member) FIELD(command_take_flag, profile.member)

static const struct command_option options[] = {
	{"kernel", 0, "NAME", "the kernel: its name, or a part that no other has",
		FIELD(command_take_text, kernel)},
	{"layer", 0, "PATH", "the iterations of a layer or mark instead; \"iteration\": any",
		FIELD(command_take_text, layer)},
	{"gap", 0, "TIME", "how long the device is idle between runs (1ms)", TIME(gap_s),
		.example = "1ms", .above_zero = true},
	{"margin", 0, "PART", "how far times of a bin differ (by the time: 2% or 5%)",
		PART(margin)},
	{"stable", 0, "PART", "how far steady powers differ (2%)", PART(stable)},
	{"runs", 0, "N", "the first N runs only", FIELD(command_take_count, profile.runs)},
	{"outliers", 0, "TIME", "study the executions that take so long instead", TIME(outlier_s),
		.example = "440us", .above_zero = true},
	{"before", 0, NULL, "power by what ran in the 5 ms before", FLAG(before)},
	{"no-sync", 0, NULL, "by the host's times, to see what the device's are worth",
		FLAG(no_sync)},
	{"no-binning", 0, NULL, "by all runs, to see what golden ones are worth", FLAG(no_binning)},
	ANALYSIS_FORMAT,
	ANALYSIS_METHOD,
	ANALYSIS_DOMAIN,
	ANALYSIS_OUTPUT,
	COMMAND_VERBOSE("the power of each execution number, too"),
	{0},
};

/* Returns 0, or the exit status after saying what is wrong. */
static int check(const struct profile_choice *choice)
{
	if (!choice->kernel == !choice->layer)
		return command_misused(&command_profile, "name a --kernel, or a --layer");
	if (choice->layer && choice->profile.before)
		return command_misused(&command_profile, "--before takes a --kernel");
	return 0;
}

static int run(int argc, char **argv)
{
	struct profile_choice choice = {.analysis = analysis_options_default(),
		.profile = {.gap_s = 1e-3, .margin = NAN, .stable = 0.02, .outlier_s = NAN}};
	int status;

	choice.analysis.library = "none"; /* what it knows of a kernel, it knows of no number */
	status = command_parse(&command_profile, argc, argv, &choice);
	if (!status && !choice.analysis.common.done)
		status = check(&choice);
	if (!status && !choice.analysis.common.done)
		status = profile_traces(&choice);
	analysis_options_clear(&choice.analysis);
	return status;
}

const struct command command_profile = {
	.name = "profile",
	.help = "say what a kernel draws, from its first execution to its steady ones",
	.synopsis = (const char *const[]){"--kernel NAME [OPTION]... TRACE...", NULL},
	.about = "Says from which execution on a kernel takes its best time (SSE) and draws a "
		 "steady power (SSP), and its power within an execution, from its runs in the "
		 "traces.",
	.options = options,
	.traces = true,
	.run = run,
};
