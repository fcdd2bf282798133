/* SPDX-License-Identifier: MIT */
/* pwrtrace report: where the joules went. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/attribute/method.h"
#include "analyzer/cmd/command.h"
#include "analyzer/ledger/graph_profile.h"
#include "analyzer/library/library.h"
#include "analyzer/load/load.h"
#include "analyzer/print/message.h"
#include "analyzer/print/output.h"
#include "analyzer/print/terminal.h"
#include "analyzer/view/content/column.h"
#include "analyzer/view/content/filter.h"
#include "analyzer/view/formats.h"

/* The options, for command_parse. */
struct report_options {
	struct command_options common;
	struct view_options view_options;
	const char *by, *format, *method, *sort;
	const char *output;
	const char *graphs;
	const char *rules;
	const char *library;
	struct filter *filter;
	const char *iterations;
	const char *domain;
	size_t depth;
};

static bool write_report(const struct report_options *report, const struct ledger *ledger)
{
	const struct format *format = format_find(report->format);
	struct output output;

	if (format == &format_text && !report->output)
		terminal_fit();
	if (!output_open(&output, report->output))
		return false;
	format->write(output.file, ledger, &report->view_options);
	return output_close(&output);
}

/* Warns where the profile of graphs changes nothing. */
static void compare_graphs(
	const struct model *model, const struct graph_profiles *graphs, const char *path)
{
	uint64_t units = 0, known = 0;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		const struct model_graph *graph =
			model_graph_of(model, model_origin_of(model, execution));

		units += graph != NULL;
		known += graph && graph_profile_find(graphs, graph->signature);
	}
	if (!units)
		message_warn("%s is not needed: no graph was timed as one unit", path);
	else if (known < units)
		message_warn("%s does not know the graphs of %" G_GUINT64_FORMAT
			     " of %" G_GUINT64_FORMAT " launches: they stay units",
			path, units - known, units);
}

/* Whether some sensor measures the wanted domain; prints an error where none does. */
static bool check_domain(const struct report_options *report, const struct model *model)
{
	GPtrArray *known = g_ptr_array_new();
	bool found;

	for (guint i = 0; i < model->sensors->len; i++) {
		const struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);

		if ((strcmp(sensor->quantity, "power") == 0 || model_is_counter(sensor)) &&
			!g_ptr_array_find_with_equal_func(known, sensor->domain, g_str_equal, NULL))
			g_ptr_array_add(known, (gpointer)sensor->domain);
	}
	found = !report->domain ||
		g_ptr_array_find_with_equal_func(known, report->domain, g_str_equal, NULL);
	g_ptr_array_add(known, NULL);
	if (!found) {
		char *all = g_strjoinv(", ", (char **)known->pdata);

		message_error("no sensor of the trace measures the domain \"%s\"; measured: %s",
			report->domain, *all ? all : "nothing");
		g_free(all);
	}
	g_ptr_array_free(known, TRUE);
	return found;
}

/* Returns the exit status. */
static int make(const struct report_options *report, const struct model *model,
	struct graph_profiles *graphs, const struct library *library)
{
	const struct fit_memory memory = {library_remember, library};
	struct attribution *attribution = attribution_new(
		model, &(struct attribution_options){
			       .method = report->method ? method_find(report->method) : NULL,
			       .domain = report->domain,
			       .memory = library ? &memory : NULL});
	struct ledger *ledger =
		ledger_make(attribution, &(struct ledger_options){.by = report->by,
						 .iterations = report->iterations,
						 .depth = (guint)MIN(report->depth, G_MAXUINT),
						 .graphs = graphs});
	bool written;

	if (graphs)
		compare_graphs(model, graphs, report->graphs);
	if (report->iterations && ledger->timeline && !ledger->iterations)
		message_warn("no mark and no layer \"%s\" is there twice: there are no iterations",
			report->iterations);
	written = write_report(report, ledger);
	ledger_free(ledger);
	attribution_free(attribution);
	return written ? COMMAND_FINE : COMMAND_BAD_INPUT;
}

/* Reads the library that was named, else the user's own, where there is one.  Returns false after
 * an error message. */
static bool read_library(const struct report_options *report, struct library **library)
{
	char *own = report->library ? NULL : library_own_path();
	const char *path = report->library ? report->library : own;
	bool wanted = report->library ? strcmp(report->library, "none") != 0
				      : g_file_test(own, G_FILE_TEST_EXISTS);

	*library = wanted ? library_read(path) : NULL;
	g_free(own);
	return *library || !wanted;
}

static int load(const struct report_options *report)
{
	struct graph_profiles *graphs = NULL;
	struct library *library = NULL;
	struct rules *rules = NULL;
	struct model *model = NULL;
	int status = COMMAND_BAD_INPUT;

	if ((!report->graphs || (graphs = graph_profiles_read(report->graphs))) &&
		(!report->rules || (rules = rules_read(report->rules))) &&
		read_library(report, &library))
		model = load_traces(report->common.arguments,
			&(struct load_options){.layers = strcmp(report->by, "layer") == 0,
				.stacks = strcmp(report->by, "stack") == 0,
				.rules = rules});
	if (model) {
		if (check_domain(report, model))
			status = make(report, model, graphs, library);
		model_free(model);
	}
	rules_free(rules);
	library_free(library);
	if (graphs)
		graph_profiles_free(graphs);
	return status;
}

/* ---- options ---- */

static const char *by_choice(size_t i)
{
	return ledger_bys[i].name;
}

static const char *format_choice(size_t i)
{
	return formats[i] ? formats[i]->name : NULL;
}

static const char *method_choice(size_t i)
{
	return methods[i] ? methods[i]->name : NULL;
}

static int take_filter(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	struct filter **filter = place;
	char *why;
	int status = 0;

	(void)option;
	filter_free(*filter);
	*filter = filter_parse(argument, &why);
	if (!*filter)
		status = command_misused(command, "%s", why);
	g_free(why);
	return status;
}

static int take_work(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	(void)option;
	if (work_parse(argument, place))
		return 0;
	return command_misused(command,
		"--work takes an amount with its unit, like \"128 token\", not \"%s\"", argument);
}

#define TEXT(member) .take = command_take_text, .offset = offsetof(struct report_options, member)

static const struct command_option options[] = {
	{"by", 0, "WHAT", "%s", TEXT(by), .choice = by_choice, .first = "default"},
	{"format", 0, "FORMAT", "%s", TEXT(format), .choice = format_choice, .first = "default"},
	{"graphs", 0, "FILE",
		"split graphs that were timed as one unit by the profile that pwrtrace graphs made "
		"of another run",
		TEXT(graphs)},
	{"rules", 0, "FILE", "layers for what is in none, by functions and kernels", TEXT(rules)},
	{"library", 0, "FILE",
		"powers that pwrtrace library has kept of other runs, or \"none\" (default: your "
		"own, where there is one)",
		TEXT(library)},
	{"output", 'o', "FILE", "write there", TEXT(output)},
	{"method", 0, "METHOD", "%s", TEXT(method), .choice = method_choice,
		.first = "default where a sensor measured"},
	{"sort", 0, "COLUMN", "%s", TEXT(sort), .choice = column_name},
	{"top", 0, "N", "the first N rows only", .take = command_take_count,
		.offset = offsetof(struct report_options, view_options.top)},
	{"filter", 0, "EXPR", "rows of which it is true, like 'name ~ \"gemm\" && energy > 1mJ'",
		.take = take_filter, .offset = offsetof(struct report_options, filter)},
	{"depth", 0, "N", "by layer: deeper ones are part of the one that they are in",
		.take = command_take_count, .offset = offsetof(struct report_options, depth)},
	{"domain", 0, "DOMAIN", "the joules of a part of the device, as \"memory\"", TEXT(domain)},
	{"iterations", 0, "NAME", "by layer: the mark or layer that tells them apart",
		TEXT(iterations)},
	{"work", 0, "AMOUNT", "what the program did in all, as 2097152token", .take = take_work,
		.offset = offsetof(struct report_options, view_options.work)},
	COMMAND_COLOR("%s"),
	COMMAND_VERBOSE("all that is known of how far to trust it"),
	{0},
};

static int run(int argc, char **argv)
{
	struct report_options report = {.by = ledger_bys[0].name,
		.format = formats[0]->name,
		.common.color = command_color_default(stdout)};
	int status = command_parse(&command_report, argc, argv, &report);

	if (!status && !report.common.done) {
		report.view_options.color = report.common.color;
		report.view_options.verbose = report.common.verbose;
		report.view_options.filter = report.filter;
		report.view_options.sort = report.sort                        ? report.sort
					   : strcmp(report.by, "launch") == 0 ? "begin"
									      : "energy";
		status = load(&report);
	}
	filter_free(report.filter);
	return status;
}

const struct command command_report = {
	.name = "report",
	.help = "say where the joules of one or more traces went",
	.synopsis = (const char *const[]){"[OPTION]... TRACE...", NULL},
	.about = "Says how many joules each kernel, layer, ... of the traces cost.  Several traces "
		 "are merged.",
	.options = options,
	.traces = true,
	.run = run,
};
