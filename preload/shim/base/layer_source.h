/* SPDX-License-Identifier: MIT */
/* The sources of layers: which of them PWRTRACE_LAYERS asks for, and those that come to us as the
 * tool that an environment variable names (tool.h). */
#ifndef PWRTRACE_LAYER_SOURCE_H
#define PWRTRACE_LAYER_SOURCE_H

#include <stdbool.h>

#include "preload/common/layer.h"

/* By source; all false until layer_sources_read, and where nothing is recorded. */
extern bool layer_wanted[LAYER_SOURCES];

/* The source's word in PWRTRACE_LAYERS and in the trace. */
const char *layer_source_word(enum layer_source source);

/* Fills in layer_wanted from PWRTRACE_LAYERS. */
void layer_sources_read(void);

/* Names ourselves in the variables of the wanted sources, but where another tool is named. */
void layer_sources_offer_tool(void);

/* The tool that the variable of a wanted source names in our place, or NULL. */
const char *layer_source_other_tool(enum layer_source source);

/* Tells the user which wanted sources another tool has. */
void layer_sources_say_other_tools(void);

#endif
