/* SPDX-License-Identifier: MIT */
/*
 * Libraries that a runtime loads because an environment variable names them: a tool of its own.
 * There is one at a time, and another one that the user has chosen stays.
 */
#ifndef PWRTRACE_TOOL_H
#define PWRTRACE_TOOL_H

#include <stdbool.h>

/* The path of the object that this is linked into, "" where it is not known; never freed. */
const char *tool_path(void);

/* Whether a path is that of a libpwrtrace.so, our own or another copy.  Of several copies in a
 * process one records, or each launch would be recorded several times. */
bool tool_is_copy(const char *path);

/* Whether a copy of ourselves was loaded before us, and so sees all that we would. */
bool tool_is_second(void);

/* Names ourselves in the variable, for this process and its children, in place of a copy or where
 * it is not set. */
void tool_offer(const char *variable);

/* The other tool that the variable names, or NULL. */
const char *tool_other(const char *variable);

#endif
