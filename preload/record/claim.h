/* SPDX-License-Identifier: MIT */
/*
 * Whose recorder lives.  Each keeps a lock on a file beside the session daemon's socket, named as
 * its LTTng session.  The kernel gives it up when the recorder ends, however it ends, and it is
 * seen from any pid and network namespace from which the daemon is.
 */
#ifndef PWRTRACE_RECORD_CLAIM_H
#define PWRTRACE_RECORD_CLAIM_H

/* Claims a session whose trace goes to the directory dir.  rundir: where the daemon's socket lies.
 * Waits for who ends an earlier session of that name.  Returns a descriptor (close-on-exec), or -1
 * where it cannot be made, as without room: then the session stays where its recorder is killed. */
int claim_take(const char *rundir, const char *session, const char *dir);

/* The trace is complete, and the session may be destroyed.  Sets *claim to -1. */
void claim_give_up(int *claim);

/* Destroys the sessions that nobody claims any more, clears up their directories, and says of each
 * whose trace was not complete that its recorder was killed.  For as long as the daemon is silent,
 * it does not return. */
void claims_end_orphans(const char *rundir);

#endif
