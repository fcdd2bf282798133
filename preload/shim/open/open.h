/* SPDX-License-Identifier: MIT */
/*
 * Opening the engine, once, on the first use of a GPU.
 *
 * A thread of its own meets the recorder (participant.h), has libpwrtrace-engine.so opened, and
 * then serves as its collector.  The launching thread waits for it at most six seconds, once, and
 * opens the engine meanwhile: while dlopen runs constructors, of which one may be what launches, no
 * other thread can.  If the engine comes later, calls are seen from then on.
 */
#ifndef PWRTRACE_OPEN_H
#define PWRTRACE_OPEN_H

#include <stdbool.h>

#include "preload/common/engine.h"

enum open_state {
	OPEN_NOT_YET, /* ask again at the next call */
	OPEN_READY,   /* open_host.engine is set */
	OPEN_NEVER,
};

/* What the shim gives the engine, and the engine once it is there.  init.c fills in what it says of
 * layers. */
extern struct engine_host open_host;

/* Decides by the settings whether this process is traced at all; called once, at load.
 * for_children: the environment may be changed, so that they join the recording. */
void open_init(bool for_children);

/* Whether calls shall be hooked: neither disabled nor attached without recording. */
bool open_wanted(void);

/* Whether the engine is open and some session records. */
bool open_recording(void);

/* Opens the engine, if may_open, and waits for it (bounded, the first time only). */
enum open_state open_engine(bool may_open);

/* The process is about to end: lets the engine write what it has, in bounded time. */
void open_flush(void);

#endif
