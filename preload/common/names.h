/* SPDX-License-Identifier: MIT */
/* Comparing names of functions and libraries without libc, whose functions may not be resolved yet
 * where dlsym is called.  Any thread. */
#ifndef PWRTRACE_NAMES_H
#define PWRTRACE_NAMES_H

#include <stdbool.h>

/* Returns whether name begins with one of the prefixes, which are separated by blanks. */
static inline bool name_begins(const char *name, const char *prefixes)
{
	while (*prefixes) {
		const char *at = name;

		while (*prefixes && *prefixes != ' ' && *at == *prefixes)
			at++, prefixes++;
		if (!*prefixes || *prefixes == ' ')
			return true;
		while (*prefixes && *prefixes++ != ' ')
			;
	}
	return false;
}

/* Returns the last component of a path, which is a part of the argument. */
static inline const char *name_of_file(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '/')
			name = path + 1;
	return name;
}

#endif
