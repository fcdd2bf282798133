/* SPDX-License-Identifier: MIT */
/* Makes text from a trace safe to print: valid UTF-8, without control characters. */
#ifndef PWRTRACE_TEXT_H
#define PWRTRACE_TEXT_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* Returns a copy in valid UTF-8, in which bytes that are not stand as \xNN.  The caller frees it
 * with g_free. */
char *text_valid(const char *bytes);

/* Fills text with an id of an event (a pid, a device, a stream) in digits, or "unknown" where it is
 * PWRTRACE_UNKNOWN_U32.  Returns text. */
#define TEXT_ID 16
const char *text_id(char text[TEXT_ID], uint32_t id);

/* Writes a name in valid UTF-8, with control characters escaped as in C, and marked where out is a
 * fitted terminal (terminal.h). */
void text_put(FILE *out, const char *text);

/* How many characters text_put writes of a name, marks left out. */
int text_width(const char *text);

/* Formats a line as printf does, and writes it in valid UTF-8, with control characters escaped, and
 * a newline. */
void text_put_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_put_line_of(FILE *out, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

#endif
