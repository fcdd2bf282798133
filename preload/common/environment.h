/* SPDX-License-Identifier: MIT */
/* Copies of the environment: environ itself is the program's, and other threads may be reading it.
 */
#ifndef PWRTRACE_ENVIRONMENT_H
#define PWRTRACE_ENVIRONMENT_H

#include <stddef.h>

/* Returns an array for free() with the entries of environ behind room that the caller fills in,
 * NULL at its end; or NULL where memory is short.  It lacks the variables whose names are in
 * without, which a NULL ends.  The entries are borrowed. */
char **environment_copy(size_t room, const char *const *without);

#endif
