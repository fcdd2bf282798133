/* SPDX-License-Identifier: MIT */
/* Runs: the executions of one kernel on one device between two idle stretches of it. */
#ifndef PWRTRACE_RUNS_H
#define PWRTRACE_RUNS_H

#include "analyzer/model/model.h"

struct run_execution {
	uint64_t begin_ns, end_ns;
	guint execution; /* its index in model->executions */
	guint run;       /* its index in runs->list */
	guint number;    /* in its run, from 1 */
};

struct run {
	guint first, count; /* of its executions, in runs->executions */
	uint32_t gpu;       /* index in model->gpus */
};

struct runs {
	GArray *list;       /* struct run */
	GArray *executions; /* struct run_execution, by run, then by time */
	guint longest;      /* the greatest count */
};

/* Which executions make runs. */
struct runs_wanted {
	const bool *origins; /* by origin, whether it is the kernel's */
	uint64_t gap_ns;     /* the shortest idle stretch, in which nothing ran on the device */
	guint fewest;        /* executions of a run: it is left out where it has fewer */
	bool as_launched;    /* times are the host's, from the call that launched an execution on,
			      * as they are without a comparison of the clocks */
};

/* Finds the runs of a kernel.  The caller frees the result with runs_free. */
struct runs *runs_find(const struct model *model, const struct runs_wanted *wanted);

/* Runs of one execution each, from spans (struct model_span) of a device. */
struct runs *runs_of_spans(const GArray *spans, uint32_t gpu);

void runs_free(struct runs *runs); /* NULL is fine */

static inline const struct run *runs_at(const struct runs *runs, guint i)
{
	return &g_array_index(runs->list, struct run, i);
}

static inline const struct run_execution *runs_execution(const struct runs *runs, guint i)
{
	return &g_array_index(runs->executions, struct run_execution, i);
}

static inline double runs_time_s(const struct run_execution *execution)
{
	return (double)(execution->end_ns - execution->begin_ns) / 1e9;
}

/* The median duration of each execution number, from 1 to longest, in s; of runs that are marked in
 * chosen (by run), or of all where it is NULL.  NaN where there is none.  The caller frees it with
 * g_free. */
double *runs_times_s(const struct runs *runs, const bool *chosen);

#endif
