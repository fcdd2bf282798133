/* SPDX-License-Identifier: MIT */
/*
 * Text that fits a terminal: no line is longer than it is wide.  Names of other people's making are
 * cut in the middle, where "…" then stands; what still does not fit goes on below, indented.
 */
#ifndef PWRTRACE_TERMINAL_H
#define PWRTRACE_TERMINAL_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

/* Around names in such text; both are control characters, which text_put escapes within them. */
#define TERMINAL_NAME_BEGIN '\016'
#define TERMINAL_NAME_END '\017'

/* Where the standard output is a terminal, what is written to it from here on fits it.  Pipes and
 * files get everything, as does a terminal that does not say how wide it is. */
void terminal_fit(void);

/* Whether names in what is written to out are to be marked. */
bool terminal_is_fitted(const FILE *out);

/* Appends a line, without its end, as it fits so many columns, 20 or more: lines with their ends.
 */
void terminal_lay_out(GString *to, const char *line, int columns);

#endif
