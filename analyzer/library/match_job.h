/* SPDX-License-Identifier: MIT */
/* The state of matching a library's classes with those of a fit: match.c and its two parts share
 * it. */
#ifndef PWRTRACE_MATCH_JOB_H
#define PWRTRACE_MATCH_JOB_H

#include "analyzer/library/clocks.h"
#include "analyzer/library/library.h"

#define MATCH_NO_CLASS G_MAXUINT

struct match_job {
	const struct library *library;
	const struct model *model;
	const struct source *source;
	const struct classes *classes;
	struct library_work *work; /* by class, and the next two */
	double *median_ns;
	struct library_clock *clocks; /* by class */
	bool *found, *refused;
	GPtrArray *messages;   /* const struct library_message *: those that apply, and for each */
	GPtrArray *classes_of; /* guint *: the fit's class of each class, or MATCH_NO_CLASS */
	GHashTable *boards;    /* their numbers by name */
};

static inline const struct kernel_class *match_class_at(const struct match_job *job, guint i)
{
	return &g_array_index(job->classes->list, struct kernel_class, i);
}

static inline const struct library_class *match_told_at(
	const struct library_message *message, guint i)
{
	return &g_array_index(message->classes, struct library_class, i);
}

/* ---- a class there that is one here (match_power.c) ---- */

/* By how much, as a logarithm, executions take another time than at the clock there, where times
 * follow the clock by a part of it: 0 not at all, 1 in proportion. */
double match_time_off(const struct match_job *job, const struct library_class *told,
	guint class_index, double follows);

/* Whether executions take another time than they may at the clock here: in proportion to it, not
 * at all by it, or anything between. */
bool match_takes_other_time(
	const struct match_job *job, const struct library_class *told, guint class_index);

/* The power here over the power there. */
double match_power_ratio(
	const struct match_job *job, const struct library_class *told, guint class_index);

/* The relative standard deviation of a power from there to here. */
double match_spread(const struct match_job *job, const struct library_message *message,
	const struct library_class *told, guint class_index);

/* ---- kernels of other shapes (match_shape.c) ---- */

struct match_shape {
	const struct library_message *message;
	const struct library_class *told;
	uint32_t column;
	double ratio; /* of the power here to that there, by both sizes; 0: not known */
};

/* Among kernels of that name with other shapes in messages (const struct library_message *), the
 * one that takes the most similar time; told is NULL where there is none. */
struct match_shape match_find_other_shape(
	const struct match_job *job, const GPtrArray *messages, guint class_index);

/* Sets a row of what is remembered.  board: the number of the message's. */
void match_set_other_shape(
	const struct match_shape *shape, guint board, struct remembered *remembered, guint row);

#endif
