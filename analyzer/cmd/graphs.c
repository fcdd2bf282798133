/* SPDX-License-Identifier: MIT */
/* pwrtrace graphs: what the nodes of graphs cost, for runs that time graphs as units. */
#include <stdio.h>

#include "analyzer/cmd/command.h"
#include "analyzer/ledger/graph_profile.h"
#include "analyzer/load/load.h"
#include "analyzer/print/message.h"
#include "analyzer/print/output.h"

/* The options, for command_parse. */
struct graphs_options {
	struct command_options common;
	const char *output;
};

static bool write_profiles(const struct graph_profiles *profiles, const char *path)
{
	struct output output;

	if (profiles->left_out)
		message_warn("graphs left out, because not every kind of their nodes was timed: "
			     "%" G_GUINT64_FORMAT,
			profiles->left_out);
	if (!profiles->graphs->len) {
		message_error("no graph was timed node by node; record with --graphs node");
		return false;
	}
	if (!output_open(&output, path))
		return false;
	graph_profiles_write(output.file, profiles);
	return output_close(&output);
}

static int make(char *const *traces, const char *path)
{
	struct model *model = load_traces(traces, &(struct load_options){0});
	struct attribution *attribution;
	struct ledger *ledger;
	struct graph_profiles *profiles;
	bool written;

	if (!model)
		return COMMAND_BAD_INPUT;
	attribution = attribution_new(model, &(struct attribution_options){0});
	ledger = ledger_make(attribution, &(struct ledger_options){.by = "kernel"});
	profiles = graph_profiles_of(ledger);
	written = write_profiles(profiles, path);
	graph_profiles_free(profiles);
	ledger_free(ledger);
	attribution_free(attribution);
	model_free(model);
	return written ? COMMAND_FINE : COMMAND_BAD_INPUT;
}

static int run(int argc, char **argv)
{
	struct graphs_options chosen = {0};
	int status = command_parse(&command_graphs, argc, argv, &chosen);

	if (status || chosen.common.done)
		return status;
	return make(chosen.common.arguments, chosen.output);
}

static const struct command_option options[] = {
	{"output", 'o', "FILE", "write there", .take = command_take_text,
		.offset = offsetof(struct graphs_options, output)},
	{0},
};

const struct command command_graphs = {
	.name = "graphs",
	.help = "say what the nodes of graphs cost, for report --graphs",
	.synopsis = (const char *const[]){"[OPTION]... TRACE...", NULL},
	.about = "Makes a profile of the graphs that the traces hold node by node: the time "
		 "and the share of the energy of each kind of node.  pwrtrace report --graphs "
		 "FILE splits by it the same graphs where they were timed as units.",
	.options = options,
	.traces = true,
	.run = run,
};
