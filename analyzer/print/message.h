/* SPDX-License-Identifier: MIT */
/* What the commands say on stderr: one line each, "pwrtrace: ...". */
#ifndef PWRTRACE_MESSAGE_H
#define PWRTRACE_MESSAGE_H

#include <stdbool.h>

/* -q: errors only. */
extern bool message_quiet;

void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
