/* SPDX-License-Identifier: MIT */
/* A sweep over time, from each beginning or end of an execution or of a replay to the next, which
 * keeps the set of executions that run. */
#ifndef PWRTRACE_SWEEP_H
#define PWRTRACE_SWEEP_H

#include "analyzer/model/source.h"

struct sweep_running {
	uint64_t end_ns;
	uint32_t execution; /* its index in model->executions */
	uint32_t own;       /* for the caller's use; 0 when the execution begins */
};

struct sweep {
	const struct model *model;
	const struct source *source;   /* only executions on devices that it covers */
	guint next;                    /* the first execution that has not begun, and when it */
	uint64_t next_begin_ns;        /* does; UINT64_MAX: all have */
	guint count;                   /* how many run */
	struct sweep_running *running; /* [count], in any order */
	guint room;                    /* elements allocated */
	guint next_replay;             /* the first of source->replays that has not ended */
	bool replaying;                /* a replay holds the program up */
};

/* Whether a replay launched one of those that run, and not the program. */
static inline bool sweep_is_replayed(const struct sweep *sweep, guint running)
{
	return model_origin_of(sweep->model,
		       model_execution_at(sweep->model, sweep->running[running].execution))
		       ->replayed != MODEL_OF_PROGRAM;
}

/* Begins a sweep at time 0; the model and the source must outlive it.  End it with sweep_end. */
void sweep_begin(struct sweep *sweep, const struct model *model, const struct source *source);

/* Sets running to the executions at now_ns, which must not decrease from call to call, and
 * replaying.  Returns when either changes next, at most until_ns. */
uint64_t sweep_step(struct sweep *sweep, uint64_t now_ns, uint64_t until_ns);

void sweep_end(struct sweep *sweep);

#endif
