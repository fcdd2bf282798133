/* SPDX-License-Identifier: MIT */
/* Goes through time from one beginning or end of an execution to the next. */
#ifndef PWRTRACE_SWEEP_H
#define PWRTRACE_SWEEP_H

#include "analyzer/model/source.h"

struct sweep_running {
	uint64_t end_ns;
	uint32_t execution; /* its index */
	uint32_t own;       /* the caller's, 0 when it begins */
};

struct sweep {
	const struct model *model;
	const struct source *source; /* executions on devices that it covers */
	guint next;                  /* the first execution that has not begun */
	guint count;                 /* how many run */
	struct sweep_running *running;
	guint room;
};

void sweep_begin(struct sweep *sweep, const struct model *model, const struct source *source);

/* Sets running to what runs at now_ns, which must not decrease, and returns until when that stays
 * so; at most until_ns. */
uint64_t sweep_step(struct sweep *sweep, uint64_t now_ns, uint64_t until_ns);

void sweep_end(struct sweep *sweep);

#endif
