/* SPDX-License-Identifier: MIT */
/*
 * A traced process as one that takes part in a recording: its side of rendezvous.h.
 *
 * Called by the thread that opens the engine, but where it says otherwise; one process takes part
 * once.
 */
#ifndef PWRTRACE_PARTICIPANT_H
#define PWRTRACE_PARTICIPANT_H

#include "preload/common/engine.h"

/* Of a recording's id, with its NUL. */
#define PARTICIPANT_ID_MAX 64

/* Calls load(data), which opens a library, on a thread that the loader lets in. */
typedef void participant_let_in(void (*load)(void *data), void *data);

/* Meets the recorder of that recording, or starts one, and opens the engine, which let_in lets in
 * and which is attached to host; where a session of the user's records the process, samples its
 * power too.  Waits ten seconds at most.  Returns the engine, or NULL with *why in one line, which
 * stays until the next call. */
const struct engine *participant_join(const char *recording_id, struct engine_host *host,
	participant_let_in *let_in, const char **why);

/* The process is being recorded: tells the recorder, and the user where the trace is. */
void participant_recorded(void);

/* The process ends: so does the sampling that it does itself.  Any thread. */
void participant_leave(void);

/* The process ends, and with it all others of its pid namespace: waits until the recorder, where it
 * is one of them, has completed the trace, at most until deadline_ns.  Any thread. */
void participant_await_trace(uint64_t deadline_ns);

/* In a forked child: the recorder knows its parent alone. */
void participant_after_fork(void);

#endif
