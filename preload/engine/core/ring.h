/* SPDX-License-Identifier: MIT */
/*
 * A bounded queue from many threads to one, of entries of one size.
 *
 * Pushing is a few atomic operations: no lock, no allocation, no system call, and no waiting: a
 * full ring refuses.  After D. Vyukov's bounded MPMC queue: each slot carries the turn at which it
 * is free to be written or read.
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

/* capacity: a power of two.  Returns false without memory: then the ring stays what a zeroed one
 * is, both empty and full.  Once there, it is never freed. */
bool ring_init(struct ring *ring, size_t entry_bytes, size_t capacity);

/* Forgets all entries; nobody else may be using the ring. */
void ring_reset(struct ring *ring);

/* Copies entry in.  Returns false when the ring is full. */
bool ring_push(struct ring *ring, const void *entry);

/* Copies the oldest entry out.  Returns false when the ring is empty.  One thread only. */
bool ring_pop(struct ring *ring, void *entry);

#endif
