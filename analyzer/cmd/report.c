/* SPDX-License-Identifier: MIT */
/* pwrtrace report: where the joules went. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/attr/graph_profile.h"
#include "analyzer/attr/method.h"
#include "analyzer/cmd/command.h"
#include "analyzer/message.h"
#include "analyzer/output.h"
#include "analyzer/view/view.h"

struct report {
	struct command_options common;
	struct view_options view_options;
	const char *by;
	const char *format;
	const char *method;
	const char *output;
	const char *graphs;
	char *const *traces;
};

enum {
	OPTION_BY = 256,
	OPTION_FORMAT,
	OPTION_METHOD,
	OPTION_SORT,
	OPTION_TOP,
	OPTION_FILTER,
	OPTION_GRAPHS
};

static const struct option long_options[] = {
	{"by", required_argument, NULL, OPTION_BY},
	{"format", required_argument, NULL, OPTION_FORMAT},
	{"method", required_argument, NULL, OPTION_METHOD},
	{"sort", required_argument, NULL, OPTION_SORT},
	{"top", required_argument, NULL, OPTION_TOP},
	{"filter", required_argument, NULL, OPTION_FILTER},
	{"graphs", required_argument, NULL, OPTION_GRAPHS},
	{"output", required_argument, NULL, 'o'},
	COMMAND_LONG_OPTIONS,
	{0},
};

static bool parse_count(const char *text, size_t *count)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	*count = value;
	return *text >= '0' && *text <= '9' && !*end;
}

/* Returns 0, or the exit status of wrong usage. */
static int check(const struct report *report)
{
	bool by_known = false;
	char why[512];

	for (const struct ledger_by *by = ledger_bys; by->name; by++)
		by_known |= strcmp(by->name, report->by) == 0;
	if (!by_known)
		return command_misused(&command_report,
			"--by takes kernel, layer, stream, device, process or launch, not \"%s\"",
			report->by);
	if (!view_find(report->format))
		return command_misused(&command_report,
			"--format takes text, json or csv, not \"%s\"", report->format);
	if (!method_find(report->method))
		return command_misused(
			&command_report, "--method takes overlap, not \"%s\"", report->method);
	if (!view_sort_known(report->view_options.sort))
		return command_misused(&command_report,
			"--sort takes energy, share, power, time, executions, name or begin, not "
			"\"%s\"",
			report->view_options.sort);
	if (!view_filter_valid(report->view_options.filter, why, sizeof(why)))
		return command_misused(&command_report, "%s", why);
	if (!*report->traces)
		return command_misused(&command_report, "no trace is named");
	return 0;
}

static int parse(struct report *report, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "o:" COMMAND_SHORT_OPTIONS, long_options, NULL)) !=
		-1) {
		switch (option) {
		case OPTION_BY:
			report->by = optarg;
			break;
		case OPTION_FORMAT:
			report->format = optarg;
			break;
		case OPTION_METHOD:
			report->method = optarg;
			break;
		case OPTION_SORT:
			report->view_options.sort = optarg;
			break;
		case OPTION_TOP:
			if (!parse_count(optarg, &report->view_options.top))
				return command_misused(&command_report,
					"--top takes a number, not \"%s\"", optarg);
			break;
		case OPTION_FILTER:
			report->view_options.filter = optarg;
			break;
		case OPTION_GRAPHS:
			report->graphs = optarg;
			break;
		case 'o':
			report->output = optarg;
			break;
		default:
			if (!command_common_option(&command_report, &report->common, option))
				return command_misused(&command_report, "wrong usage");
			if (report->common.done)
				return 0;
		}
	}
	report->traces = argv + optind;
	if (!report->view_options.sort)
		report->view_options.sort = strcmp(report->by, "launch") == 0 ? "begin" : "energy";
	return check(report);
}

static bool write_report(const struct report *report, const struct ledger *ledger)
{
	struct output output;

	if (!output_open(&output, report->output))
		return false;
	view_find(report->format)->write(output.file, ledger, &report->view_options);
	return output_close(&output);
}

/* Says where the profile changes nothing. */
static void compare_graphs(
	const struct model *model, const struct graph_profiles *graphs, const char *path)
{
	uint64_t units = 0, known = 0;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution =
			&g_array_index(model->executions, struct model_execution, i);
		const struct model_graph *graph = model_graph_of(model, execution);

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

static int run(int argc, char **argv)
{
	struct report report = {.by = "kernel",
		.format = "text",
		.method = "overlap",
		.view_options = {.filter = ""}};
	struct graph_profiles *graphs = NULL;
	struct model *model;
	struct ledger *ledger;
	int status;

	report.common.color = command_color_default(stdout);
	status = parse(&report, argc, argv);
	if (status || report.common.done)
		return status;
	report.view_options.color = report.common.color;
	status = COMMAND_BAD_INPUT;
	if (report.graphs && !(graphs = graph_profiles_read(report.graphs)))
		return status;
	model = model_load(report.traces);
	if (model) {
		if (graphs)
			compare_graphs(model, graphs, report.graphs);
		ledger = ledger_make(model, report.method, report.by, graphs);
		if (write_report(&report, ledger))
			status = COMMAND_FINE;
		ledger_free(ledger);
		model_free(model);
	}
	if (graphs)
		graph_profiles_free(graphs);
	return status;
}

const struct command command_report = {
	.name = "report",
	.help = "say where the joules of one or more traces went",
	.usage =
		"usage: pwrtrace report [OPTION]... TRACE...\n"
		"\n"
		"Says how many joules each kernel, layer, ... of the traces cost.  Several traces "
		"are\n"
		"merged.\n"
		"\n"
		"      --by WHAT        kernel (default), layer, stream, device, process, launch\n"
		"      --format FORMAT  text (default), json, csv\n"
		"      --graphs FILE    split graphs that were timed as one unit by the profile "
		"that\n"
		"                       pwrtrace graphs made of another run\n"
		"  -o, --output FILE    write there\n"
		"      --method METHOD  overlap: measured energy split equally over what runs\n"
		"      --sort COLUMN    energy, share, power, time, executions, name, begin\n"
		"      --top N          the first N rows only\n"
		"      --filter ITEMS   KEY=VALUE or KEY~TEXT, by commas; keys: name, device, api\n"
		"      --color WHEN     auto (default), always, never\n"
		"  -q, --quiet          say nothing but errors\n"
		"      --help           this text\n"
		"      --version        the version\n",
	.run = run,
};
