/* SPDX-License-Identifier: MIT */
/*
 * Torn streams: what LTTng's consumer daemon leaves of a packet that it could not write whole, as
 * on a full disk.  It goes on behind it as if nothing had happened, and other readers of CTF refuse
 * the whole trace.
 */
#ifndef PWRTRACE_RECORD_TORN_H
#define PWRTRACE_RECORD_TORN_H

#include <stdbool.h>
#include <stdint.h>

/* Cuts each stream below a directory that is written by LTTng, and no longer, behind its last
 * packet before one that is not whole; a torn stream loses its index, which readers do without.
 * Returns how many bytes were cut off. */
uint64_t torn_cut_off(const char *dir);

/* Whether a stream below such a directory has more than the packets that its index knows.  It looks
 * at the end of each alone. */
bool torn_is_any(const char *dir);

#endif
