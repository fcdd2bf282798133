/* SPDX-License-Identifier: MIT */
/* Points of time and energy of runs. */
#ifndef PWRTRACE_TRACE_POINTS_H
#define PWRTRACE_TRACE_POINTS_H

#include "analyzer/compare/labels.h"
#include "analyzer/frontier/frontier.h"

/* What time and energy, idle energy included, are of. */
enum frontier_per {
	PER_RUN,
	PER_ITERATION, /* the mean of all but each process's first */
	PER_WORK,      /* one of a unit of work */
	PER_MARK,      /* one of each unit of work: a group each */
	PER_TARGET,    /* until a mark first has a value */
	PER_KERNEL,    /* an execution: a group each, without idle energy */
	PER_LAYER,     /* an opening: likewise */
};

/* A value that a mark is to reach, as "accuracy>=0.76". */
struct frontier_target {
	char *mark;
	bool least;  /* it is to be at least the value; else at most */
	bool beyond; /* and not equal */
	double value;
};

/* Returns false where the text is none; else free with frontier_target_clear. */
bool frontier_target_parse(const char *text, struct frontier_target *target);
void frontier_target_clear(struct frontier_target *target);

struct frontier_measure {
	enum frontier_per per;
	const char *unit;              /* for PER_WORK */
	struct frontier_target target; /* for PER_TARGET; its mark is NULL without */
	const char *tag; /* traces with unlike values of it are groups of their own; NULL: one group
			  */
};

/* Whether a run has iterations whose energy is known, so that points can be per iteration. */
bool trace_points_per_iteration(const struct compare_run *run);

/* Adds the points of a run, which the user knows by a name, with the tags of its trace.  Returns
 * NULL, or why it has none: a message without the trace's name, which the caller frees. */
char *trace_points_add(GArray *points, const struct compare_run *run, const char *name,
	const struct kernel_labels *labels, const struct frontier_measure *measure);

#endif
