/* SPDX-License-Identifier: MIT */
/* A campaign: recording runs of one kernel from idle, as many as a profile takes. */
#ifndef PWRTRACE_CMD_CAMPAIGN_H
#define PWRTRACE_CMD_CAMPAIGN_H

#include <glib.h>

#include "analyzer/cmd/profiling.h"

/* Records runs of the kernel that was chosen, by replays in the program of a command, or by running
 * the command again and again.  Says first how long it will take, then how far it is.  Returns the
 * paths of the traces (char *, ended by NULL), which the caller frees; NULL after an error message.
 */
GPtrArray *campaign_run(const struct profile_choice *choice, char *const *command);

#endif
