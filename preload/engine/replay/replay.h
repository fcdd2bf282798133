/* SPDX-License-Identifier: MIT */
/*
 * Replay: a class of kernels is launched alone, again and again, so that a slow sensor can measure
 * the power that it draws.  This is the only mode in which we delay the program and make calls of
 * our own on its launch path; unless it is asked for, its wrappers are not installed.
 *
 * The second launch of a class (a kernel with its shape, on a device) runs alone and is timed.  The
 * class is replayed before its third launch, or before a later one if the budget does not suffice
 * for all and others come first (choice.h).  Meanwhile the program's other threads wait where they
 * would launch, copy, allocate or free.  Device memory is saved before the replay and restored
 * after it, and then the program's own launch is made.  A class that cannot be repeated without
 * harm is refused once, with an event that says why.  Where launches of a class take unlike times,
 * one of each is replayed (sizes.h); where its time depends on the device's cache, it is replayed
 * with a cold one, too (cache.h).  A kernel that a graph launches is replayed before the graph's
 * launch, by launches of which none is the program's.
 *
 * Wrappers call these functions on the program's threads; errno is kept.  A reason (`why`) is a
 * string that is never freed.
 */
#ifndef PWRTRACE_REPLAY_H
#define PWRTRACE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/engine/gpu/definitions.h"
#include "preload/engine/replay/memory.h"
#include "pwrtrace/units.h"

/* Memory of the device of the current launch. */
struct replay_device_api {
	uint64_t (*room)(void); /* the free bytes, 0 if unknown */
	/* For replays with a cold cache, one at a time; NULL: there are none.  The bytes of its
	 * last cache, 0 if unknown; makes ready to read memory, and ends that; queues a read of
	 * memory into stream.  They return whether they succeeded. */
	uint64_t (*cache_bytes)(void);
	bool (*begin_reading)(void);
	bool (*read)(uintptr_t memory, size_t bytes, void *stream);
	void (*end_reading)(void);
	uintptr_t (*allocate)(size_t bytes); /* an address, 0 if it failed */
	void (*release)(uintptr_t memory);
	/* In the order of stream; may be asynchronous: see wait. */
	bool (*copy)(void *stream, uintptr_t to, uintptr_t from, size_t bytes);
};

/* What replay needs of an API: preload/engine/gpu/<api>/<api>_replay.c has it. */
struct replay_api {
	/* Finds the id of the device of a stream, and the place (context or device) whose memory
	 * its kernels reach.  Returns false if a call into stream would fail. */
	bool (*place)(void *stream, uint32_t *device, void **place);
	/* Returns whether a launch into stream would become a node of a graph instead of running.
	 */
	bool (*is_capturing)(void *stream);
	/* These return whether they succeeded: wait until nothing runs in place any more; copy
	 * bytes of the memory `from`, from offset `at` on, to the host; copy them back to `to`, in
	 * the order of stream. */
	bool (*wait)(void *place);
	bool (*save)(void *stream, void *to, uintptr_t from, size_t at, size_t bytes);
	bool (*restore)(void *stream, uintptr_t to, size_t at, const void *from, size_t bytes);
	/* For copies within the device, which are faster; NULL: not possible. */
	const struct replay_device_api *on_device;
	/* Asks the runtime for the memory that contains an address, and reports it by
	 * replay_add_memory.  NULL if no argument can be an address. */
	void (*find)(uintptr_t address);
};

/* Reads the settings, once.  Returns whether anything is to be replayed. */
bool replay_start(void);

/* At the end of the process, before the last events are written: logs how many classes were
 * replayed, refused and left alone, and writes the latter into the trace. */
void replay_end(void);

/* For how long launches of a replay are queued without a wait for the device. */
#define REPLAY_BATCH_NS (5 * PWRTRACE_NS_PER_MS)

/* ---- launches ---- */

/* What is done with a launch: nothing; it runs alone and is timed; it is repeated once at a time,
 * to see whether it behaves as before; it is repeated in batches; its replay has ended or was given
 * up. */
enum replay_step { REPLAY_NOTHING, REPLAY_TIME, REPLAY_TRY, REPLAY_REPEAT, REPLAY_DONE };

/* Saved memory (snapshot.h): copies in host memory, in device memory, or both. */
struct replay_snapshot {
	char *on_host;
	uintptr_t on_device;
	size_t bytes; /* of the program's memory */
	size_t room;  /* bytes reserved at on_host */
};

/* What the repetitions of a kernel find in the device's cache (cache.h). */
struct replay_cache {
	/* CACHE_LEFT_WARM: no other memory is read any more; CACHE_COLD_BETWEEN: reads alone come
	 * before and after; CACHE_UNREAD: it cannot be read. */
	enum {
		CACHE_WARM,
		CACHE_LEFT_WARM,
		CACHE_TRIED,
		CACHE_COLD,
		CACHE_COLD_BETWEEN,
		CACHE_UNREAD
	} state;
	bool cut_short;   /* the repetitions with a warm cache, as a cold one was tried early */
	uintptr_t memory; /* that is read so that the cache has nothing else; 0: none */
	size_t bytes;     /* of each read */
	uint64_t reads;   /* so far */
	double share;     /* the part of the repetitions that are to find it cold */
	double due;       /* how many cold ones that part makes so far, less those that were made */
	/* What a batch of repetitions took at least, with a warm cache, and of this part of the
	 * replay with a cold one; 0 before the first. */
	uint64_t warm_ns, cold_ns;
};

/* One launch of the program's, from before it to after it. */
struct replay {
	const struct replay_api *api;
	enum replay_step step;
	uint32_t class_id, device, kernel;
	bool of_graph;    /* a node of a graph: all launches of it are repetitions */
	bool of_size;     /* the class was replayed: another size of it is wanted (sizes.h) */
	bool awaits_size; /* whether this is another size is not known yet */
	void *stream, *place;
	uint64_t usual_ns;  /* the time that a launch takes at most: alone, by the host's clock, or
			     * of the longest size */
	uint64_t each_ns;   /* the time that a repetition of the first batch takes */
	uint64_t begin_ns;  /* of the replay, with saving; 0: it has not begun */
	uint64_t until_ns;  /* when it is to end */
	uint64_t passed_ns; /* when the last repetition, or the last batch, began */
	uint64_t count, batch; /* repetitions so far, and in each batch */
	uint64_t tried;        /* of them, those that were made before the first batch */
	uint64_t needed_ns;    /* where the budget is not enough: what the replay would take */
	unsigned tries;
	unsigned slow_batches; /* in a row, up to as many as make pauses necessary */
	struct replay_snapshot snapshot;
	struct replay_cache cache;
	int errno_before;
};

/* To be called before a launch of a class into stream.  Returns whether the launch is to be timed
 * or replayed: then replay_prepare must follow.  In any case the call and replay_again must follow.
 */
bool replay_begin(
	struct replay *replay, const struct replay_api *api, void *stream, uint32_t kernel);

/* The same before the launch of a graph, for one of its kernels.  Where it returns true,
 * replay_prepare must follow and replay_first_fills.  Then the kernel is launched while
 * replay_is_own is false, with replay_again after each time, and once more after all. */
bool replay_begin_node(
	struct replay *replay, const struct replay_api *api, void *stream, uint32_t kernel);
void replay_first_fills(struct replay *replay);

/* Return why a launch with this argument, or with all arguments in a buffer, cannot be repeated, or
 * NULL.  value: the argument's bytes; extra: as for cuLaunchKernel and hipModuleLaunchKernel. */
const char *replay_why_not_argument(const struct replay_api *api, const void *value, size_t bytes);
const char *replay_why_not_buffer(const struct replay_api *api, void *const *extra);

/* Prepares what replay_begin has asked for.  why_not: why this launch cannot be repeated, or NULL.
 */
void replay_prepare(struct replay *replay, const char *why_not);

/* Returns whether the next call is the program's own, and not a repetition. */
static inline bool replay_is_own(const struct replay *replay)
{
	return replay->step != REPLAY_TRY && replay->step != REPLAY_REPEAT;
}

/* To be called after each call; ok: it succeeded.  Returns whether to make the call once more: the
 * last one is the program's own. */
bool replay_again(struct replay *replay, bool ok);

/* ---- what else the program does ---- */

/* To be called around each call that gives a device work or changes its memory; calls may nest. The
 * first one waits while another thread replays. */
void replay_call_begin(void);
void replay_call_end(void);

/* The same for a thread of ours, which does not wait: returns false while another thread replays.
 */
bool replay_call_try(void);

/* Forbids all further replays; why: a constant string.  Does nothing for NULL. */
void replay_forbid(const char *why);

/* Changes the number of streams that are being captured: nothing is replayed unless it is 0. */
void replay_count_captures(int change);

/* Memory that kernels can reach was allocated, or what begins in [address, address + bytes) freed.
 */
void replay_allocated(
	const struct replay_api *api, enum memory_kind kind, uintptr_t address, size_t bytes);
void replay_add_memory(const struct memory_range *range);
void replay_freed(uintptr_t address, size_t bytes);

/* All memory of an owner was freed. */
void replay_owner_freed(const void *owner);

/* Returns whether there is memory of a kind. */
bool replay_has_memory(enum memory_kind kind);

#define REPLAY_FILL_BYTES 65536 /* of a small fill, at most */

/* Some kernels share out their work by a counter in memory, which the program resets before each
 * launch: so small fills that a thread makes right before a launch are repeated with it. */
struct replay_fill {
	bool (*again)(
		const struct replay_fill *fill); /* repeats it; returns whether it succeeded */
	uintptr_t to;
	size_t count;
	void *stream;
	unsigned value, unit_bytes;
};

/* The calling thread has filled memory (fill is copied); or it did something else, so that its
 * fills so far do not come right before a launch. */
void replay_note_fill(const struct replay_fill *fill);
void replay_forget_fills(void);

#endif
