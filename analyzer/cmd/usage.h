/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_USAGE_H
#define PWRTRACE_USAGE_H

#include <glib.h>

#include "analyzer/cmd/command.h"

/* Writes a command's usage, in lines of 80 columns: how to call it, what it does, and what its
 * options (const struct command_option *) do. */
void usage_put(FILE *out, const struct command *command, const GPtrArray *options);

#endif
