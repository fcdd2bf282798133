/* SPDX-License-Identifier: MIT */
/*
 * Fits text to the width of a terminal.  Names of kernels, layers and files, which may be very
 * long, are cut in the middle, where an ellipsis stands; lines that are still too long are wrapped,
 * and their further rows indented.
 */
#ifndef PWRTRACE_TERMINAL_H
#define PWRTRACE_TERMINAL_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

/* text_put() writes these control characters around each name that may be cut; it escapes control
 * characters within names, so that these cannot be in one. */
#define TERMINAL_NAME_BEGIN '\016'
#define TERMINAL_NAME_END '\017'

/* Replaces stdout, where it is a terminal of known width, by a stream that fits what is written to
 * it, in ASCII if terminal_is_ascii().  Does nothing for pipes and files. */
void terminal_fit(void);

/* Whether out is fitted, and names in it must be marked. */
bool terminal_is_fitted(const FILE *out);

/* How many columns out is fitted to; 0: it is not. */
int terminal_columns(const FILE *out);

/* Appends line, which has no newline, as rows of at most columns (20 or more) columns, each with
 * its newline. */
void terminal_lay_out(GString *to, const char *line, int columns);

/* Whether the locale (LC_ALL, LC_CTYPE, LANG) is one without UTF-8. */
bool terminal_is_ascii(void);

/* Replaces each character of a line, valid UTF-8, that is not ASCII by some that look like it. */
void terminal_to_ascii(GString *line);

#endif
