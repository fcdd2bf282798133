/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/cache.h"

#include "preload/common/clock.h"
#include "preload/engine/replay/budget.h"
#include "preload/engine/replay/bursts.h"
#include "preload/engine/replay/classes.h"
#include "preload/engine/replay/outcomes.h"
#include "preload/engine/replay/snapshot.h"

/* A kernel that takes no more than this times as long with a cold cache may well be judged by
 * repetitions without it: those are used that differ by no more from the program's launches
 * (analyzer/load/find_replays.c). */
#define SLOWER 1.33

/* Takes memory as large as the cache.  Returns whether there is room for it. */
static bool take_memory(struct replay *replay)
{
	const struct replay_device_api *api = replay->api->on_device;
	uint64_t bytes = api && api->cache_bytes ? api->cache_bytes() : 0;

	if (!bytes || bytes > api->room() / 2)
		return false;
	replay->cache.memory = api->allocate(bytes);
	replay->cache.bytes = bytes;
	return replay->cache.memory != 0;
}

void cache_release(struct replay *replay)
{
	if (replay->cache.memory)
		replay->api->on_device->release(replay->cache.memory);
	replay->cache.memory = 0;
}

bool cache_overwrite(const struct replay *replay)
{
	return replay->cache.state == CACHE_WARM ||
	       replay->api->on_device->overwrite(
		       replay->cache.memory, replay->cache.bytes, replay->stream);
}

/* Whether the budget has room for another replay of the same launch. */
static bool can_go_on(const struct replay *replay, uint64_t now_ns)
{
	uint64_t restore_ns = budget_copy_ns(snapshot_target(replay), replay->snapshot.bytes);

	return budget_left_ns() >
	       now_ns - replay->begin_ns + restore_ns + classes_without_copies_ns(replay->usual_ns);
}

/* How long overwriting alone takes, as often as in a batch; UINT64_MAX: it failed. */
static uint64_t overwriting_ns(const struct replay *replay)
{
	uint64_t begin_ns = clock_now_ns();
	bool done = true;

	for (uint64_t i = 0; i < replay->batch && done; i++)
		done = cache_overwrite(replay);
	return done && replay->api->wait(replay->place) ? clock_now_ns() - begin_ns : UINT64_MAX;
}

/* What follows is a part of its own: its repetitions are unlike those so far. */
static bool try_it_cold(struct replay *replay)
{
	uint64_t now_ns = clock_now_ns();

	if (bursts_launches() || !can_go_on(replay, now_ns) || !take_memory(replay))
		return false;
	outcomes_write_part(replay, now_ns);
	budget_spend(now_ns - replay->begin_ns);
	replay->begin_ns = now_ns;
	replay->count = replay->tried = 0;
	replay->cache.state = CACHE_TRIED;
	return true;
}

static bool replay_it_cold(struct replay *replay, uint64_t batch_ns)
{
	uint64_t alone_ns = overwriting_ns(replay);

	if (batch_ns < alone_ns ||
		(double)(batch_ns - alone_ns) <= SLOWER * (double)replay->cache.warm_ns)
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
