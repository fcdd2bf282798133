/* SPDX-License-Identifier: MIT */
/*
 * A map of the memory that kernels may reach: what the program has allocated, by address.  The
 * caller must hold a lock.  A zeroed struct is an empty map.
 */
#ifndef PWRTRACE_REPLAY_MEMORY_H
#define PWRTRACE_REPLAY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_kind {
	MEMORY_DEVICE,  /* a device's own */
	MEMORY_HOST,    /* the host's, which devices can reach too */
	MEMORY_MANAGED, /* migrates between device and host by itself */
	MEMORY_KINDS
};

/* A range of addresses.  For memory that has a handle and no address, begin is the handle. */
struct memory_range {
	uintptr_t begin, end;
	uint64_t bytes;    /* its size: end - begin, but for a handle */
	void *place;       /* the context or device whose kernels reach it */
	const void *owner; /* what it is freed with, as a variable with its module; NULL: nothing */
	enum memory_kind kind;
};

struct memory {
	struct memory_range *ranges; /* sorted, without overlap */
	size_t count, room;
};

/* Adds a range (copied) in place of all that it overlaps.  Returns false if memory runs out. */
bool memory_add(struct memory *memory, const struct memory_range *range);

/* Removes the ranges that begin in [begin, end). */
void memory_remove(struct memory *memory, uintptr_t begin, uintptr_t end);

/* Removes the ranges of owner, which is not NULL. */
void memory_remove_owned(struct memory *memory, const void *owner);

/* Returns the range that contains address, valid until the map changes, or NULL. */
const struct memory_range *memory_find(const struct memory *memory, uintptr_t address);

/* Returns the bytes of a kind that kernels of place reach; place NULL: of any place. */
uint64_t memory_bytes(const struct memory *memory, enum memory_kind kind, const void *place);

/* Returns whether any of the words in bytes, which must be aligned to 8, is an address in a range
 * of kind.  count: in bytes. */
bool memory_points_into(
	const struct memory *memory, enum memory_kind kind, const void *bytes, size_t count);

#endif
