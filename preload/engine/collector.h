/* SPDX-License-Identifier: MIT */
/*
 * The collector: one thread per traced process.  It takes work from the ring that launching threads
 * fill, asks when the device has finished it, and writes every event.  Work that was launched
 * before a session records the process waits.  Definitions are written again whenever recording
 * begins anew.
 */
#ifndef PWRTRACE_COLLECTOR_H
#define PWRTRACE_COLLECTOR_H

#include "preload/engine/gpu/gpu.h"

/* The body of the collector's thread, as `collect` of struct engine: it never returns.  back_ends:
 * those of all GPU APIs, ended by a NULL. */
void collector_run(const struct engine_host *host, const struct gpu_back_end *const *back_ends);

#endif
