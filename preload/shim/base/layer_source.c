/* SPDX-License-Identifier: MIT */
#include "preload/shim/base/layer_source.h"

#include <stddef.h>

#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/shim/base/tool.h"

bool layer_wanted[LAYER_SOURCES];

static const struct {
	const char *word, *name;
	const char *variable; /* NULL: none */
} rows[LAYER_SOURCES] = {
#define SOURCE(word, name, variable, help) [LAYER_##word] = {#word, name, variable},
#include "preload/common/layer_sources.def"
#undef SOURCE
};

const char *layer_source_word(enum layer_source source)
{
	return rows[source].word;
}

void layer_sources_read(void)
{
	for (int source = 0; source < LAYER_SOURCES; source++)
		layer_wanted[source] = conf_lists(conf.layers, rows[source].word);
}

void layer_sources_offer_tool(void)
{
	for (int source = 0; source < LAYER_SOURCES; source++)
		if (layer_wanted[source] && rows[source].variable)
			tool_offer(rows[source].variable);
}

const char *layer_source_other_tool(enum layer_source source)
{
	return layer_wanted[source] && rows[source].variable ? tool_other(rows[source].variable)
							     : NULL;
}

void layer_sources_say_other_tools(void)
{
	for (int source = 0; source < LAYER_SOURCES; source++) {
		const char *other = layer_source_other_tool(source);

		if (other)
			log_notice("%s is another tool's (%s): %s makes no layers",
				rows[source].variable, other, rows[source].name);
	}
}
