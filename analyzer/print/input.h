/* SPDX-License-Identifier: MIT */
/* Reads files that a command is given. */
#ifndef PWRTRACE_INPUT_H
#define PWRTRACE_INPUT_H

#include <jansson.h>

/* Reads a file of JSON.  Returns NULL after an error message that says what the file should be, as
 * "library of powers", and by which command it is made.  Free with json_decref. */
json_t *input_json(const char *path, const char *what, const char *command);

#endif
