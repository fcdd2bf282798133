/* SPDX-License-Identifier: MIT */
/*
 * How many operations an execution of a kernel does, and how many bytes it moves, as a file says,
 * which has a line for each: a pattern with * and ?, and two numbers, which may be products.
 *
 *	kernel  *tile128*  2*1024*128000*1024  526385152
 *
 * pwrtrace-report(1) describes it.
 */
#ifndef PWRTRACE_OPERATIONS_H
#define PWRTRACE_OPERATIONS_H

#include <stdbool.h>

/* Of one execution. */
struct operation_counts {
	double operations, bytes; /* 0 or more */
};

struct operations;

/* Reads such a file; free with operations_free.  Returns NULL after an error message with the
 * number of the line that is wrong. */
struct operations *operations_read(const char *path);
void operations_free(struct operations *operations); /* NULL is fine */

/* What the first line says whose pattern fits the kernel's full name, its short name, or its full
 * name with the shape behind it; NULL where none fits. */
const struct operation_counts *operations_find(const struct operations *operations,
	const char *name, const char *short_name, const char *shape);

#endif
