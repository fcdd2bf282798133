/* SPDX-License-Identifier: MIT */
/* Names of layers as programs give them, of any length and encoding. */
#ifndef PWRTRACE_LAYER_NAME_H
#define PWRTRACE_LAYER_NAME_H

#include <stddef.h>
#include <wchar.h>

/* Appends text to the length bytes in buffer, of which size are there, with a NUL behind.  What
 * does not fit is cut between two characters and ends in an ellipsis.  Returns the new length. */
size_t name_append(char *buffer, size_t length, size_t size, const char *text);

/* Writes a wide string as UTF-8, cut likewise; returns buffer.  NULL stays NULL. */
const char *name_of_wide(char *buffer, size_t size, const wchar_t *text);

#endif
