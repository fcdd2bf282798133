/* SPDX-License-Identifier: MIT */
/*
 * One line on the standard error output, "pwrtrace: ...", by one write(2): no stdio, no allocation,
 * errno unchanged.  Nothing is written where descriptor 2 is no longer what it was when log_init
 * ran, so that a program that closes stderr and opens a file in its place keeps its file clean.
 * Control characters of names are escaped (plain.h).
 */
#ifndef PWRTRACE_LOG_H
#define PWRTRACE_LOG_H

#include <stdbool.h>

enum log_level { LOG_ERROR, LOG_NOTICE, LOG_DEBUG };

/* Remembers descriptor 2 and the level of PWRTRACE_LOG (conf_read first). */
void log_init(void);

/* The engine has a copy of its own of this file: it takes over what the shim's remembers. */
struct log_state;
const struct log_state *log_state(void);
void log_take(const struct log_state *state);

void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Shows a line of progress from the cursor on, in place of the one before, and leaves the cursor
 * where it was: what the program has written of a line stays, and what it writes next is written
 * over ours. Replaced ten times a second at most, and only written if descriptor 2 is a terminal in
 * whose foreground we are.  Returns whether it is.  log_progress_end removes the line; so does
 * log_line.
 */
bool log_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_progress_end(void);

/* Says of each variable that is set to what it does not take that its default holds. */
void log_refused_settings(void);

#define log_error(...) log_line(LOG_ERROR, __VA_ARGS__)
#define log_notice(...) log_line(LOG_NOTICE, __VA_ARGS__)
#define log_debug(...) log_line(LOG_DEBUG, __VA_ARGS__)

#endif
