/* SPDX-License-Identifier: MIT */
/*
 * Classes of executions that are taken to draw the same power: kernels of one name, shape and size
 * of work (model/origin.h), those of collectives by kind and bytes too, copies and fills of one
 * call, kind and size, graphs of one signature, in all processes; and of these each part that an
 * analysis told apart (origin.h).
 *
 * A class that ran for less than a ten-thousandth of the busy time, or fewer than five times and
 * for less than a hundredth of it, is slight: readings contain little of it. Where there are many
 * classes, some of them share one fitted power, about which their own powers differ by an unknown
 * amount.  They are called rare: beyond the 300 longest those that ran for less than a
 * ten-thousandth, and other slight ones, the shortest first, until all rare ones have a twentieth
 * of the busy time; and all beyond the 1999 longest.
 */
#ifndef PWRTRACE_CLASSES_H
#define PWRTRACE_CLASSES_H

#include "analyzer/model/source.h"
#include "analyzer/response/columns.h"

#define CLASSES_NONE UINT32_MAX
#define CLASSES_COLUMNS_FEW 300      /* up to so many have powers of their own: time allows it */
#define CLASSES_COLUMNS_MAX 2000     /* powers at most: the matrix has 32 MB */
#define CLASSES_NEGLIGIBLE_PART 1e-4 /* of the busy time */
#define CLASSES_SLIGHT_EXECUTIONS 5  /* fewer, with less than the next part, are slight */
#define CLASSES_SLIGHT_PART 1e-2     /* of the busy time */
#define CLASSES_RARE_PART 5e-2       /* of the busy time: rare ones have no more in all */

struct kernel_class {
	const struct model_origin *origin; /* of its first execution */
	uint32_t column;                   /* of the class's power in a fit */
	bool slight, rare;
	uint64_t executions;
	uint64_t replayed; /* of them, those that are not the program's */
	double time_ns;
	double raked_ns;  /* of it, the time whose energy was divided by a fit */
	double static_ns; /* of that, its share of time that several shared */
	double found_j;   /* by the fitted powers alone */
	double seen_j;    /* by them, raked to the readings that they predict */
	double energy_j;  /* by them, raked to the measured readings */
	struct {
		double raked_ns, static_ns, energy_j;
	} program; /* the same without replays */
};

/* How the executions of an origin, if a replay's, compare with the program's of the same class. */
struct pace {
	double ratio;  /* what their durations are multiplied by, so that they differ from the
			* program's by the clock alone; 1 for the program's */
	double spread; /* by how much the program's durations spread more than the replay's: the
			* root of what the squares of both spreads differ by, which are half of the
			* logarithm of the ratio of the quantiles 5/6 and 1/6; 0 where they do not
			*/
};

struct classes {
	GArray *list;           /* struct kernel_class */
	uint32_t *of_origin;    /* index in list, or CLASSES_NONE */
	struct pace *paces;     /* by origin, by paces_find, or NULL; owned */
	guint rare;             /* the number of rare classes */
	double rare_squares;    /* the sum of the squares of their times, s² */
	struct columns columns; /* the powers of a fit; rare classes share one */
	uint32_t rare_columns;  /* 1 where there are rare classes; theirs is the last column */
	uint32_t *replayed_of;  /* by column: its number among the replayed ones, or CLASSES_NONE */
	uint32_t replayed;      /* the number of columns that the program and a replay ran */
};

/* The classes of the executions within the source's span on the devices that it covers; both are
 * borrowed.  classes_free them. */
struct classes *classes_of(const struct model *model, const struct source *source);
void classes_free(struct classes *classes);

/* The class of an execution, as an index in list, or CLASSES_NONE. */
static inline uint32_t classes_find(
	const struct classes *classes, const struct model_execution *execution)
{
	return columns_reach(&classes->columns, execution) ? classes->of_origin[execution->origin]
							   : CLASSES_NONE;
}

/* How long an execution took; of a replay, how long the program's would have taken at the replay's
 * clock. */
static inline double classes_length_ns(
	const struct classes *classes, const struct model_execution *execution)
{
	return (classes->paces ? classes->paces[execution->origin].ratio : 1) *
	       (double)(execution->end_ns - execution->begin_ns);
}

/* Whether a class has executions of both the program and replays. */
static inline bool class_is_replayed(const struct kernel_class *class)
{
	return class->replayed > 0 && class->replayed < class->executions;
}

#endif
