/* SPDX-License-Identifier: MIT */
/* Which recordings are under way on this machine. */
#ifndef PWRTRACE_LIVE_RECORDINGS_H
#define PWRTRACE_LIVE_RECORDINGS_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/* Whether there is one into a directory. */
bool recording_is_under_way(const char *directory);

/* Returns the directories of their traces, in the order of their names (char *): a recorder has a
 * locked file .recording open in its trace.  Those of other users are not seen, but by root.
 * recorder: only that of this process; 0: all.  The caller frees it with g_ptr_array_unref. */
GPtrArray *recordings_under_way(pid_t recorder);

#endif
