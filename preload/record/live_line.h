/* SPDX-License-Identifier: MIT */
/* The line of record --live: pwrtrace top in a process of its own, which reads the trace as any
 * other reader and writes to /dev/tty, so that nothing of it reaches the program or the recorder.
 */
#ifndef PWRTRACE_RECORD_LIVE_LINE_H
#define PWRTRACE_RECORD_LIVE_LINE_H

#include <sys/types.h>

/* Begins the line for the recording of a recorder that is ready.  Returns its process, or -1 after
 * saying that there is none. */
pid_t live_line_begin(pid_t recorder);

/* Clears the line and waits for that, a second at most; -1: there is none. */
void live_line_end(pid_t line);

#endif
