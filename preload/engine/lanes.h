/* SPDX-License-Identifier: MIT */
/*
 * Work on its way through the collector.  Work that was fetched from the ring waits in the inbox
 * until a session records it; work that the device has not finished waits in the lane of its
 * stream, in the order of its launches.
 *
 * A lane owns the tokens of its work and releases each once.  If memory runs out, work stays in the
 * ring, or is counted as lost.  All functions are for the collector's thread; there are no locks.
 */
#ifndef PWRTRACE_LANES_H
#define PWRTRACE_LANES_H

#include <stdbool.h>
#include <stdint.h>

/* Moves submitted work from the ring to the inbox.  Returns whether there was any. */
bool lanes_fetch(void);

/* Empties the inbox: writes what is known of its work at launch, and moves work that the device
 * must finish first to its lane. */
void lanes_dispatch(void);

/* Returns how much work of devices is in the lanes. */
uint32_t lanes_in_flight(void);

/* Empties the inbox if no session records: its work is released and not counted as lost. */
void lanes_drop(void);

/* Writes the executions that the device has finished.  Returns whether there were any. */
bool lanes_settle(void);

/* Returns whether the inbox and all lanes are empty. */
bool lanes_empty(void);

/* Writes that the device has not finished the work in the lanes, of each once.  It stays in its
 * lane, in case the process goes on. */
void lanes_write_unfinished(void);

/* Forgets all work, when the collector begins.  In a forked child this is the parent's work. */
void lanes_reset(void);

#endif
