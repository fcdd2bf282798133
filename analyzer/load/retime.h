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

#include "analyzer/clock/clock.h"
#include "analyzer/model/model.h"

/* Once all is read and devices and waits are resolved, before executions are sorted.  Frees
 * raw_times and seen; sets what the model says of clocks, without_time and when each trace ends. */
void retime(struct model *model);

/* device: as the process calls it. */
typedef void clock_visitor(
	const struct model_process *process, uint32_t device, struct clock *clock, void *data);

/* Visits the clocks of each device that has any, process by process. */
void retime_each_clock(const struct model *model, clock_visitor *visit, void *data);

#endif
