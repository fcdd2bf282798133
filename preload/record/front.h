/* SPDX-License-Identifier: MIT */
/*
 * pwrtrace record is two processes: the front, which the shell waits for and which is the program's
 * parent, and the recorder behind it.  So the recorder can outlive what the shell waits for, where
 * the program leaves processes behind, and neither signals to the front nor its end cut a recording
 * off.
 *
 * They share a socket: the recorder says once that it is ready (or why it cannot record), and once
 * that the front need wait no longer.
 */
#ifndef PWRTRACE_RECORD_FRONT_H
#define PWRTRACE_RECORD_FRONT_H

#include <sys/types.h>

#include "preload/record/program.h"

/* Makes the recorder, as fork does, with the two ends of their socket in *link.  Returns its
 * process id in the front, 0 in the recorder, or -1 with errno.  The front then has all signals
 * blocked that might end it but those that front_serve passes on and faults. */
pid_t front_split(int *link);

/* ---- the recorder's side ---- */

/* Says that recording has begun (why is ""), or why it cannot. */
void front_ready(int link, const char *why);

/* Says that the trace is complete. */
void front_done(int *link);

/* Lets the front go, and with it all descriptors that are the shell's: what waits for the end of
 * our output need not wait for us. */
void front_leave(int *link);

/* ---- the front's side ---- */

/* Waits until the recorder is ready.  Returns 0, or -1 with one line in why (SESSION_WHY_MAX). */
int front_await_ready(int link, char *why);

/* Starts the program and waits for it and the recorder, passing on what ends it.  line: what is to
 * be ended with the program (live_line.h).  Returns the exit status for the shell. */
int front_serve(int link, pid_t recorder, struct program *program, pid_t line);

#endif
