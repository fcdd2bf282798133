/* SPDX-License-Identifier: MIT */
/*
 * The times of executions, from those of their devices' clocks.
 *
 * While recording they are moved to the host's clock by the last anchor that was known then.  With
 * all anchors at hand (clock.h) they are moved anew, but for those that were on the host's clock
 * from the beginning: within what causality leaves, for nothing begins before it was launched or
 * ends after the host had seen that it was over (waits.h).  What seems to all the same is moved by
 * as much as its clock may be off, its duration kept, and no more: what is left disproves the error
 * that was stated, and is counted.
 */
#ifndef PWRTRACE_RETIME_H
#define PWRTRACE_RETIME_H

#include "analyzer/load/loader.h"

/* Once all is read and devices and waits are resolved, before executions are sorted: sets what the
 * model says of clocks, without_time and when each trace ends. */
void retime(struct loader *loader);

#endif
