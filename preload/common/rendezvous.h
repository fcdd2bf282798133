/* SPDX-License-Identifier: MIT */
/*
 * How a traced process meets the recorder of its recording.
 *
 * A recording has an id, "<pid>-<start time>" of its first process, handed to children in
 * PWRTRACE_RECORDING.  Its recorder (preload/record/) listens on the abstract SOCK_SEQPACKET
 * address "pwrtrace/<uid>/<id>".  Binding it is what makes a process the one recorder.  A message
 * is one word, a blank and its argument, in one packet:
 *
 *   process            recorder
 *   gpu PID       ->                     a process is about to use a GPU for the first time
 *                 <-   ours HOME\nDIR    our session in the daemon of LTTNG_HOME=HOME ("" unless it
 *                                        has to be set) tracks the process, DIR is the trace
 *                 <-   theirs HOME       a session of the user's records pwrtrace's events: open
 *                                        the engine and see whether it records this process
 *                 <-   failed WHY        nothing can be recorded
 *   recording     ->                     the engine is open and its tracepoints are enabled
 *   taken         ->                     a session of the user's records it: nothing more to do
 *   free          ->                     none of them does: make ours (answered by ours or failed)
 *   broken WHY    ->                     the engine could not be opened
 *   alone         ->                     a process that uses a GPU cannot take part, and says so
 *   last          ->                     all processes end with this one, the recorder as well: it
 *                                        completes the trace and hangs up
 *
 * The recorder takes a fraction of a second to answer, or seconds where the session daemon does
 * not; the process waits with a deadline and goes on without an answer.  The recorder watches the
 * processes by pidfd: closing the connection means nothing.
 */
#ifndef PWRTRACE_RENDEZVOUS_H
#define PWRTRACE_RENDEZVOUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define RENDEZVOUS_MESSAGE_MAX 4352

/* Writes the id of a recording that this process begins.  size: 48 is enough. */
void rendezvous_new_id(char *id, size_t size);

/* Returns a connected descriptor (close-on-exec), or -1 with errno: ECONNREFUSED when there is no
 * recorder yet, EPERM when another user's process stands in its place: any user may bind or call an
 * abstract address. */
int rendezvous_connect(const char *id);

/* Becomes the recorder: returns a listening descriptor (close-on-exec), or -1 with errno:
 * EADDRINUSE when there is one already. */
int rendezvous_listen(const char *id);

/* Whether the process at the other end of a connection is the same user's; *peer is its id. */
bool rendezvous_trusts(int fd, pid_t *peer);

/* Sends "word argument".  Returns 0, or -1 with errno. */
int rendezvous_send(int fd, const char *word, const char *argument);

/* Receives one message until deadline_ns (CLOCK_MONOTONIC), splitting it in place: word holds the
 * whole packet, *argument points behind its first blank.  Returns 0, or -1 with errno: ETIMEDOUT,
 * or EPIPE when the other side is gone. */
int rendezvous_receive(
	int fd, char word[RENDEZVOUS_MESSAGE_MAX], char **argument, uint64_t deadline_ns);

#endif
