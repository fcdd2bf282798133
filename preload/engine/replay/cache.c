/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/cache.h"

#include "preload/common/clock.h"
#include "preload/engine/replay/budget.h"
#include "preload/engine/replay/bursts.h"
#include "preload/engine/replay/class.h"
#include "preload/engine/replay/classes.h"
#include "preload/engine/replay/outcomes.h"
#include "preload/engine/replay/sizes.h"
#include "preload/engine/replay/snapshot.h"
#include "pwrtrace/replays.h"

/* How many pieces of memory, each as large as the cache, are read in turns: nothing of a piece is
 * in the cache when it is read again, and so each read takes the same time and energy. */
#define TURNS 2

/* Takes the memory that is read.  Returns whether there is room for it, and it can be read. */
static bool take_memory(struct replay *replay)
{
	const struct replay_device_api *api = replay->api->on_device;
	uint64_t bytes = cache_bytes(replay);

	if (!bytes || TURNS * bytes > api->room() / 2 || !api->begin_reading())
		return false;
	replay->cache.memory = api->allocate(TURNS * bytes);
	replay->cache.bytes = bytes;
	if (!replay->cache.memory)
		api->end_reading();
	return replay->cache.memory != 0;
}

void cache_release(struct replay *replay)
{
	if (!replay->cache.memory)
		return;
	replay->api->on_device->release(replay->cache.memory);
	replay->api->on_device->end_reading();
	replay->cache.memory = 0;
}

static bool read_memory(struct replay *replay)
{
	uintptr_t part = replay->cache.memory + replay->cache.reads++ % TURNS * replay->cache.bytes;

	return replay->api->on_device->read(part, replay->cache.bytes, replay->stream);
}

bool cache_displace(struct replay *replay)
{
	struct replay_cache *cache = &replay->cache;

	if (cache_stays_warm(replay))
		return true;
	/* The repetitions that were cut short for this come first. */
	if (cache->state == CACHE_UNREAD)
		return cache->cut_short && clock_now_ns() < replay->until_ns;
	cache->due += cache->share;
	if (cache->due < 1)
		return true;
	cache->due -= 1;
	return read_memory(replay);
}

/* Whether the budget has room for so many further replays of the same launch, and for reads alone.
 */
static bool can_go_on(const struct replay *replay, unsigned replays)
{
	uint64_t restore_ns = budget_copy_ns(snapshot_target(replay), replay->snapshot.bytes);

	return budget_left_ns() > clock_now_ns() - replay->begin_ns + class_length_ns() +
					  restore_ns +
					  replays * class_without_copies_ns(replay->usual_ns);
}

/* How long displacing alone takes, as often as in a batch; UINT64_MAX: it failed. */
static uint64_t displacing_ns(struct replay *replay)
{
	uint64_t begin_ns = clock_now_ns();
	bool done = true;

	for (uint64_t i = 0; i < replay->batch && done; i++)
		done = read_memory(replay);
	return done && replay->api->wait(replay->place) ? clock_now_ns() - begin_ns : UINT64_MAX;
}

/* Begins another part of the replay, which is to last as long as the others. */
static void begin_part(struct replay *replay)
{
	uint64_t now_ns = clock_now_ns();

	outcomes_write_part(replay, now_ns);
	budget_spend(now_ns - replay->begin_ns);
	replay->begin_ns = now_ns;
	replay->until_ns = now_ns + class_length_ns();
	replay->count = replay->tried = 0;
	replay->cache.cold_ns = 0;
	replay->slow_batches = 0;
}

/* Half of the reads alone, as a part of their own.  Returns whether they succeeded.  Repetitions
 * and reads take turns in what the sensor sees, and the power of reads is subtracted from that: the
 * error of the difference is least where the reads alone are the same part of the repetitions' time
 * as the reads among these. */
static bool read_alone(struct replay *replay)
{
	double part = 0;

	begin_part(replay);
	do {
		uint64_t alone_ns = displacing_ns(replay);
		double reads_ns = replay->cache.share * (double)alone_ns;

		if (alone_ns == UINT64_MAX)
			return false;
		part = reads_ns / (reads_ns + (double)replay->cache.warm_ns);
	} while ((double)(clock_now_ns() - replay->begin_ns) < part * class_length_ns() / 2);
	return true;
}

/* Tries repetitions with a cold cache, as a part of their own, as they are unlike those so far. */
static bool try_cold(struct replay *replay)
{
	if (!can_go_on(replay, 1) || !take_memory(replay))
		return false;
	replay->cache.state = read_memory(replay) ? CACHE_TRIED : CACHE_UNREAD;
	replay->cache.share = 1;
	begin_part(replay);
	classes_begin_cold(replay);
	return true;
}

/* After repetitions with a warm cache: goes on with a cold one, unless the program's launches take
 * as long, or how long will be known later (sizes.h). */
static bool go_cold(struct replay *replay)
{
	struct replay_times times;

	classes_end_warm(replay);
	times = classes_times(replay);
	if (bursts_launches() || (times.own_ns ? !sizes_are_longer(&times) : times.warm_ns > 0))
		return false;
	if (try_cold(replay))
		return true;
	classes_settle(replay);
	return false;
}

/* Whether to try a cold cache at once, and then have time for what turns out to be the program's.
 */
static bool can_be_cut_short(const struct replay *replay)
{
	return classes_compare_times(replay) && classes_are_longer(replay) && can_go_on(replay, 2);
}

/* After a batch with a warm cache. */
static bool judge_warm(struct replay *replay)
{
	struct replay_cache *cache = &replay->cache;
	bool in_time = clock_now_ns() < replay->until_ns;

	if (in_time && !can_be_cut_short(replay))
		return true;
	cache->cut_short = in_time;
	if (go_cold(replay))
		return true;
	cache->state = CACHE_LEFT_WARM;
	return in_time;
}

/* Makes up for repetitions with a warm cache that were cut short. */
static bool go_warm(struct replay *replay)
{
	if (!replay->cache.cut_short || !can_go_on(replay, 1))
		return false;
	begin_part(replay);
	replay->cache.state = CACHE_LEFT_WARM;
	return true;
}

/* Whether the cache matters, by what the host sees. */
static bool matters_by_host(struct replay *replay, uint64_t batch_ns)
{
	uint64_t alone_ns = displacing_ns(replay);

	return batch_ns > alone_ns &&
	       (double)(batch_ns - alone_ns) >
		       PWRTRACE_REPLAY_UNLIKE * (double)replay->cache.warm_ns;
}

/* Goes on with repetitions with a cold cache, as a part of their own, between two of reads alone.
 * Where the program's launches find some of their data in the cache, they are cold ones among warm
 * ones, as many as make the mean time that of the program's. */
static void go_on_cold(struct replay *replay, const struct replay_times *times)
{
	struct replay_cache *cache = &replay->cache;

	if (!can_go_on(replay, 1))
		return;
	cache->share = sizes_cold_share(times);
	cache->state = read_alone(replay) ? CACHE_COLD_BETWEEN : CACHE_UNREAD;
	begin_part(replay);
}

/* After a batch with a cold cache.  The host's spans charge the kernel with what it has left to be
 * written back while the other memory is read: so where the device's times come, they decide. */
static bool judge_cold(struct replay *replay, uint64_t batch_ns)
{
	struct replay_times times = classes_times(replay);
	bool in_time = clock_now_ns() < replay->until_ns, matters;

	if (in_time && times.warm_ns && !times.cold_ns)
		return true;
	classes_settle(replay);
	replay->cache.state = CACHE_COLD;
	matters = in_time && (times.warm_ns ? sizes_are_slower_cold(&times)
					    : matters_by_host(replay, batch_ns));
	if (!matters)
		return go_warm(replay);
	go_on_cold(replay, &times);
	return true;
}

/* The host may have been busy during others. */
static void note_time(uint64_t *least_ns, uint64_t batch_ns)
{
	if (!*least_ns || batch_ns < *least_ns)
		*least_ns = batch_ns;
}

bool cache_go_on(struct replay *replay, uint64_t batch_ns)
{
	note_time(cache_stays_warm(replay) ? &replay->cache.warm_ns : &replay->cache.cold_ns,
		batch_ns);
	switch (replay->cache.state) {
	case CACHE_WARM:
		return judge_warm(replay);
	case CACHE_TRIED:
		return judge_cold(replay, batch_ns);
	case CACHE_UNREAD:
		return true;
	case CACHE_LEFT_WARM:
	case CACHE_COLD:
	case CACHE_COLD_BETWEEN:
		break;
	}
	if (clock_now_ns() < replay->until_ns)
		return true;
	if (replay->cache.state == CACHE_COLD_BETWEEN)
		read_alone(replay);
	return false;
}
