/* SPDX-License-Identifier: MIT */
/* Names, which other people chose, as text that does no harm to a report or a terminal. */
#ifndef PWRTRACE_TEXT_H
#define PWRTRACE_TEXT_H

#include <stdint.h>
#include <stdio.h>

/* Returns a copy that is UTF-8: bytes that are none stand as \xNN.  g_free it. */
char *text_valid(const char *bytes);

/* What an event calls a process, a device or a stream, in digits, or "unknown"; returns the text.
 */
#define TEXT_ID 16
const char *text_id(char text[TEXT_ID], uint32_t id);

/* Writes valid text on one line and without effects on a terminal: control characters are escaped
 * as in C. */
void text_put(FILE *out, const char *text);

/* Writes a line so, and ends it. */
void text_put_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
