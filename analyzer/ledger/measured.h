/* SPDX-License-Identifier: MIT */
/*
 * The times at which the power of each device is known: those at which all of its top-level domains
 * are measured, or estimated.  Executions at other times get no energy, though they took some.
 */
#ifndef PWRTRACE_MEASURED_H
#define PWRTRACE_MEASURED_H

#include "analyzer/model/source.h"

struct measured_times;

/* sources: struct source; fits: struct fit *.  Blurred intervals count as measured where their
 * source has a fit, by which their energy was divided.  Free with measured_free. */
struct measured_times *measured_new(
	const struct model *model, const GArray *sources, const GPtrArray *fits);
void measured_free(struct measured_times *measured);

/* How much of the time of an execution, in ns, has known power; all of it where it took none. */
uint64_t measured_ns(const struct measured_times *measured, const struct model *model,
	const struct model_execution *execution);

/* How much of it has not; 0 where its time is not known. */
static inline uint64_t measured_missing_ns(const struct measured_times *measured,
	const struct model *model, const struct model_execution *execution)
{
	return execution->end_ns - execution->begin_ns - measured_ns(measured, model, execution);
}

#endif
