/* SPDX-License-Identifier: MIT */
/*
 * The collector: one thread per traced process that takes work from the launching threads' ring,
 * looks when the device has done it, and writes every event.  Launches made before some session
 * records the process wait there; definitions are written again whenever recording begins anew.
 */
#ifndef PWRTRACE_COLLECTOR_H
#define PWRTRACE_COLLECTOR_H

#include "preload/engine/gpu/gpu.h"

/* As collect of struct engine; back_ends: every GPU API's, ended by a NULL. */
void collector_run(const struct engine_host *host, const struct gpu_back_end *const *back_ends);

#endif
