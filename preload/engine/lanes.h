/* SPDX-License-Identifier: MIT */
/*
 * Work on its way through the collector: what was fetched and nobody records yet waits in the
 * inbox; what the device has not finished, in the lane of its stream, in the order of its launches.
 *
 * A lane owns its work's tokens and gives each back once.  Where memory runs out, work stays in the
 * ring.  The collector's thread alone; no locks.
 */
#ifndef PWRTRACE_LANES_H
#define PWRTRACE_LANES_H

#include <stdbool.h>

/* Takes into the inbox what was submitted.  Returns whether there was anything. */
bool lanes_fetch(void);

/* Empties the inbox: writes what is known of its work by now, and puts into the lanes what the
 * device must finish first. */
void lanes_dispatch(void);

/* Empties the inbox where no session records: nothing is lost then, and nothing is counted. */
void lanes_drop(void);

/* Writes what the device has finished since.  Returns whether there was anything. */
bool lanes_settle(void);

/* Whether nothing waits, in the inbox or a lane. */
bool lanes_empty(void);

/* Counts as lost, once, what the device has not finished.  It stays: the process may yet go on. */
void lanes_count_unfinished(void);

/* When the collector begins, also in a forked child: pending work is the parent's business. */
void lanes_reset(void);

#endif
