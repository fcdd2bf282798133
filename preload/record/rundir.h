/* SPDX-License-Identifier: MIT */
/*
 * The directory in which the session daemon has its socket: /var/run/lttng of root, else .lttng in
 * the user's home, or in one that is made where that cannot hold a daemon.  Recordings take turns
 * by a lock in it.
 */
#ifndef PWRTRACE_RECORD_RUNDIR_H
#define PWRTRACE_RECORD_RUNDIR_H

/* Finds the directory and makes it; sets LTTNG_HOME where a home is made.  Returns 0, or -1 with
 * errno. */
int rundir_choose(void);

/* Its path, once it was chosen. */
const char *rundir_path(void);

/* The home that one of us has made for the daemon and set in the environment, else "". */
const char *rundir_private_home(void);

/* Takes the lock, unless we have it.  Returns 0, or -1 where it could not be had in time: that is
 * said in one line, and from then on it is not waited for. */
int rundir_lock(void);
void rundir_unlock(void);

/* Removes it, and the home that was made for it; a daemon leaves nothing else in them. */
void rundir_remove_private(void);

#endif
