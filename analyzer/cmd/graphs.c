/* SPDX-License-Identifier: MIT */
/* pwrtrace graphs: what the nodes of graphs cost, for runs that time graphs as units. */
#include <stdio.h>

#include "analyzer/cmd/command.h"
#include "analyzer/ledger/graph_profile.h"
#include "analyzer/load/load.h"
#include "analyzer/print/message.h"
#include "analyzer/print/output.h"

static const struct option long_options[] = {
	{"output", required_argument, NULL, 'o'},
	COMMAND_LONG_OPTIONS,
	{0},
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
	struct ledger *ledger;
	struct graph_profiles *profiles;
	bool written;

	if (!model)
		return COMMAND_BAD_INPUT;
	ledger = ledger_make(model, &(struct ledger_options){.by = "kernel"});
	profiles = graph_profiles_of(ledger);
	written = write_profiles(profiles, path);
	graph_profiles_free(profiles);
	ledger_free(ledger);
	model_free(model);
	return written ? COMMAND_FINE : COMMAND_BAD_INPUT;
}

static int run(int argc, char **argv)
{
	struct command_options options = {0};
	const char *path = NULL;
	int option;

	while ((option = getopt_long(argc, argv, "o:" COMMAND_SHORT_OPTIONS, long_options, NULL)) !=
		-1) {
		if (option == 'o')
			path = optarg;
		else if (!command_common_option(&command_graphs, &options, option))
			return command_misused_option(&command_graphs, argv);
		if (options.done)
			return COMMAND_FINE;
	}
	if (!argv[optind])
		return command_misused(&command_graphs, "no trace is named");
	return make(argv + optind, path);
}

const struct command command_graphs = {
	.name = "graphs",
	.help = "say what the nodes of graphs cost, for report --graphs",
	.usage = "usage: pwrtrace graphs [OPTION]... TRACE...\n"
		 "\n"
		 "Makes a profile of the graphs that the traces hold node by node: the time and "
		 "the\n"
		 "share of the energy of each kind of node.  pwrtrace report --graphs FILE splits\n"
		 "by it the same graphs where they were timed as units.\n"
		 "\n"
		 "  -o, --output FILE  write there\n"
		 "  -q, --quiet        say nothing but errors\n"
		 "  -v, --verbose      take -q back\n"
		 "      --help         this text\n"
		 "      --version      the version\n",
	.run = run,
};
