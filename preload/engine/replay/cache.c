/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/cache.h"

#include "preload/common/clock.h"
#include "preload/engine/replay/budget.h"
#include "preload/engine/replay/bursts.h"
#include "preload/engine/replay/classes.h"
#include "preload/engine/replay/outcomes.h"
#include "preload/engine/replay/sizes.h"
#include "preload/engine/replay/snapshot.h"

/* Where it is not known how long the program's launches take on the device: the cache matters if
 * repetitions take so many times as long with a cold one. */
#define LONGER 1.33
#define GAP_MOST_NS 1500. /* kernels of one stream follow each other within 1 to 1.3 us (H100) */

/* Takes memory as large as the cache.  Returns whether there is room for it, and it can be read. */
static bool take_memory(struct replay *replay)
{
	const struct replay_device_api *api = replay->api->on_device;
	uint64_t bytes = api && api->cache_bytes ? api->cache_bytes() : 0;

	if (!bytes || bytes > api->room() / 2 || !api->begin_reading())
		return false;
	replay->cache.memory = api->allocate(bytes);
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

bool cache_displace(const struct replay *replay)
{
	return replay->cache.state == CACHE_WARM ||
	       replay->api->on_device->read(
		       replay->cache.memory, replay->cache.bytes, replay->stream);
}

/* Whether the budget has room for another replay of the same launch. */
static bool can_go_on(const struct replay *replay, uint64_t now_ns)
{
	uint64_t restore_ns = budget_copy_ns(snapshot_target(replay), replay->snapshot.bytes);

	return budget_left_ns() >
	       now_ns - replay->begin_ns + restore_ns + classes_without_copies_ns(replay->usual_ns);
}

/* How long displacing alone takes, as often as in a batch; UINT64_MAX: it failed. */
static uint64_t displacing_ns(const struct replay *replay)
{
	uint64_t begin_ns = clock_now_ns();
	bool done = true;

	for (uint64_t i = 0; i < replay->batch && done; i++)
		done = cache_displace(replay);
	return done && replay->api->wait(replay->place) ? clock_now_ns() - begin_ns : UINT64_MAX;
}

/* Begins repetitions with a cold cache, as a part of their own, as they are unlike those so far. */
static bool go_cold(struct replay *replay)
{
	uint64_t now_ns = clock_now_ns();

	if (!can_go_on(replay, now_ns) || !take_memory(replay))
		return false;
	outcomes_write_part(replay, now_ns);
	budget_spend(now_ns - replay->begin_ns);
	replay->begin_ns = now_ns;
	replay->count = replay->tried = 0;
	return true;
}

/* After repetitions with a warm cache: begins a batch with a cold one, unless the program's
 * launches take as long, or how long will be known later (sizes.h). */
static bool try_it_cold(struct replay *replay)
{
	struct replay_times times;

	classes_end_warm(replay);
	times = classes_times(replay);
	if (bursts_launches() || (times.own_ns ? !sizes_are_longer(&times) : times.repeated_ns > 0))
		return false;
	classes_settle(replay);
	if (!go_cold(replay))
		return false;
	replay->cache.state = CACHE_TRIED;
	return true;
}

/* What the host sees between two repetitions, where their times on the device are known; more than
 * GAP_MOST_NS is time in which the device waited for launches. */
static double launch_gap_ns(const struct replay *replay, const struct replay_times *times)
{
	double each_ns = (double)replay->cache.warm_ns / (double)replay->batch;
	double gap_ns = times->repeated_ns ? each_ns - times->repeated_ns : 0;

	return gap_ns < 0 ? 0 : gap_ns > GAP_MOST_NS ? GAP_MOST_NS : gap_ns;
}

/* After that batch: whether those of a replay with a cold cache would be more like the program's
 * launches; where these are not known, whether the cache matters. */
static bool is_better_cold(struct replay *replay, uint64_t batch_ns)
{
	struct replay_times times = classes_times(replay);
	double warm = times.repeated_ns ?: (double)replay->cache.warm_ns / (double)replay->batch;
	uint64_t alone_ns = displacing_ns(replay);
	double cold;

	if (batch_ns <= alone_ns)
		return false;
	cold = (double)(batch_ns - alone_ns) / (double)replay->batch -
	       launch_gap_ns(replay, &times);
	return times.own_ns ? cold > warm && cold * warm < times.own_ns * times.own_ns
			    : cold > LONGER * warm;
}

static bool replay_it_cold(struct replay *replay, uint64_t batch_ns)
{
	if (!is_better_cold(replay, batch_ns))
		return false;
	replay->until_ns = clock_now_ns() + classes_length_ns();
	replay->cache.state = CACHE_COLD;
	return true;
}

bool cache_go_on(struct replay *replay, uint64_t batch_ns)
{
	switch (replay->cache.state) {
	case CACHE_WARM:
		/* The host may have been busy. */
		if (!replay->cache.warm_ns || batch_ns < replay->cache.warm_ns)
			replay->cache.warm_ns = batch_ns;
		return clock_now_ns() < replay->until_ns || try_it_cold(replay);
	case CACHE_TRIED:
		return replay_it_cold(replay, batch_ns);
	case CACHE_COLD:
		break;
	}
	return clock_now_ns() < replay->until_ns;
}
