/* SPDX-License-Identifier: MIT */
/* pwrtrace report: where the joules went. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/cmd/analysis.h"
#include "analyzer/ledger/graph_profile.h"
#include "analyzer/print/message.h"
#include "analyzer/view/content/column.h"
#include "analyzer/view/content/roofline.h"
#include "analyzer/view/domains/domains_view.h"
#include "analyzer/view/formats.h"

/* The options, for command_parse. */
struct report_options {
	struct analysis_options analysis;
	struct view_options view_options;
	const char *by, *sort;
	const char *graphs;
	const char *rules;
	const char *iterations;
	const char *operations;
	GArray *peaks; /* double: of operations and bytes; NULL: not known */
	size_t depth;
	bool domains, relative;
};

static bool write_report(const struct report_options *report, const struct ledger *ledger)
{
	const struct format *format = format_find(report->analysis.format);
	struct output_directory directory;
	struct output output;

	if (format->write_directory)
		return output_directory_open(&directory, report->analysis.output) &&
		       output_directory_close(
			       &directory, format->write_directory(directory.temporary, ledger,
						   &report->view_options));
	if (!analysis_open_output(&report->analysis, &output))
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

/* Warns where the file of operations says nothing of what ran. */
static void check_known(const struct report_options *report, const struct ledger *ledger)
{
	for (guint i = 0; i < ledger->rows->len; i++)
		if (roofline_counts(&report->view_options,
			    &g_array_index(ledger->rows, struct ledger_row, i)))
			return;
	message_warn("%s says nothing of the kernels that ran", report->operations);
}

/* Writes all domains side by side; returns the exit status. */
static int make_domains(const struct report_options *report, const struct analysis *analysis,
	const struct ledger_options *by)
{
	static analysis_writer *const writers[ANALYSIS_FORMATS] = {
		[ANALYSIS_TEXT] = domains_put_text,
		[ANALYSIS_JSON] = domains_put_json,
		[ANALYSIS_CSV] = domains_put_csv};
	struct attribution_options how = analysis_attribution(analysis, &report->analysis);
	struct domains *domains = domains_of(analysis->attribution, &how, by);
	int status = COMMAND_BAD_INPUT;

	if (domains->list->len)
		status = analysis_write(&report->analysis, writers,
			&(struct domains_shown){domains, &report->view_options, report->relative});
	else
		message_error("no sensor measured a domain of a device");
	domains_free(domains);
	return status;
}

/* Returns the exit status. */
static int make(const struct report_options *report, const struct analysis *analysis,
	struct graph_profiles *graphs)
{
	const struct attribution *attribution = analysis->attribution;
	const struct ledger_options by = {.by = report->by,
		.iterations = report->iterations,
		.depth = (guint)MIN(report->depth, G_MAXUINT),
		.graphs = graphs};
	struct ledger *ledger;
	bool written;

	if (report->domains)
		return make_domains(report, analysis, &by);
	ledger = ledger_make(attribution, &by);
	if (graphs)
		compare_graphs(attribution->model, graphs, report->graphs);
	if (report->iterations && ledger->timeline && !ledger->iterations)
		message_warn("no mark and no layer \"%s\" is there twice: there are no iterations",
			report->iterations);
	if (report->operations)
		check_known(report, ledger);
	written = write_report(report, ledger);
	ledger_free(ledger);
	return written ? COMMAND_FINE : COMMAND_BAD_INPUT;
}

static int load(struct report_options *report)
{
	struct graph_profiles *graphs = NULL;
	struct rules *rules = NULL;
	struct operations *operations = NULL;
	struct analysis analysis;
	/* Of launches there are too many to say more of each. */
	bool whole =
		format_find(report->analysis.format)->whole && strcmp(report->by, "launch") != 0;
	int status = COMMAND_BAD_INPUT;

	if ((!report->operations || (operations = operations_read(report->operations))) &&
		(!report->graphs || (graphs = graph_profiles_read(report->graphs))) &&
		(!report->rules || (rules = rules_read(report->rules))) &&
		analysis_begin(&analysis, &report->analysis, report->analysis.common.arguments,
			&(struct load_options){.layers = whole || strcmp(report->by, "layer") == 0,
				.stacks = whole || strcmp(report->by, "stack") == 0,
				.rules = rules})) {
		report->view_options.operations = operations;
		status = make(report, &analysis, graphs);
		analysis_end(&analysis);
	}
	rules_free(rules);
	operations_free(operations);
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
	{"format", 0, "FORMAT", "%s", TEXT(analysis.format), .choice = format_choice,
		.first = "default"},
	{"graphs", 0, "FILE",
		"split graphs that were timed as one unit by the profile that pwrtrace graphs made "
		"of another run",
		TEXT(graphs)},
	{"ops", 0, "FILE",
		"operations and bytes of kernels: operations per byte, and joules of an operation",
		TEXT(operations)},
	{"peak", 0, "OPS,BYTES",
		"with --ops: what the device can do per second, as 989T,3.35T; says what bounds a "
		"kernel",
		.take = command_take_quantities, .offset = offsetof(struct report_options, peaks),
		.unit = "/s", .example = "989T,3.35T", .above_zero = true},
	{"rules", 0, "FILE", "layers for what is in none, by functions and kernels", TEXT(rules)},
	ANALYSIS_LIBRARY,
	ANALYSIS_OUTPUT,
	ANALYSIS_METHOD,
	{"sort", 0, "COLUMN", "%s", TEXT(sort), .choice = column_name},
	{"top", 0, "N", "the first N rows only", .take = command_take_count,
		.offset = offsetof(struct report_options, view_options.top)},
	ANALYSIS_FILTER,
	{"depth", 0, "N", "by layer: deeper ones are part of the one that they are in",
		.take = command_take_count, .offset = offsetof(struct report_options, depth)},
	ANALYSIS_DOMAIN,
	{"domains", 0, NULL, "watts and joules of each part of the device side by side",
		.take = command_take_flag, .offset = offsetof(struct report_options, domains)},
	{"relative", 0, NULL, "with --domains: watts as parts of the largest",
		.take = command_take_flag, .offset = offsetof(struct report_options, relative)},
	ANALYSIS_NUMBERS,
	{"iterations", 0, "NAME", "by layer: the mark or layer that tells them apart",
		TEXT(iterations)},
	{"work", 0, "AMOUNT", "what the program did in all, as 2097152token", .take = take_work,
		.offset = offsetof(struct report_options, view_options.work)},
	ANALYSIS_WIDE,
	COMMAND_COLOR("%s"),
	COMMAND_VERBOSE("all that is known of how far to trust it"),
	{0},
};

/* Returns 0, or the exit status after saying what is wrong. */
static int check_operations(struct report_options *report)
{
	if (report->operations && strcmp(report->by, "kernel") != 0 &&
		strcmp(report->by, "launch") != 0)
		return command_misused(&command_report, "--ops is for --by kernel and --by launch");
	if (report->operations && report->domains)
		return command_misused(&command_report, "--ops is not for --domains");
	if (!report->peaks)
		return 0;
	if (!report->operations)
		return command_misused(&command_report, "--peak needs --ops");
	if (report->peaks->len != 2)
		return command_misused(&command_report,
			"--peak takes operations and bytes per second, like 989T,3.35T");
	report->view_options.peak_operations = g_array_index(report->peaks, double, 0);
	report->view_options.peak_bytes = g_array_index(report->peaks, double, 1);
	return 0;
}

/* Returns 0, or the exit status of wrong usage. */
static int check(struct report_options *report)
{
	if (report->relative && !report->domains)
		return command_misused(&command_report, "--relative is for --domains");
	if (report->domains && report->analysis.domain)
		return command_misused(
			&command_report, "--domains has each one: leave out --domain");
	if (report->domains && !analysis_has_format(report->analysis.format))
		return command_misused(
			&command_report, "--domains has no format %s", report->analysis.format);
	if (format_find(report->analysis.format)->write_directory && !report->analysis.output)
		return command_misused(&command_report,
			"--format %s is a directory: name it with -o", report->analysis.format);
	return check_operations(report);
}

static int run(int argc, char **argv)
{
	struct report_options report = {
		.analysis = analysis_options_default(), .by = ledger_bys[0].name};
	int status = command_parse(&command_report, argc, argv, &report);

	if (!status && !report.analysis.common.done)
		status = check(&report);
	if (!status && !report.analysis.common.done) {
		report.view_options.color = report.analysis.common.color;
		report.view_options.verbose = report.analysis.common.verbose;
		report.view_options.wide = report.analysis.wide;
		report.view_options.filter = report.analysis.filter;
		report.view_options.sort = report.sort                        ? report.sort
					   : strcmp(report.by, "launch") == 0 ? "begin"
									      : "energy";
		status = load(&report);
	}
	if (report.peaks)
		g_array_unref(report.peaks);
	analysis_options_clear(&report.analysis);
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
