/* SPDX-License-Identifier: MIT */
/*
 * Replay with a cold cache.  Repeated right after itself, a kernel finds in the device's cache what
 * it read or wrote before; in the program, others have run in between.  So unless the device took
 * as long for a replay's repetitions as for the program's launches, the kernel is repeated with
 * other memory read before each repetition, until it is known how long the device takes for that;
 * where this is longer, for as long as a replay lasts.  This begins as soon as the launches are
 * known to take longer, as what follows is all that counts then; where a cold cache turns out not
 * to matter, repetitions with a warm one go on for as long.  Where the program's launches take
 * less time than those repetitions, they find some of their data in the cache: then as many
 * repetitions find a cold one as make the mean time that of the program's launches.  The report
 * goes by the replay that is most like the program's, and by the reads alone that come before and
 * after it, at the same temperature and so at the same static power.
 *
 * Used by the thread that replays.
 */
#ifndef PWRTRACE_REPLAY_CACHE_H
#define PWRTRACE_REPLAY_CACHE_H

#include "preload/engine/replay/replay.h"

/* Returns the size of the device's cache; 0: there is none that can be filled with other data. */
static inline uint64_t cache_bytes(const struct replay *replay)
{
	const struct replay_device_api *api = replay->api->on_device;

	return api && api->cache_bytes ? api->cache_bytes() : 0;
}

/* A batch of repetitions has ended, which took so long; the last one if the replay's time is over.
 * Returns whether to go on with repetitions.  Before the first one with a cold cache, the event of
 * the replay so far is written; *replay is then that of another part. */
bool cache_go_on(struct replay *replay, uint64_t batch_ns);

/* Fills the cache with other data, if the next repetition is to find it cold.  Returns whether it
 * succeeded. */
bool cache_displace(struct replay *replay);

/* Returns whether no other memory is read before the repetitions. */
static inline bool cache_stays_warm(const struct replay *replay)
{
	return replay->cache.state == CACHE_WARM || replay->cache.state == CACHE_LEFT_WARM;
}

/* What a batch of such repetitions as are made now took at least. */
static inline uint64_t cache_fastest_ns(const struct replay *replay)
{
	return cache_stays_warm(replay) ? replay->cache.warm_ns : replay->cache.cold_ns;
}

/* Frees what was allocated for it. */
void cache_release(struct replay *replay);

#endif
