/* SPDX-License-Identifier: MIT */
/*
 * When the power of each device is known: where every domain of it that is in the totals has been
 * measured, or estimated.  What runs at other times gets no energy, which is not to say that it
 * took none.
 */
#ifndef PWRTRACE_MEASURED_H
#define PWRTRACE_MEASURED_H

#include "analyzer/model/source.h"

struct measured_times;

/* Of sources (struct source), after attribution.  fits (struct fit): they divide energy of which
 * only the sum over some time is known; without one, such time is not measured. */
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
