/* SPDX-License-Identifier: MIT */
/* Recordings that a command makes itself, as pwrtrace record does. */
#ifndef PWRTRACE_CMD_RECORDING_H
#define PWRTRACE_CMD_RECORDING_H

#include <stdbool.h>

/* Records a command (ended by NULL) into a directory, with further options of pwrtrace-record
 * (ended by NULL; NULL: none) and an environment, which is freed (NULL: ours).  What the program
 * prints goes to the standard error: it is no part of our output.  Returns false after an error
 * message. */
bool recording_make(
	const char *trace, char *const *command, const char *const *options, char **environment);

#endif
