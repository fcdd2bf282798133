/* SPDX-License-Identifier: MIT */
/* What follows from all events together, once they have been read. */
#ifndef PWRTRACE_RESOLVE_H
#define PWRTRACE_RESOLVE_H

#include "analyzer/load/load.h"
#include "analyzer/load/loader.h"

/* Settles in the loader's model which devices of processes are the same, times, layers, replays and
 * call paths; nothing changes afterwards. */
void resolve(struct loader *loader, const struct load_options *options);

#endif
