/* SPDX-License-Identifier: MIT */
/* Makes text safe for a terminal: names of programs, files and devices are anybody's. */
#ifndef PWRTRACE_PLAIN_H
#define PWRTRACE_PLAIN_H

#include <stddef.h>

/* Copies text, as far as it fits into size bytes with its NUL, in valid UTF-8: control characters
 * and bytes that are not UTF-8 become escapes as in C, as in reports.  Returns its length. */
size_t plain_copy(char *to, size_t size, const char *text);

#endif
