/* SPDX-License-Identifier: MIT */
#include "preload/shim/layer/source.h"

#include "preload/common/conf.h"

bool layer_wanted[LAYER_SOURCES];

static const char *const names[LAYER_SOURCES] = {
#define SOURCE(word, help) [LAYER_##word] = #word,
#include "preload/common/layer_sources.def"
#undef SOURCE
};

const char *layer_source_name(enum layer_source source)
{
	return names[source];
}

void layer_sources_read(void)
{
	for (int source = 0; source < LAYER_SOURCES; source++)
		layer_wanted[source] = conf_lists(conf.layers, names[source]);
}
