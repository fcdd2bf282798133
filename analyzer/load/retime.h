/* SPDX-License-Identifier: MIT */
/*
 * Converts the times of executions from their devices' clocks to the host's.
 *
 * While recording, times are converted by the last anchor that was known then.  With all anchors of
 * the trace (clock/clock.h) they are converted again, unless the trace has only the host's times.
 * Causality limits them: an execution does not begin before its launch was called, nor end after
 * the host saw its end (waits.h).  An execution that violates these limits is shifted, with its
 * duration, by no more than its error.  Where that is not enough, the stated error was wrong, and
 * this is counted (contradicted).
 */
#ifndef PWRTRACE_RETIME_H
#define PWRTRACE_RETIME_H

#include "analyzer/load/loader.h"

/* Sets the times of all executions, model->clocks and the other fields on clocks, without_time and
 * last_ns.  To be called when all events are read and devices and waits are resolved, and before
 * executions are sorted: until then their indexes are those of loader->calls. */
void retime(struct loader *loader);

#endif
