/* SPDX-License-Identifier: MIT */
/* The signals by which a user ends a program: Ctrl-C, Ctrl-\, kill and the end of a session. */
#ifndef PWRTRACE_RECORD_ENDING_SIGNALS_H
#define PWRTRACE_RECORD_ENDING_SIGNALS_H

/* Blocks them, for the calling thread and those that it makes.  Returns a signalfd that has them
 * instead, or -1 with errno. */
int ending_signals_open(void);

#endif
