/* SPDX-License-Identifier: MIT */
/*
 * Time against energy: which of several ways to do the same work is worth its time and its energy.
 *
 * A point is on the frontier (it is Pareto optimal) unless another one of its group takes no more
 * of both time and energy, and less of one.  Of those on it, a goal chooses one:
 *
 *	deadline, slack	the least energy within a time, or within that of the fastest and a part
 *			more (Perseus, SOSP 2024)
 *	weight		the least η E + (1 - η) P t, P being the power limit (Zeus, NSDI 2023)
 *	budget		the fastest whose mean power, E / t, is within a power
 */
#ifndef PWRTRACE_FRONTIER_H
#define PWRTRACE_FRONTIER_H

#include <glib.h>
#include <stdbool.h>

/* One way to do a unit of the work of its group. */
struct frontier_point {
	char *group, *label; /* what its time and energy are of, as a kernel, and what people call
			      * it; "": the whole */
	char *name;          /* the trace, or what the user calls it */
	GArray *tags;        /* struct frontier_tag */
	double time_s, energy_j; /* known, and the time is above 0 */
	double ci95_s, ci95_j;   /* half the 95 % intervals; NaN: not known */
	bool modelled;           /* not timed itself */
	bool frontier;
	bool maybe;   /* whether it is on the frontier is not sure, for the intervals */
	guint better; /* the index of one that takes no more of both; FRONTIER_NONE: there is none
		       */
	bool chosen;
};

struct frontier_tag {
	char *key, *value;
};

#define FRONTIER_NONE G_MAXUINT

enum frontier_aim { AIM_NONE, AIM_DEADLINE, AIM_SLACK, AIM_WEIGHT, AIM_BUDGET };

struct frontier_goal {
	enum frontier_aim aim;
	double deadline_s, slack; /* slack: a part of the fastest's time */
	double weight, limit_w;   /* weight: η, from 0 to 1 */
	double budget_w;
};

/* Points (struct frontier_point), with all that they point to; free with g_array_unref. */
GArray *frontier_points_new(void);

/* Adds a point with copies of these strings, and without tags.  name may be any bytes, as the name
 * of a directory or a field of a file. */
void frontier_add(GArray *points, const struct frontier_point *point, const char *group,
	const char *label, const char *name);

/* Adds a tag to the last point. */
void frontier_add_tag(GArray *points, const char *key, const char *value);

/* Sorts points by group, in the order in which groups first appear, then by time and energy, and
 * sets frontier, maybe, better.  An interval that is not known may be of any width; but where no
 * point has one of the time, or of the energy, that is taken as exact. */
void frontier_mark(GArray *points);

/* The end of the group that begins at a point. */
guint frontier_group_end(const GArray *points, guint begin);

/* Sets chosen of that point of the group at begin which serves a goal best.  Returns its index;
 * FRONTIER_NONE where none does, with one line in *why, which the caller frees. */
guint frontier_choose(GArray *points, guint begin, const struct frontier_goal *goal, char **why);

/* The fastest point of the group at begin. */
const struct frontier_point *frontier_fastest(const GArray *points, guint begin);

static inline struct frontier_point *frontier_at(const GArray *points, guint i)
{
	return &g_array_index(points, struct frontier_point, i);
}

#endif
