/* SPDX-License-Identifier: MIT */
/* A vendor's library, found at run time and never linked. */
#ifndef PWRTRACE_SENSORS_LIBRARY_H
#define PWRTRACE_SENSORS_LIBRARY_H

#include <stddef.h>

/* Opens a library and fills table, of count pointers, with its functions, by their names.  what:
 * where the library comes from.  Returns 0, or -1 with one line in why (LOAD_WHY_MAX bytes). */
int library_open(const char *library, const char *const *names, size_t count, void *table,
	const char *what, char *why);

#endif
