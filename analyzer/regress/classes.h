/* SPDX-License-Identifier: MIT */
/*
 * Classes: executions that are taken to draw the same power.  A kernel by name and shape, copies
 * and fills by call, kind and size, a graph by its signature; the same in every process.
 *
 * A class that ran for less than a ten-thousandth of the busy time, or fewer than five times and
 * for less than a hundredth of it, is slight: readings say little of it.  Where there are many
 * classes some share one power, as if they were one class, each with a power of its own about it
 * that is not known.  They are called rare: beyond the 300 longest those that ran for less than a
 * ten-thousandth, and other slight ones, the shortest first, until all rare ones have a twentieth
 * of the busy time; and all beyond the 1999 longest.
 */
#ifndef PWRTRACE_CLASSES_H
#define PWRTRACE_CLASSES_H

#include "analyzer/model/source.h"
#include "analyzer/response/columns.h"

#define CLASSES_NONE UINT32_MAX
#define CLASSES_COLUMNS_FEW 300
#define CLASSES_COLUMNS_MAX 2000
#define CLASSES_NEGLIGIBLE_PART 1e-4 /* of the busy time */
#define CLASSES_SLIGHT_EXECUTIONS 5
#define CLASSES_SLIGHT_PART 1e-2
#define CLASSES_RARE_PART 5e-2

struct kernel_class {
	const struct model_origin *origin; /* of its first execution */
	uint32_t column;                   /* of the class's power in a fit */
	bool slight, rare;
	uint64_t executions;
	uint64_t replayed; /* of them, those that are not the program's */
	double time_ns;
	double raked_ns;  /* of it, that whose energy was split by a fit */
	double static_ns; /* of that, the part that the class has of time shared equally */
	double found_j;   /* by the powers of a fit */
	double seen_j;    /* by them, raked to what they have the sensor say */
	double energy_j;  /* raked to what it said */
	struct {
		double raked_ns, static_ns, energy_j;
	} program; /* of these, without replays */
};

struct classes {
	GArray *list;           /* struct kernel_class */
	uint32_t *of_origin;    /* index in list, or CLASSES_NONE */
	guint rare;             /* how many are */
	double rare_squares;    /* the sum of the squares of their times, s² */
	struct columns columns; /* powers to find: of the classes, rare ones being one */
	uint32_t rare_columns;  /* 1 where there are rare classes; theirs is the last column */
};

/* Of what ran within the source's span on devices that it covers. */
struct classes *classes_of(const struct model *model, const struct source *source);
void classes_free(struct classes *classes);

/* The class of an execution, as an index in list, or CLASSES_NONE. */
static inline uint32_t classes_find(
	const struct classes *classes, const struct model_execution *execution)
{
	return columns_reach(&classes->columns, execution) ? classes->of_origin[execution->origin]
							   : CLASSES_NONE;
}

#endif
