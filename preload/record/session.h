/* SPDX-License-Identifier: MIT */
/* The LTTng session of one recording.  All calls are bounded in time. */
#ifndef PWRTRACE_RECORD_SESSION_H
#define PWRTRACE_RECORD_SESSION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SESSION_WHY_MAX 512

struct session {
	char name[128];
	char dir[PATH_MAX];    /* absolute */
	int claim;             /* claim.h; -1: none */
	uint64_t buffer_bytes; /* of all of LTTng's buffers */
	int lock_fd;           /* holds DIR/.recording until the trace is complete; the file keeps
				  some of the disk free for the end */
	bool running;
	bool may_be_torn; /* the disk was nearly full, or a daemon has died */
	bool silent; /* the daemon did not answer: what can be left undone is not asked of it */
};

/* Makes and starts the session, tracking no process yet.  dir is from space_make_directory.
 * Returns 0, -ETIMEDOUT where the daemon does not answer, or -1; with one line in why
 * (SESSION_WHY_MAX bytes). */
int session_start(struct session *session, const char *id, const char *dir, char *why);

/* From now on the session records the process.  Returns 0 or -1. */
int session_track(struct session *session, pid_t pid);

/* No longer: the process has ended, and its number may become another's.  What it has recorded
 * stays. */
void session_untrack(struct session *session, pid_t pid);

/* Returns how many bytes may be written yet before the disk is so full that the session has to
 * stop; below 0 where it has to, INT64_MAX where it does not run or that cannot be told. */
int64_t session_spare_bytes(const struct session *session);

/* Ends recording and waits until the trace is complete on disk: up to its last whole packets, where
 * it may be torn. */
void session_stop(struct session *session);

/* Lets readers in.  The session itself is destroyed by daemon_release. */
void session_finish(struct session *session);

#endif
