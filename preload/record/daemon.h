/* SPDX-License-Identifier: MIT */
/*
 * The LTTng session daemon: the user's if one runs, else one of ours.
 *
 * Recordings share one daemon per user (LTTng 2.13 knows one per user, and root's place is fixed).
 * A daemon that a recording started is marked by a file beside its socket; the last recording that
 * ends stops it.  A daemon that somebody else started is never stopped.
 */
#ifndef PWRTRACE_RECORD_DAEMON_H
#define PWRTRACE_RECORD_DAEMON_H

#include <stddef.h>

#define SESSION_PREFIX "pwrtrace-"

/* Finds the daemon, and ends what killed recorders left in it, or starts one.  Sets LTTNG_HOME in
 * our environment where the user's own home cannot hold a daemon, and makes that directory once;
 * *home is then that directory, else "". Returns 0, or -1 with one line in why.  Until
 * rundir_unlock no other recording stops the daemon, not even one that ends just now: make the
 * session meanwhile, and do nothing else that may take seconds, for which others would wait.  Where
 * another one keeps us waiting, that is said once, and we go on. */
int daemon_ensure(char *home, size_t home_size, char *why, size_t why_size);

/* Returns a descriptor (pidfd) of the daemon's consumer daemon, which writes the traces; -1 where
 * it has none, or that cannot be told. */
int daemon_open_consumer(void);

/* To be called, before rundir_unlock, where a session could not be started: a daemon that has lost
 * its consumer daemon is replaced if it is ours.  Returns 0 where another try makes sense; else -1,
 * with one line in why if the daemon is the user's, who must replace it. */
int daemon_replace_sick(char *why, size_t why_size);

/* Destroys sessions of ours whose recorder is gone (claim.h), and stops the daemon if it is ours
 * and nobody uses it; with it goes a home that was made for it.  Takes some ten seconds: run it in
 * the background. */
void daemon_release(void);

#define DAEMON_IS_SILENT                                                                           \
	"the LTTng session daemon does not answer; is it stopped? (see: ps -C lttng-sessiond)"

/* Whether a session of somebody else's records events of ours.  Returns 1, 0, -1 where that cannot
 * be told, or -ETIMEDOUT without an answer. */
int daemon_records_ours(void);

/* Raises the calling process's limit of open files as far as it may: that of the program it serves
 * may be too low. */
void daemon_raise_descriptor_limit(void);

#endif
