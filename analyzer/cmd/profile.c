/* SPDX-License-Identifier: MIT */
/* pwrtrace profile: the power of one kernel, from its first execution to its steady ones. */
#include <math.h>
#include <string.h>

#include "analyzer/cmd/campaign.h"
#include "analyzer/view/profile/profile_view.h"

#define BUDGET_S 300 /* of a campaign */

/* Returns the exit status. */
static int profile(const struct profile_choice *choice, char *const *traces)
{
	static analysis_writer *const writers[ANALYSIS_FORMATS] = {
		[ANALYSIS_TEXT] = profile_put_text,
		[ANALYSIS_JSON] = profile_put_json,
		[ANALYSIS_CSV] = profile_put_csv};
	struct profiling profiling;
	int status;

	if (!profiling_begin(&profiling, choice, traces))
		return COMMAND_BAD_INPUT;
	status = analysis_write(&choice->analysis, writers,
		&(struct profile_view){
			profiling.profile, profiling.ledger, choice->analysis.common.verbose});
	profiling_end(&profiling);
	return status;
}

/* Records before, with the command, and then profiles all that was recorded. */
static int profile_campaign(struct profile_choice *choice, char *const *command)
{
	GPtrArray *traces = campaign_run(choice, command);
	int status;

	if (!traces)
		return COMMAND_BAD_INPUT;
	choice->profile.runs = 0; /* it said how many to make */
	status = profile(choice, (char *const *)traces->pdata);
	g_ptr_array_free(traces, TRUE);
	return status;
}

/* ---- options ---- */

#define FIELD(taker, member) .take = taker, .offset = offsetof(struct profile_choice, member)
#define TIME(member) FIELD(command_take_quantity, profile.member), .unit = "s"
#define FRACTION(member) FIELD(command_take_quantity, profile.member), .unit = "", .example = "2%"
#define FLAG(member) FIELD(command_take_flag, profile.member)

static const struct command_option options[] = {
	{"kernel", 0, "NAME", "the kernel: its name, or a part that no other has",
		FIELD(command_take_text, kernel)},
	{"layer", 0, "PATH", "the iterations of a layer or mark instead; \"iteration\": any",
		FIELD(command_take_text, layer)},
	{"gap", 0, "TIME", "how long the device is idle between runs (1ms)", TIME(gap_s),
		.example = "1ms", .above_zero = true},
	{"margin", 0, "FRACTION", "how far times of a bin may differ (by the time: 2% or 5%)",
		FRACTION(margin)},
	{"stable", 0, "FRACTION", "how far steady powers may differ (2%)", FRACTION(stable)},
	{"runs", 0, "N", "the first N runs only; of a campaign, how many to make at a time",
		FIELD(command_take_count, profile.runs)},
	{"outliers", 0, "TIME", "study the executions that take so long instead", TIME(outlier_s),
		.example = "440us", .above_zero = true},
	{"budget", 0, "TIME", "how long a campaign may take (300s)",
		FIELD(command_take_quantity, budget_s), .unit = "s", .example = "300s",
		.above_zero = true},
	{"by-command", 0, NULL, "in a campaign, run the command again instead of the kernel",
		FIELD(command_take_flag, by_command)},
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

/* The place of the "--" before a command; argc where there is none. */
static int command_at(int argc, char **argv)
{
	int i = 1;

	while (i < argc && strcmp(argv[i], "--") != 0)
		i++;
	return i;
}

/* Returns 0, or the exit status after saying what is wrong. */
static int check(const struct profile_choice *choice, bool campaign)
{
	if (!choice->kernel == !choice->layer)
		return command_misused(&command_profile, "name a --kernel, or a --layer");
	if (choice->layer && choice->profile.before)
		return command_misused(&command_profile, "--before takes a --kernel");
	if (choice->layer && campaign)
		return command_misused(&command_profile, "a campaign takes a --kernel");
	if (!campaign && !*choice->analysis.common.arguments)
		return command_misused(&command_profile, "no trace is named, and no command");
	if (campaign && *choice->analysis.common.arguments)
		return command_misused(
			&command_profile, "name traces or, after \"--\", a command, not both");
	return 0;
}

static int run(int argc, char **argv)
{
	struct profile_choice choice = {.analysis = analysis_options_default(),
		.profile = {.gap_s = 1e-3, .margin = NAN, .stable = 0.02, .outlier_s = NAN},
		.budget_s = BUDGET_S};
	int end = command_at(argc, argv), status;
	bool campaign = end + 1 < argc;
	char *const *command = argv + end + 1;

	choice.analysis.library = "none"; /* what it knows of a kernel, it knows of no number */
	argv[end] = NULL;
	status = command_parse(&command_profile, end, argv, &choice);
	if (!status && !choice.analysis.common.done)
		status = check(&choice, campaign);
	if (!status && !choice.analysis.common.done)
		status = campaign ? profile_campaign(&choice, command)
				  : profile(&choice, choice.analysis.common.arguments);
	analysis_options_clear(&choice.analysis);
	return status;
}

const struct command command_profile = {
	.name = "profile",
	.help = "say what a kernel draws, from its first execution to its steady ones",
	.synopsis = (const char *const[]){"--kernel NAME [OPTION]... TRACE...",
		"--layer PATH [OPTION]... TRACE...",
		"--kernel NAME [OPTION]... -- COMMAND [ARGUMENT]...", NULL},
	.about = "Says from which execution on a kernel takes its best time (SSE) and draws a "
		 "steady power (SSP), and its power within an execution, from its runs in the "
		 "traces, or in a campaign that launches it again and again in a program.",
	.options = options,
	.run = run,
};
