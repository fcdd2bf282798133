/* SPDX-License-Identifier: MIT */
/*
 * Libraries that a runtime loads because an environment variable names them: a tool of its own.
 * There is one at a time, and another one that the user has chosen stays.
 */
#ifndef PWRTRACE_TOOL_H
#define PWRTRACE_TOOL_H

/* The path of the object that this is linked into, "" where it is not known; never freed. */
const char *tool_path(void);

/* Names ourselves in the variable, for this process and its children, unless it is set. */
void tool_offer(const char *variable);

/* The other tool that the variable names, or NULL. */
const char *tool_other(const char *variable);

#endif
