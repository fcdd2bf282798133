/* SPDX-License-Identifier: MIT */
/* pwrtrace frontier: time against energy, and which way to run is worth it. */
#include <math.h>
#include <string.h>

#include "analyzer/cmd/loaded_run.h"
#include "analyzer/cmd/sweep.h"
#include "analyzer/frontier/points_file.h"
#include "analyzer/frontier/trace_points.h"
#include "analyzer/ledger/iterations.h"
#include "analyzer/print/message.h"
#include "analyzer/view/frontier/frontier_view.h"

/* The options, for command_parse. */
struct frontier_options {
	struct analysis_options analysis;
	const char *points; /* a file; NULL: of traces */
	const char *per, *unit, *until, *sweep, *set;
	struct frontier_goal goal; /* its numbers: NaN where they were not given */
	struct frontier_measure measure;
};

static const char *const per_names[] = {"run", "iteration", "mark", "kernel", "layer"};
static const enum frontier_per pers[] = {PER_RUN, PER_ITERATION, PER_MARK, PER_KERNEL, PER_LAYER};

static int take_per(const struct command *command, const struct command_option *option, void *place,
	const char *argument)
{
	static const char tag[] = "tag:";

	(void)option;
	*(const char **)place = argument;
	if (g_str_has_prefix(argument, tag) && argument[strlen(tag)])
		return 0;
	for (size_t i = 0; i < G_N_ELEMENTS(pers); i++)
		if (strcmp(argument, per_names[i]) == 0)
			return 0;
	return command_misused(command,
		"--per takes run, iteration, mark, kernel, layer or tag:KEY, not \"%s\"", argument);
}

static int take_sweep(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	const char *equals = strchr(argument, '=');

	(void)option;
	*(const char **)place = argument;
	if (equals && equals > argument && equals[1])
		return 0;
	return command_misused(command,
		"--sweep takes a name and values, like batch=8,16,32, not \"%s\"", argument);
}

/* ---- traces ---- */

/* Whether the energy of iterations is known of all traces. */
static bool have_iterations(const GPtrArray *all)
{
	for (guint i = 0; i < all->len; i++)
		if (!trace_points_per_iteration(
			    ((const struct loaded_run *)g_ptr_array_index(all, i))->run))
			return false;
	return true;
}

/* What time and energy are of, which the user may have left to us. */
static struct frontier_measure measure_of(
	const struct frontier_options *options, const GPtrArray *all)
{
	struct frontier_measure measure = options->measure;
	bool chosen = options->per && !measure.tag;

	if (!chosen && options->unit)
		measure.per = PER_WORK;
	else if (!chosen && measure.target.mark)
		measure.per = PER_TARGET;
	else if (!chosen && have_iterations(all))
		measure.per = PER_ITERATION;
	return measure;
}

/* The same in words, which the caller frees.  Per iteration, all traces must have some. */
static char *say_measure(const struct frontier_options *options,
	const struct frontier_measure *measure, const GPtrArray *all)
{
	const struct loaded_run *first = g_ptr_array_index(all, 0);

	switch (measure->per) {
	case PER_WORK:
		return g_strdup_printf("one %s", options->unit);
	case PER_TARGET:
		return g_strdup_printf("a run until %s", options->until);
	case PER_KERNEL:
		return g_strdup("an execution of each kernel");
	case PER_LAYER:
		return g_strdup("an opening of each layer");
	case PER_MARK:
		return g_strdup("one of each unit of work");
	case PER_ITERATION:
		return g_strdup_printf("an iteration (%s)", first->kernels->iterations->name);
	default:
		return g_strdup("a whole run");
	}
}

/* Adds the points of all traces.  Returns false after an error message. */
static bool add_points(GArray *points, const GPtrArray *all, char *const *traces,
	const struct frontier_measure *measure)
{
	GPtrArray *runs = g_ptr_array_new(), *none = g_ptr_array_new();
	struct kernel_labels *labels;
	bool fine = true;

	for (guint i = 0; i < all->len; i++)
		g_ptr_array_add(runs, ((struct loaded_run *)g_ptr_array_index(all, i))->run);
	labels = labels_of(runs, none);
	for (guint i = 0; fine && i < all->len; i++) {
		char *why = trace_points_add(
			points, g_ptr_array_index(runs, i), traces[i], labels, measure);

		/* A run that misses the target is no error: others may reach it. */
		fine = !why || measure->per == PER_TARGET;
		if (why && fine)
			message_warn("%s is left out: %s", traces[i], why);
		else if (why)
			message_error("%s: %s", traces[i], why);
		g_free(why);
	}
	if (fine && !points->len) {
		message_error("no trace has a point of time and energy");
		fine = false;
	}
	labels_free(labels);
	g_ptr_array_free(none, TRUE);
	g_ptr_array_free(runs, TRUE);
	return fine;
}

/* ---- the answer ---- */

/* Chooses a point of each group.  Returns false after an error message, where none has one. */
static bool choose(GArray *points, const struct frontier_goal *goal)
{
	bool any = goal->aim == AIM_NONE;

	for (guint begin = 0, end; begin < points->len && goal->aim != AIM_NONE; begin = end) {
		const char *label = frontier_at(points, begin)->label;
		char *why = NULL;

		end = frontier_group_end(points, begin);
		if (frontier_choose(points, begin, goal, &why) != FRONTIER_NONE)
			any = true;
		else
			message_error("%s%s%s", label, *label ? ": " : "", why);
		g_free(why);
	}
	return any;
}

static int answer(const struct frontier_options *options, GArray *points, const char *per,
	const GPtrArray *ledgers)
{
	static analysis_writer *const writers[ANALYSIS_FORMATS] = {
		[ANALYSIS_TEXT] = frontier_put_text,
		[ANALYSIS_JSON] = frontier_put_json,
		[ANALYSIS_CSV] = frontier_put_csv};

	frontier_mark(points);
	if (!choose(points, &options->goal))
		return COMMAND_BAD_INPUT;
	return analysis_write(&options->analysis, writers,
		&(struct frontier_view){points, &options->goal, per, ledgers});
}

static int of_traces(const struct frontier_options *options, char *const *traces)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(loaded_run_free);
	GPtrArray *ledgers = g_ptr_array_new();
	GArray *points = frontier_points_new();
	int status = COMMAND_BAD_INPUT;
	guint count = 0;

	for (; traces[count]; count++) {
		struct loaded_run *loaded = loaded_run_new(&options->analysis, traces[count], 0);

		if (!loaded)
			break;
		g_ptr_array_add(all, loaded);
		g_ptr_array_add(ledgers, loaded->kernels);
	}
	if (!traces[count]) {
		struct frontier_measure measure = measure_of(options, all);

		if (add_points(points, all, traces, &measure)) {
			char *per = say_measure(options, &measure, all);

			status = answer(options, points, per, ledgers);
			g_free(per);
		}
	}
	g_array_unref(points);
	g_ptr_array_free(ledgers, TRUE);
	g_ptr_array_free(all, TRUE);
	return status;
}

static int of_file(const struct frontier_options *options)
{
	GPtrArray *ledgers = g_ptr_array_new();
	GArray *points = points_file_read(options->points, true);
	int status = points ? answer(options, points, NULL, ledgers) : COMMAND_BAD_INPUT;

	g_ptr_array_free(ledgers, TRUE);
	if (points)
		g_array_unref(points);
	return status;
}

static int of_sweep(const struct frontier_options *options)
{
	GPtrArray *traces =
		sweep_run(options->sweep, options->set, options->analysis.common.arguments);
	int status;

	if (!traces)
		return COMMAND_BAD_INPUT;
	status = of_traces(options, (char *const *)traces->pdata);
	g_ptr_array_free(traces, TRUE);
	return status;
}

/* ---- options ---- */

/* Sets the aim by the one goal that was given.  Returns 0, or the exit status of wrong usage. */
static int take_goal(struct frontier_goal *goal)
{
	const struct {
		double number;
		enum frontier_aim aim;
	} aims[] = {{goal->deadline_s, AIM_DEADLINE}, {goal->slack, AIM_SLACK},
		{goal->weight, AIM_WEIGHT}, {goal->budget_w, AIM_BUDGET}};

	for (size_t i = 0; i < G_N_ELEMENTS(aims); i++) {
		if (isnan(aims[i].number))
			continue;
		if (goal->aim != AIM_NONE)
			return command_misused(&command_frontier,
				"only one of --deadline, --slack, --weight and "
				"--budget is possible");
		goal->aim = aims[i].aim;
	}
	if (isnan(goal->weight) != isnan(goal->limit_w))
		return command_misused(&command_frontier, "--weight and --limit need one another");
	if (goal->weight > 1)
		return command_misused(&command_frontier, "--weight is from 0 to 1");
	return 0;
}

/* Takes apart what --per and --until say.  Returns 0, or the exit status of wrong usage. */
static int take_measure(struct frontier_options *options)
{
	options->measure.unit = options->unit;
	if (options->per && g_str_has_prefix(options->per, "tag:"))
		options->measure.tag = options->per + strlen("tag:");
	for (size_t i = 0; options->per && i < G_N_ELEMENTS(pers); i++)
		if (strcmp(options->per, per_names[i]) == 0)
			options->measure.per = pers[i];
	if (options->until && !frontier_target_parse(options->until, &options->measure.target))
		return command_misused(&command_frontier,
			"--until takes a mark and a value, like 'accuracy>=0.76', not \"%s\"",
			options->until);
	return 0;
}

/* Refuses what does not go together.  Returns 0, or the exit status of wrong usage. */
static int refuse(const struct frontier_options *options)
{
	const struct analysis_options *analysis = &options->analysis;
	bool arguments = *analysis->common.arguments, points = options->points;
	bool sweep = options->sweep, work = options->unit, until = options->until;
	bool per = options->per && !options->measure.tag;
	bool rows = options->measure.per == PER_KERNEL || options->measure.per == PER_LAYER;
	const struct {
		bool wrong;
		const char *why;
	} rules[] = {
		{points && (arguments || sweep), "--points is instead of traces"},
		{points && (options->per || work || until),
			"--per, --work and --until are for traces, not for --points"},
		{points && (analysis->filter || analysis->domain),
			"--filter and --domain are for traces, not for --points"},
		{options->set && !sweep, "--set is for --sweep"},
		{sweep && !arguments, "--sweep needs a command"},
		{!points && !arguments,
			"no trace was given; give those that pwrtrace record named"},
		{per && (work || until), "with --work or --until, --per takes tag:KEY alone"},
		{work && until, "only one of --work and --until is possible"},
		{analysis->filter && !rows, "--filter is for --per kernel and --per layer"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if (rules[i].wrong)
			return command_misused(&command_frontier, "%s", rules[i].why);
	return 0;
}

/* Returns 0, or the exit status of wrong usage. */
static int check(struct frontier_options *options)
{
	int status = take_measure(options);

	if (!status)
		status = refuse(options);
	return status ? status : take_goal(&options->goal);
}

static int run(int argc, char **argv)
{
	struct frontier_options options = {.analysis = analysis_options_default(),
		.goal = {.deadline_s = NAN,
			.slack = NAN,
			.weight = NAN,
			.limit_w = NAN,
			.budget_w = NAN}};
	int status = command_parse(&command_frontier, argc, argv, &options);

	if (!status && !options.analysis.common.done)
		status = check(&options);
	if (!status && !options.analysis.common.done)
		status = options.points  ? of_file(&options)
			 : options.sweep ? of_sweep(&options)
					 : of_traces(&options, options.analysis.common.arguments);
	frontier_target_clear(&options.measure.target);
	analysis_options_clear(&options.analysis);
	return status;
}

#define FIELD(taker, member) .take = taker, .offset = offsetof(struct frontier_options, member)
#define TEXT(member) FIELD(command_take_text, member)
#define NUMBER(member) FIELD(command_take_quantity, member)

static const struct command_option options[] = {
	{"per", 0, "WHAT",
		"of what time and energy are: run, iteration, mark, kernel, layer or tag:KEY "
		"(default: iteration where there are some, else run)",
		FIELD(take_per, per)},
	{"work", 0, "UNIT", "time and energy of one unit of work, named as in marks, as \"token\"",
		TEXT(unit)},
	{"until", 0, "TARGET", "until a mark first has a value, as 'accuracy>=0.76'", TEXT(until)},
	{"points", 0, "FILE", "points of a file with name,time_s,energy_j in place of traces",
		TEXT(points)},
	{"deadline", 0, "TIME", "choose the least energy within a time", NUMBER(goal.deadline_s),
		.unit = "s", .example = "260ms", .above_zero = true},
	{"slack", 0, "FRACTION",
		"choose the least energy within so much more than the fastest's time",
		NUMBER(goal.slack), .unit = "", .example = "5%"},
	{"weight", 0, "ETA",
		"choose the least ETA * energy + (1 - ETA) * LIMIT * time (1: only energy counts)",
		NUMBER(goal.weight), .unit = "", .example = "0.5"},
	{"limit", 0, "POWER", "the power limit, for --weight", NUMBER(goal.limit_w), .unit = "W",
		.example = "700W", .above_zero = true},
	{"budget", 0, "POWER", "choose the fastest whose mean power is within a power",
		NUMBER(goal.budget_w), .unit = "W", .example = "700W", .above_zero = true},
	{"sweep", 0, "NAME=VALUE,...",
		"record the command for each value, which replaces {NAME} in it",
		FIELD(take_sweep, sweep)},
	{"set", 0, "COMMAND", "with --sweep: a shell command to run before, with {NAME} replaced",
		TEXT(set)},
	ANALYSIS_FILTER,
	ANALYSIS_METHOD,
	ANALYSIS_DOMAIN,
	ANALYSIS_LIBRARY,
	ANALYSIS_NUMBERS,
	ANALYSIS_FORMAT,
	ANALYSIS_OUTPUT,
	COMMAND_COLOR("%s"),
	{0},
};

const struct command command_frontier = {
	.name = "frontier",
	.help = "say which of several ways to run is worth its time and its energy",
	.synopsis = (const char *const[]){"[OPTION]... TRACE...", "[OPTION]... --points FILE",
		"[OPTION]... --sweep NAME=VALUE,... [--set COMMAND] -- COMMAND [ARG]...", NULL},
	.about = "Sets seconds against joules: which runs no other one beats in both, and which of "
		 "them is the best for a deadline, a weight or a power budget.",
	.options = options,
	.run = run,
};
