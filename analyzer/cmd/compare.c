/* SPDX-License-Identifier: MIT */
/* pwrtrace compare: whether another run did better than a base, and why. */
#include <math.h>
#include <string.h>

#include "analyzer/cmd/loaded_run.h"
#include "analyzer/compare/labels.h"
#include "analyzer/print/message.h"
#include "analyzer/print/quantity.h"
#include "analyzer/view/compare/compare_view.h"

/* The options, for command_parse. */
struct compare_options {
	struct analysis_options analysis;
	GPtrArray *bases; /* const char *: further traces of the base */
	GPtrArray *pairs; /* const char *: A=B */
	const char *at;   /* NULL: anything may differ */
	bool force;
	double more; /* of --fail-over; NaN: it was not given */
	enum figure figure;
	size_t depth;
};

#define COMMAND_FAILED_OVER 3 /* the exit status of --fail-over */

static const char *const at_names[] = {
	[COMPARE_AT_CLOCK - 1] = "clock", [COMPARE_AT_LIMIT - 1] = "limit", NULL};

static const char *at_choice(size_t i)
{
	return at_names[i];
}

static int take_name(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	(void)command;
	(void)option;
	g_ptr_array_add(*(GPtrArray **)place, (gpointer)argument);
	return 0;
}

static int take_pair(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	const char *equals = *argument ? strchr(argument + 1, '=') : NULL;

	if (equals && equals[1])
		return take_name(command, option, place, argument);
	return command_misused(
		command, "--pair takes two kernels, like tile128=tile256, not \"%s\"", argument);
}

static int take_fail_over(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	static const enum figure figures[] = {FIGURE_ENERGY, FIGURE_TIME, FIGURE_EDP};
	struct compare_options *options = place;
	char **parts = g_strsplit(argument, ":", 2);
	bool known = !parts[0] || !parts[1];

	(void)option;
	options->figure = FIGURE_ENERGY;
	options->more = parts[0] ? quantity_parse(parts[0], "") : NAN;
	for (size_t i = 0; !known && i < G_N_ELEMENTS(figures); i++) {
		known = strcmp(parts[1], figure_about[figures[i]].name) == 0;
		options->figure = figures[i];
	}
	g_strfreev(parts);
	if (known && options->more >= 0)
		return 0;
	return command_misused(command,
		"--fail-over takes a part with energy, time or edp behind it, like 2%%:time, not "
		"\"%s\"",
		argument);
}

/* ---- runs ---- */

/* Adds the run of a trace to a side's.  Returns false after an error message. */
static bool add_run(GPtrArray *all, GPtrArray *const runs[SIDES], enum side side,
	const struct compare_options *options, const char *trace)
{
	struct loaded_run *loaded = loaded_run_new(&options->analysis, trace, options->depth);
	const struct compare_run *same;

	if (!loaded)
		return false;
	g_ptr_array_add(all, loaded);
	same = conditions_one_recording(runs[side], loaded->run);
	if (same)
		message_error("%s and %s are one recording, and so one run of the %s; name it once",
			(const char *)g_ptr_array_index(same->kernels->model->directories, 0),
			trace, side_names[side]);
	g_ptr_array_add(runs[side], loaded->run);
	return !same;
}

/* ---- pairs ---- */

/* Splits A=B at that "=" which has a kernel of the base before it and one of the other behind it;
 * names may have some of their own. */
static bool add_pair(const struct kernel_labels *labels, const char *text,
	GPtrArray *const runs[SIDES], GArray *pairs)
{
	char *first_why = NULL;
	bool found = false;

	for (const char *at = strchr(text, '='); at && !found; at = strchr(at + 1, '=')) {
		char *base = g_strndup(text, (gsize)(at - text)), *why = NULL;
		struct kernel_pair pair = {
			.base = labels_choose(labels, runs[SIDE_BASE], base, &why)};

		if (pair.base)
			pair.other = labels_choose(labels, runs[SIDE_OTHER], at + 1, &why);
		found = pair.base && pair.other;
		if (found)
			g_array_append_val(pairs, pair);
		else if (!first_why)
			first_why = g_strdup_printf(
				"%s: %s", side_names[pair.base ? SIDE_OTHER : SIDE_BASE], why);
		g_free(why);
		g_free(base);
	}
	if (!found)
		message_error("--pair %s: %s", text, first_why);
	g_free(first_why);
	return found;
}

static bool add_pairs(
	const struct compare_options *options, GPtrArray *const runs[SIDES], GArray *pairs)
{
	struct kernel_labels *labels = labels_of(runs[SIDE_BASE], runs[SIDE_OTHER]);
	bool fine = true;

	for (guint i = 0; fine && i < options->pairs->len; i++)
		fine = add_pair(labels, g_ptr_array_index(options->pairs, i), runs, pairs);
	labels_free(labels);
	return fine;
}

/* ---- the answer ---- */

/* Exit status, after an error message for what is too much worse. */
static int judge(const struct compare_options *options, const struct comparison *comparison)
{
	const char *what = figure_about[options->figure].name;
	GPtrArray *worse = judge_worse(comparison, options->figure, options->more);
	enum side unknown = judge_unknown(&comparison->total, options->figure);
	guint count;

	if (!worse) {
		message_error("--fail-over cannot tell: no interval of the %s is known; %d runs "
			      "a side have one",
			what, CHANGE_WELCH_RUNS);
		return COMMAND_BAD_INPUT;
	}
	count = worse->len;
	for (guint i = 0; i < count; i++) {
		const struct comparison_row *row = g_ptr_array_index(worse, i);
		const struct change *change = &row->change[options->figure];

		message_error("%s %s takes %.2f %% (±%.2f %%) more %s, over %.4g %%", row->by,
			row->label, change->delta * 100, change->ci95 * 100, what,
			options->more * 100);
	}
	g_ptr_array_free(worse, TRUE);
	if (!count && unknown < SIDES)
		message_error("--fail-over cannot tell: the total %s of the %s is not known", what,
			side_names[unknown]);
	return count ? COMMAND_FAILED_OVER : unknown < SIDES ? COMMAND_BAD_INPUT : COMMAND_FINE;
}

static enum compare_at at_of(const struct compare_options *options)
{
	enum compare_at at = COMPARE_AT_ANY;

	for (size_t i = 0; options->at && at_names[i]; i++)
		if (strcmp(options->at, at_names[i]) == 0)
			at = (enum compare_at)(i + 1);
	return at;
}

/* What the two sides must have in common and have not; NULL: nothing.  The caller frees it. */
static char *what_differs(
	const struct compare_options *options, const struct comparison *comparison)
{
	char *why = NULL;

	if (comparison->estimated)
		return g_strdup("energies are estimates, of which there can be no verdict");
	if (comparison_units_alike(comparison->runs[SIDE_BASE], comparison->runs[SIDE_OTHER], &why))
		judge_equal(comparison, at_of(options), &why);
	return why;
}

static int answer(const struct compare_options *options, const struct comparison *comparison)
{
	static analysis_writer *const writers[ANALYSIS_FORMATS] = {
		[ANALYSIS_TEXT] = compare_put_text,
		[ANALYSIS_JSON] = compare_put_json,
		[ANALYSIS_CSV] = compare_put_csv};
	char *differs = what_differs(options, comparison);
	struct compare_result result = {.comparison = comparison,
		.subject = judge_subject(comparison, options->pairs->len),
		.figure = options->figure,
		.differs = differs,
		.color = options->analysis.common.color};
	int status;

	if (differs && !options->force) {
		message_error("%s; --force compares all the same", differs);
		g_free(differs);
		return COMMAND_BAD_INPUT;
	}
	status = analysis_write(&options->analysis, writers, &result);
	g_free(differs);
	return status || isnan(options->more) ? status : judge(options, comparison);
}

static int compare(const struct compare_options *options)
{
	char *const *traces = options->analysis.common.arguments;
	GPtrArray *all = g_ptr_array_new_with_free_func(loaded_run_free);
	GPtrArray *const runs[SIDES] = {g_ptr_array_new(), g_ptr_array_new()};
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct kernel_pair));
	bool fine = add_run(all, runs, SIDE_BASE, options, traces[0]);
	int status = COMMAND_BAD_INPUT;

	for (guint i = 0; fine && i < options->bases->len; i++)
		fine = add_run(all, runs, SIDE_BASE, options, g_ptr_array_index(options->bases, i));
	for (size_t i = 1; fine && traces[i]; i++)
		fine = add_run(all, runs, SIDE_OTHER, options, traces[i]);
	if (fine && add_pairs(options, runs, pairs)) {
		struct comparison *comparison =
			comparison_new(runs[SIDE_BASE], runs[SIDE_OTHER], pairs);

		status = answer(options, comparison);
		comparison_free(comparison);
	}
	g_array_free(pairs, TRUE);
	g_ptr_array_free(runs[SIDE_BASE], TRUE);
	g_ptr_array_free(runs[SIDE_OTHER], TRUE);
	g_ptr_array_free(all, TRUE);
	return status;
}

static int run(int argc, char **argv)
{
	struct compare_options options = {.analysis = analysis_options_default(),
		.bases = g_ptr_array_new(),
		.pairs = g_ptr_array_new(),
		.more = NAN,
		.figure = FIGURE_ENERGY};
	int status = command_parse(&command_compare, argc, argv, &options);

	if (!status && !options.analysis.common.done)
		status = options.analysis.common.arguments[1]
				 ? compare(&options)
				 : command_misused(&command_compare,
					   "two traces are needed, a base and another");
	g_ptr_array_free(options.bases, TRUE);
	g_ptr_array_free(options.pairs, TRUE);
	analysis_options_clear(&options.analysis);
	return status;
}

#define PLACE(member) .offset = offsetof(struct compare_options, member)

static const struct command_option options[] = {
	{"base", 0, "TRACE", "a further run of the base; may be given several times",
		.take = take_name, PLACE(bases)},
	{"pair", 0, "A=B",
		"compare kernel A of the base with kernel B of the other; may be given several "
		"times",
		.take = take_pair, PLACE(pairs)},
	{"at", 0, "WHAT",
		"refuse where kernels did not run at the same clock, or throttled by the same "
		"limit: %s",
		.take = command_take_text, PLACE(at), .choice = at_choice},
	{"force", 0, NULL, "compare what would be refused, and say so", .take = command_take_flag,
		PLACE(force)},
	{"fail-over", 0, "FRACTION[:WHAT]",
		"exit with 3 where a row, or the total, is significantly worse by more than this, "
		"like 2%:time (energy, time or edp; default: energy)",
		.take = take_fail_over, .offset = 0},
	{"depth", 0, "N", "deeper layers are part of the one that they are in",
		.take = command_take_count, PLACE(depth)},
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

const struct command command_compare = {
	.name = "compare",
	.help = "say whether another run did better than a base, and why",
	.synopsis = (const char *const[]){"[OPTION]... BASE OTHER...", NULL},
	.about = "Compares two runs, or several of each: time, power, energy and EDP of each "
		 "kernel, layer and in total, and whether a change of energy is one of work, of "
		 "the clock or of power.  Every OTHER after the first is a further run of it.",
	.options = options,
	.traces = true,
	.run = run,
};
