/* SPDX-License-Identifier: MIT */
/*
 * The collector: one thread per traced process that takes work from the launching threads' ring,
 * looks when the device has done it, and writes every event.  Launches made before some session
 * records the process wait there; definitions are written again whenever recording begins anew.
 */
#ifndef PWRTRACE_COLLECTOR_H
#define PWRTRACE_COLLECTOR_H

#include <stdint.h>

#include "preload/common/engine.h"

/* These stand in struct engine, which says what they do. */
void collector_run(const struct engine_host *host);
void collector_end(uint64_t deadline_ns);

#endif
