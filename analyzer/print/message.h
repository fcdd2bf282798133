/* SPDX-License-Identifier: MIT */
/* Messages of the commands on stderr, one line each: "pwrtrace: ...".  Formats are as printf's,
 * without the newline. */
#ifndef PWRTRACE_MESSAGE_H
#define PWRTRACE_MESSAGE_H

#include <stdbool.h>

/* Set by -q: message_warn() prints nothing. */
extern bool message_quiet;

void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
