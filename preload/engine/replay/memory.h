/* SPDX-License-Identifier: MIT */
/*
 * The memory that kernels may reach: what the program has allocated, by address.  The caller locks.
 */
#ifndef PWRTRACE_REPLAY_MEMORY_H
#define PWRTRACE_REPLAY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_kind {
	MEMORY_DEVICE,  /* of one place */
	MEMORY_HOST,    /* the host's, that devices can reach too */
	MEMORY_MANAGED, /* moves between them by itself */
	MEMORY_KINDS
};

/* Of memory that has a handle and no address, begin is the handle. */
struct memory_range {
	uintptr_t begin, end;
	uint64_t bytes;    /* more than the range has, of a handle */
	void *place;       /* whose kernels reach it: a context, or a device */
	const void *owner; /* it goes with that, as a variable with its module; NULL: by itself */
	enum memory_kind kind;
};

struct memory {
	struct memory_range *ranges; /* in order, and apart */
	size_t count, room;
};

/* Takes up a range, in place of all that it overlaps.  Returns false where memory runs out. */
bool memory_add(struct memory *memory, const struct memory_range *range);

/* Forgets the ranges that begin in [begin, end). */
void memory_remove(struct memory *memory, uintptr_t begin, uintptr_t end);

/* Forgets the ranges of owner, which is not NULL. */
void memory_remove_owned(struct memory *memory, const void *owner);

/* The range that holds an address, or NULL. */
const struct memory_range *memory_find(const struct memory *memory, uintptr_t address);

/* The bytes of a kind that kernels of place reach; place NULL: of any. */
uint64_t memory_bytes(const struct memory *memory, enum memory_kind kind, const void *place);

/* Whether a word among bytes, which are aligned to one, may be an address in a range of kind. */
bool memory_points_into(
	const struct memory *memory, enum memory_kind kind, const void *bytes, size_t count);

#endif
