/* SPDX-License-Identifier: MIT */
/*
 * A bounded queue from many threads to one, of entries of one size.
 *
 * Pushing is a few atomic operations, without a lock, an allocation, a system call or a wait: a
 * full ring refuses.  After D. Vyukov's bounded MPMC queue: each slot holds the turn at which it
 * may next be written or read.
 */
#ifndef PWRTRACE_RING_H
#define PWRTRACE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
	char *slots;
	size_t entry_bytes;
	size_t slot_bytes;
	uint64_t mask;
	uint64_t head __attribute__((aligned(64))); /* the next turn to write */
	uint64_t tail __attribute__((aligned(64))); /* the next turn to read */
};

/* Allocates room for capacity entries, a power of two.  Returns false if memory runs out: then the
 * ring stays as a zeroed one, which refuses every push and has nothing to pop.  It is never freed.
 */
bool ring_init(struct ring *ring, size_t entry_bytes, size_t capacity);

/* Forgets all entries.  No other thread may use the ring meanwhile. */
void ring_reset(struct ring *ring);

/* Copies entry_bytes of entry into the ring.  Returns false if it is full.  Any thread. */
bool ring_push(struct ring *ring, const void *entry);

/* Moves the oldest entry to *entry.  Returns false if the ring is empty.  One thread only. */
bool ring_pop(struct ring *ring, void *entry);

#endif
