/* SPDX-License-Identifier: MIT */
/* pwrtrace report: where the joules went. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/attribute/method.h"
#include "analyzer/cmd/command.h"
#include "analyzer/ledger/graph_profile.h"
#include "analyzer/load/load.h"
#include "analyzer/print/message.h"
#include "analyzer/print/output.h"
#include "analyzer/print/terminal.h"
#include "analyzer/view/content/column.h"
#include "analyzer/view/content/filter.h"
#include "analyzer/view/formats.h"

enum choice { CHOICE_BY, CHOICE_FORMAT, CHOICE_METHOD, CHOICE_SORT, CHOICES };

struct report {
	struct command_options common;
	struct view_options view_options;
	const char *chosen[CHOICES];
	const char *output;
	const char *graphs;
	const char *rules;
	struct filter *filter;
	const char *iterations;
	const char *domain;
	size_t depth;
	char *const *traces;
};

static const char *by_value(size_t i)
{
	return ledger_bys[i].name;
}

static const char *format_value(size_t i)
{
	return formats[i] ? formats[i]->name : NULL;
}

static const char *method_value(size_t i)
{
	return methods[i] ? methods[i]->name : NULL;
}

static const char *sort_value(size_t i)
{
	return column_name(i);
}

static const struct command_choice choices[CHOICES + 1] = {
	[CHOICE_BY] = {"by", by_value},
	[CHOICE_FORMAT] = {"format", format_value},
	[CHOICE_METHOD] = {"method", method_value},
	[CHOICE_SORT] = {"sort", sort_value},
};

enum {
	OPTION_CHOICE = 256,
	OPTION_TOP = OPTION_CHOICE + CHOICES,
	OPTION_FILTER,
	OPTION_GRAPHS,
	OPTION_DEPTH,
	OPTION_DOMAIN,
	OPTION_WORK,
	OPTION_ITERATIONS,
	OPTION_RULES
};

static const struct option long_options[] = {
	{"by", required_argument, NULL, OPTION_CHOICE + CHOICE_BY},
	{"format", required_argument, NULL, OPTION_CHOICE + CHOICE_FORMAT},
	{"method", required_argument, NULL, OPTION_CHOICE + CHOICE_METHOD},
	{"sort", required_argument, NULL, OPTION_CHOICE + CHOICE_SORT},
	{"top", required_argument, NULL, OPTION_TOP},
	{"filter", required_argument, NULL, OPTION_FILTER},
	{"depth", required_argument, NULL, OPTION_DEPTH},
	{"domain", required_argument, NULL, OPTION_DOMAIN},
	{"graphs", required_argument, NULL, OPTION_GRAPHS},
	{"iterations", required_argument, NULL, OPTION_ITERATIONS},
	{"rules", required_argument, NULL, OPTION_RULES},
	{"output", required_argument, NULL, 'o'},
	{"work", required_argument, NULL, OPTION_WORK},
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
	for (int i = 0; i < CHOICES; i++)
		if (report->chosen[i] &&
			command_check_choice(&command_report, &choices[i], report->chosen[i]))
			return COMMAND_BAD_USAGE;
	if (!*report->traces)
		return command_misused(&command_report, "no trace is named");
	return 0;
}

/* Returns 0, or the exit status of wrong usage. */
static int take_filter(struct report *report, const char *expression)
{
	char *why;
	int status = 0;

	filter_free(report->filter);
	report->filter = filter_parse(expression, &why);
	if (!report->filter)
		status = command_misused(&command_report, "%s", why);
	g_free(why);
	return status;
}

/* Returns 0, or the exit status of wrong usage. */
static int take_number(const char *option, size_t *number)
{
	if (!parse_count(optarg, number))
		return command_misused(
			&command_report, "--%s takes a number, not \"%s\"", option, optarg);
	return 0;
}

/* Returns 0, or the exit status of wrong usage. */
static int take_option(struct report *report, int option, char *const *argv)
{
	switch (option) {
	case OPTION_CHOICE ... OPTION_CHOICE + CHOICES - 1:
		report->chosen[option - OPTION_CHOICE] = optarg;
		return 0;
	case OPTION_TOP:
		return take_number("top", &report->view_options.top);
	case OPTION_DEPTH:
		return take_number("depth", &report->depth);
	case OPTION_DOMAIN:
		report->domain = optarg;
		return 0;
	case OPTION_ITERATIONS:
		report->iterations = optarg;
		return 0;
	case OPTION_WORK:
		if (!work_parse(optarg, &report->view_options.work))
			return command_misused(&command_report,
				"--work takes an amount with its unit, like \"128 token\", not "
				"\"%s\"",
				optarg);
		return 0;
	case OPTION_FILTER:
		return take_filter(report, optarg);
	case OPTION_GRAPHS:
		report->graphs = optarg;
		return 0;
	case OPTION_RULES:
		report->rules = optarg;
		return 0;
	case 'o':
		report->output = optarg;
		return 0;
	default:
		if (!command_common_option(&command_report, &report->common, option))
			return command_misused_option(&command_report, argv);
		return 0;
	}
}

/* Returns 0, or the exit status of wrong usage. */
static int parse(struct report *report, int argc, char **argv)
{
	int option, status;

	while ((option = getopt_long(argc, argv, "o:" COMMAND_SHORT_OPTIONS, long_options, NULL)) !=
		-1) {
		status = take_option(report, option, argv);
		if (status || report->common.done)
			return status;
	}
	report->traces = argv + optind;
	if (!report->chosen[CHOICE_SORT])
		report->chosen[CHOICE_SORT] =
			strcmp(report->chosen[CHOICE_BY], "launch") == 0 ? "begin" : "energy";
	return check(report);
}

static bool write_report(const struct report *report, const struct ledger *ledger)
{
	const struct format *format = format_find(report->chosen[CHOICE_FORMAT]);
	struct output output;

	if (format == &format_text && !report->output)
		terminal_fit();
	if (!output_open(&output, report->output))
		return false;
	format->write(output.file, ledger, &report->view_options);
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

/* Whether some sensor measures what is asked for; says so where none does. */
static bool check_domain(const struct report *report, const struct model *model)
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
static int make(const struct report *report, struct model *model, struct graph_profiles *graphs)
{
	struct ledger *ledger =
		ledger_make(model, &(struct ledger_options){.method = report->chosen[CHOICE_METHOD],
					   .by = report->chosen[CHOICE_BY],
					   .domain = report->domain,
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
	return written ? COMMAND_FINE : COMMAND_BAD_INPUT;
}

static int load(const struct report *report)
{
	struct graph_profiles *graphs = NULL;
	struct rules *rules = NULL;
	struct model *model = NULL;
	int status = COMMAND_BAD_INPUT;

	if ((!report->graphs || (graphs = graph_profiles_read(report->graphs))) &&
		(!report->rules || (rules = rules_read(report->rules))))
		model = load_traces(report->traces,
			&(struct load_options){
				.layers = strcmp(report->chosen[CHOICE_BY], "layer") == 0,
				.stacks = strcmp(report->chosen[CHOICE_BY], "stack") == 0,
				.rules = rules});
	if (model) {
		if (check_domain(report, model))
			status = make(report, model, graphs);
		model_free(model);
	}
	rules_free(rules);
	if (graphs)
		graph_profiles_free(graphs);
	return status;
}

static int run(int argc, char **argv)
{
	struct report report = {.chosen = {"kernel", "text", NULL, NULL}};
	int status;

	report.common.color = command_color_default(stdout);
	status = parse(&report, argc, argv);
	if (!status && !report.common.done) {
		report.view_options.color = report.common.color;
		report.view_options.verbose = report.common.verbose;
		report.view_options.sort = report.chosen[CHOICE_SORT];
		report.view_options.filter = report.filter;
		status = load(&report);
	}
	filter_free(report.filter);
	return status;
}

const struct command command_report = {
	.name = "report",
	.help = "say where the joules of one or more traces went",
	.usage = "usage: pwrtrace report [OPTION]... TRACE...\n"
		 "\n"
		 "Says how many joules each kernel, layer, ... of the traces cost.  Several traces "
		 "are\n"
		 "merged.\n"
		 "\n"
		 "      --by WHAT        kernel (default), layer, stream, device, process, stack,\n"
		 "                       launch\n"
		 "      --format FORMAT  text (default), json, csv, folded\n"
		 "      --graphs FILE    split graphs that were timed as one unit by the profile "
		 "that\n"
		 "                       pwrtrace graphs made of another run\n"
		 "      --rules FILE     layers for what is in none, by functions and kernels\n"
		 "  -o, --output FILE    write there\n"
		 "      --method METHOD  regress (default where a sensor measured), overlap, "
		 "linear, "
		 "hold\n"
		 "      --sort COLUMN    energy, share, power, time, executions, name, begin ...\n"
		 "      --top N          the first N rows only\n"
		 "      --filter EXPR    rows of which it is true, like 'name ~ \"gemm\" && energy "
		 "> "
		 "1mJ'\n"
		 "      --depth N        by layer: deeper ones are part of the one that they are "
		 "in\n"
		 "      --domain DOMAIN  the joules of a part of the device, as \"memory\"\n"
		 "      --iterations NAME\n"
		 "                       by layer: the mark or layer that tells them apart\n"
		 "      --work AMOUNT    what the program did in all, as 2097152token\n"
		 "      --color WHEN     auto (default), always, never\n"
		 "  -q, --quiet          say nothing but errors\n"
		 "  -v, --verbose        all that is known of how far to trust it\n"
		 "      --help           this text\n"
		 "      --version        the version\n",
	.choices = choices,
	.run = run,
};
