/* SPDX-License-Identifier: MIT */
/* The programs of the online half, which lie beside ours: only they touch devices. */
#ifndef PWRTRACE_CMD_ONLINE_H
#define PWRTRACE_CMD_ONLINE_H

#include <limits.h>

/* Writes where a program of the online half lies. */
void online_path(char path[PATH_MAX], const char *program);

/* Becomes the program.  argv[0] is anything.  Returns only after saying why it could not. */
void online_exec(const char *program, char *const *argv);

/* Runs it with input on its standard input (NULL: ours) and waits.  Returns its exit status, or
 * -1 after saying why it did not run or was killed. */
int online_run(const char *program, char *const *argv, const char *input);

/* Runs it and writes its output, as valid text, to our standard output.  Returns as
 * online_run. */
int online_show(const char *program, char *const *argv);

#endif
