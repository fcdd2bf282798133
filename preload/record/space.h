/* SPDX-License-Identifier: MIT */
/* Room for a trace: its directory, its disk, and the shared memory of its buffers. */
#ifndef PWRTRACE_RECORD_SPACE_H
#define PWRTRACE_RECORD_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the directory of a trace while it is recorded: a lock that its recorder holds, and LTTng's
 * buffers where they do not fit elsewhere. */
#define SPACE_LOCK ".recording"
#define SPACE_BUFFERS ".buffers"

/* What must be free to go on, besides as much as LTTng's buffers may hold. */
#define SPACE_TO_GO_ON_BYTES (4ULL << 20)

/* How much of it is reserved at most: the buffers of many processors are far from full, and where
 * the trace is in memory, the reserve is, too. */
#define SPACE_RESERVED_MAX_BYTES (64ULL << 20)

/* Makes the directory of a trace and writes its absolute path.  chosen: the user named it, so that
 * another one will not do, and it may be there if it is empty; else it is new and nobody else's,
 * "-2", "-3" ... are appended where it exists, and where it cannot be made the trace goes to the
 * user's state directory.
 * Returns 0, or -1 with one line in why. */
int space_make_directory(
	const char *wanted, bool chosen, char *dir, size_t dir_size, char *why, size_t why_size);

/* Removes what a recording keeps beside its trace in that directory while it goes on. */
void space_clear(const char *dir);

/* Returns the bytes free for us where path lies, or UINT64_MAX if that cannot be told. */
uint64_t space_free_bytes(const char *path);

/* The ring buffers of one channel: count × bytes for each processor. */
struct buffers {
	uint64_t bytes;
	uint64_t count;
};

/*
 * Fits the buffers of the two channels into available bytes on cpus processors, shrinking those of
 * flow.  LTTng does not say when they do not fit: it records nothing.  Returns how many bytes they
 * take, or 0 where even the smallest do not fit; then they are the smallest.
 */
uint64_t space_fit_buffers(
	uint64_t available, unsigned cpus, struct buffers *flow, struct buffers *state);

#endif
