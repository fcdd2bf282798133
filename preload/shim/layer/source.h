/* SPDX-License-Identifier: MIT */
/* The sources of layers, and which of them PWRTRACE_LAYERS asks for. */
#ifndef PWRTRACE_LAYER_SOURCE_H
#define PWRTRACE_LAYER_SOURCE_H

#include <stdbool.h>

#include "preload/common/layer.h"

/* By source; all false until layer_sources_read, and where nothing is recorded. */
extern bool layer_wanted[LAYER_SOURCES];

const char *layer_source_name(enum layer_source source);

/* Fills in layer_wanted from PWRTRACE_LAYERS. */
void layer_sources_read(void);

#endif
