/* SPDX-License-Identifier: MIT */
/*
 * Snapshots: the memory that a kernel can reach (reach.h) is copied before its replay and copied
 * back after it, device memory to free memory of the device or else to the host's.
 *
 * All but snapshot_copies_ns are called on the launching thread while the rest of the program is
 * suspended (program_state.h).  A reason that is returned is one line of text, never freed.
 */
#ifndef PWRTRACE_REPLAY_SNAPSHOT_H
#define PWRTRACE_REPLAY_SNAPSHOT_H

#include "preload/engine/replay/budget.h"
#include "preload/engine/replay/replay.h"

/* Returns how long saving and restoring the memory of a place takes together, estimated without a
 * call to the driver; 0 where there is no room for it.  Until the speed has been measured, it is at
 * most assumed_ns, so that a wrong assumption does not prevent the measurement.  Any thread. */
uint64_t snapshot_copies_ns(const struct replay_api *api, const void *place, uint64_t assumed_ns);

/* Reserves memory for the snapshot in replay->snapshot.  Returns NULL, or why there is none. */
const char *snapshot_reserve(struct replay *replay);

/* Returns where the memory was reserved. */
enum copy_target snapshot_target(const struct replay *replay);

/* Copies the device memory into the snapshot.  Returns NULL, snapshot_too_slow as soon as saving
 * and restoring would take longer than copies_ns, or why it cannot be copied.  In any case
 * snapshot_drop or snapshot_restore must follow. */
extern const char snapshot_too_slow[];
const char *snapshot_save(struct replay *replay, uint64_t copies_ns);

/* Frees the snapshot without copying it back. */
void snapshot_drop(struct replay *replay);

/* A few bytes of the device's memory, and where they are saved. */
struct snapshot_piece {
	const struct memory_range *range;
	size_t at, bytes;
	uintptr_t saved; /* where the range is saved */
};

/* Finds at most so many bytes from an address on.  Returns false if they are not in the snapshot.
 */
bool snapshot_find(
	const struct replay *replay, uintptr_t address, size_t bytes, struct snapshot_piece *piece);

/* Reads a piece as it was when it was saved, and as it is now.  Returns whether both could be read.
 */
bool snapshot_read(
	const struct replay *replay, const struct snapshot_piece *piece, void *before, void *now);

/* Copies a piece back, in the order of the launch's stream.  Returns whether it could be copied. */
bool snapshot_put_back(const struct replay *replay, const struct snapshot_piece *piece);

/* Copies the snapshot back, then frees it.  Returns whether all of it could be copied. */
bool snapshot_restore(struct replay *replay);

#endif
