/* SPDX-License-Identifier: MIT */
/*
 * The words of a kernel's full name, which tell it from others: those of its template arguments and
 * parameters, without the namespaces before them and without what a compiler calls lambdas.
 */
#ifndef PWRTRACE_WORDS_H
#define PWRTRACE_WORDS_H

#include <glib.h>

#define WORDS_OPERATIONS 2 /* at most so many are told */

struct words {
	GPtrArray *all;        /* char *, in order */
	GPtrArray *operations; /* char *: functions and functors among the template arguments, in
				* order, without prefixes and suffixes that all of them have */
};

/* Takes the full name of a kernel apart.  short_name is a part of it, behind which the words begin;
 * where it is none, they are those of the whole name.  Free with words_free. */
struct words *words_of(const char *full, const char *short_name);
void words_free(void *words);

/* The own name of a function, behind its namespaces; it lies in short_name. */
const char *words_own_name(const char *short_name);

/* A copy of a name without the mark of namespaces that have no name; free with g_free. */
char *words_without_unnamed(const char *name);

#endif
