/* SPDX-License-Identifier: MIT */
/* A sweep: recordings of one command, one for each value of something. */
#ifndef PWRTRACE_CMD_SWEEP_H
#define PWRTRACE_CMD_SWEEP_H

#include <glib.h>

/* Records a command once for each value of "name=value,value,..." (a name and a value at least),
 * with "{name}" in its words replaced by the value and a tag name=value; before each, set (NULL:
 * none), likewise replaced, is run by the shell.  A value whose run fails is left out, after an
 * error message.  Returns the paths of the traces (char *, ended by NULL), which the caller frees;
 * NULL, after an error message, where there is none. */
GPtrArray *sweep_run(const char *sweep, const char *set, char *const *command);

#endif
