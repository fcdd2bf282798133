/* SPDX-License-Identifier: MIT */
/*
 * Replay: a class of kernels is launched alone, again and again, so that a slow sensor sees what
 * power it draws.  The one mode in which we hold the program up and make calls on its launch path;
 * where it is not asked for, wrappers are those that know nothing of it.
 *
 * A class (a kernel and its shape, on a device) is looked at at its second launch, which runs alone
 * and is timed, and replayed before its third, or a later one where not all can be replayed and
 * others come first (choice.h).  While it is, the program's other threads wait where
 * they would launch, copy, allocate or free; device memory is saved before and restored after, and
 * then the program's own launch goes on.  What cannot be repeated without harm is refused, once for
 * each class, by an event that says why.
 */
#ifndef PWRTRACE_REPLAY_H
#define PWRTRACE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/engine/gpu/definitions.h"
#include "preload/engine/replay/memory.h"
#include "pwrtrace/units.h"

/* Of the launch's device. */
struct replay_device_api {
	uint64_t (*room)(void);              /* the bytes that are free, 0 where that is not told */
	uintptr_t (*allocate)(size_t bytes); /* 0 where it could not */
	void (*release)(uintptr_t memory);
	bool (*copy)(uintptr_t to, uintptr_t from, size_t bytes); /* may go on: see wait */
};

/* What replay needs of an API: preload/engine/gpu/<api>/<api>_replay.c has it. */
struct replay_api {
	/* Which device a call into stream is for, its id, and whose memory its kernels reach.
	 * Returns false where the call must fail. */
	bool (*place)(void *stream, uint32_t *device, void **place);
	/* Nothing would run, but become a node of a graph. */
	bool (*is_capturing)(void *stream);
	/* These return whether it could be done.  Until nothing runs in place any more; a part of
	 * a range of memory, from byte at on, is copied to the host, and back. */
	bool (*wait)(void *place);
	bool (*save)(void *stream, void *to, uintptr_t from, size_t at, size_t bytes);
	bool (*restore)(void *stream, uintptr_t to, size_t at, const void *from, size_t bytes);
	/* Where memory is copied within the device, which is faster.  NULL: nowhere. */
	const struct replay_device_api *on_device;
	/* Tells of the memory that holds an address, by replay_add_memory, where the runtime knows
	 * it. NULL where no argument is an address. */
	void (*find)(uintptr_t address);
};

/* Reads the settings.  Returns whether anything is to be replayed. */
bool replay_start(void);

/* At the end of the process, before the last events are written: says what was replayed and what
 * was left alone, the latter also in the trace. */
void replay_end(void);

/* Launches follow each other without a wait for so long. */
#define REPLAY_BATCH_NS (20 * PWRTRACE_NS_PER_MS)

/* ---- launches ---- */

enum replay_step { REPLAY_NOTHING, REPLAY_TIME, REPLAY_TRY, REPLAY_REPEAT, REPLAY_DONE };

/* Device memory that was copied to the host, or else on the device. */
struct replay_snapshot {
	char *on_host;
	uintptr_t on_device;
	size_t bytes; /* of the program's */
	size_t room;  /* that is taken for them, which is a little more */
};

/* One launch of the program's, from before it to after it. */
struct replay {
	const struct replay_api *api;
	enum replay_step step;
	uint32_t class_id, device, kernel;
	void *stream, *place;
	uint64_t usual_ns;  /* that a launch takes, alone, as the host sees it */
	uint64_t begin_ns;  /* of the replay, with saving; 0: it has not begun */
	uint64_t until_ns;  /* it is to last */
	uint64_t passed_ns; /* when the last pass, or the last batch, began */
	uint64_t count, batch;
	unsigned tries;
	struct replay_snapshot snapshot;
	int errno_before;
};

/* Before a launch of a class into stream.  Returns whether it is to be looked at or replayed: then
 * replay_prepare must follow. */
bool replay_begin(
	struct replay *replay, const struct replay_api *api, void *stream, uint32_t kernel);

/* Why a launch that is given value as an argument, or a buffer that holds all of them, cannot be
 * repeated, or NULL.  extra: as cuLaunchKernel and hipModuleLaunchKernel have it. */
const char *replay_why_not_argument(const struct replay_api *api, const void *value, size_t bytes);
const char *replay_why_not_buffer(const struct replay_api *api, void *const *extra);

/* why_not: why this launch cannot be repeated, or NULL. */
void replay_prepare(struct replay *replay, const char *why_not);

/* Whether the call that comes now is the program's own, and not a replay. */
static inline bool replay_is_own(const struct replay *replay)
{
	return replay->step != REPLAY_TRY && replay->step != REPLAY_REPEAT;
}

/* After the call was made; ok: it succeeded.  Returns whether it is to be made once more: the last
 * is the program's own. */
bool replay_again(struct replay *replay, bool ok);

/* ---- what else the program does ---- */

/* Around each call that gives a device work or changes its memory; they may nest. */
void replay_call_begin(void);
void replay_call_end(void);

/* From now on nothing is replayed any more; why: a constant string.  NULL does nothing. */
void replay_forbid(const char *why);

/* So many more streams are captured, or less: meanwhile nothing is replayed. */
void replay_count_captures(int change);

/* Memory that kernels can reach came, or went: what begins in [address, address + bytes). */
void replay_allocated(
	const struct replay_api *api, enum memory_kind kind, uintptr_t address, size_t bytes);
void replay_add_memory(const struct memory_range *range);
void replay_freed(uintptr_t address, size_t bytes);

/* Likewise, all that goes with owner. */
void replay_owner_freed(const void *owner);

/* Whether there is any of a kind. */
bool replay_has_memory(enum memory_kind kind);

/* Kernels that divide their work by counting it down find none left when they are repeated: small
 * fills that come right before a launch, in its thread, are repeated with it. */
struct replay_fill {
	bool (*again)(const struct replay_fill *fill); /* does it; returns whether it could */
	uintptr_t to;
	size_t count;
	void *stream;
	unsigned value, unit_bytes;
};

/* The thread has filled memory; or did something else, so that no fill comes right before a launch
 * any more. */
void replay_note_fill(const struct replay_fill *fill);
void replay_forget_fills(void);

#endif
