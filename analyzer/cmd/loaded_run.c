/* SPDX-License-Identifier: MIT */
#include "analyzer/cmd/loaded_run.h"

#include "analyzer/view/content/filter.h"

static bool passes(const void *filter, const struct ledger *ledger, const struct ledger_row *row)
{
	return !filter || filter_passes(filter, ledger, row);
}

struct loaded_run *loaded_run_new(
	const struct analysis_options *options, const char *trace, size_t depth)
{
	struct loaded_run *loaded = g_new0(struct loaded_run, 1);

	if (!analysis_begin(&loaded->analysis, options, (char *const[]){(char *)trace, NULL},
		    &(struct load_options){.layers = true})) {
		g_free(loaded);
		return NULL;
	}
	loaded->kernels =
		ledger_make(loaded->analysis.attribution, &(struct ledger_options){.by = "kernel"});
	loaded->layers = ledger_make(loaded->analysis.attribution,
		&(struct ledger_options){.by = "layer", .depth = (guint)MIN(depth, G_MAXUINT)});
	loaded->run = compare_run_new(loaded->kernels, loaded->layers, passes, options->filter);
	return loaded;
}

void loaded_run_free(void *data)
{
	struct loaded_run *loaded = data;

	compare_run_free(loaded->run);
	ledger_free(loaded->layers);
	ledger_free(loaded->kernels);
	analysis_end(&loaded->analysis);
	g_free(loaded);
}
