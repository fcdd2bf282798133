/* SPDX-License-Identifier: MIT */
#include "preload/layer/source.h"

#include <string.h>

#include "preload/conf.h"

bool layer_wanted[LAYER_SOURCES];

static const char *const names[LAYER_SOURCES] = {
#define SOURCE(word, help) [LAYER_##word] = #word,
#include "preload/layer/sources.def"
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

static bool is_known(const char *word, size_t length)
{
	for (int source = 0; source < LAYER_SOURCES; source++)
		if (strlen(names[source]) == length && memcmp(names[source], word, length) == 0)
			return true;
	return length == 0 || (length == 4 && memcmp(word, "none", 4) == 0);
}

const char *layer_sources_unknown(const char *list, size_t *length)
{
	for (;; list += *length + 1) {
		*length = strcspn(list, ",");
		if (!is_known(list, *length))
			return list;
		if (!list[*length])
			return NULL;
	}
}
