/* SPDX-License-Identifier: MIT */
/* Completes a model, when all events have been read. */
#ifndef PWRTRACE_RESOLVE_H
#define PWRTRACE_RESOLVE_H

#include "analyzer/load/load.h"
#include "analyzer/load/loader.h"

/* Sets in the loader's model what depends on several events: which devices of processes are the
 * same, the times of executions and their order, replays, layers by rules, call paths, and parts of
 * kernels.  Returns false where load_options.divide does. */
bool resolve(struct loader *loader, const struct load_options *options);

#endif
