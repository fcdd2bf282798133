/* SPDX-License-Identifier: MIT */
/* Messages of the commands on stderr, one line each: "pwrtrace: ...".  Formats are as printf's,
 * without the newline.  Names of traces and files are given as they are: control characters are
 * escaped. */
#ifndef PWRTRACE_MESSAGE_H
#define PWRTRACE_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Set by -q: message_warn() prints nothing. */
extern bool message_quiet;

void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says, where stderr is a terminal and the process has been at it for more than a second, what is
 * being done and how much of it: a line that the next one, or a message, takes the place of.  To be
 * called often.  total: 0 where it is not known.  Who calls it calls message_progress_end() when
 * that is done, and before anything else is printed. */
void message_progress(const char *what, uint64_t done, uint64_t total);
void message_progress_end(void);

#endif
