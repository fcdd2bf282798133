/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/pace.h"

#include "preload/common/clock.h"
#include "preload/engine/replay/bursts.h"
#include "preload/engine/replay/cache.h"
#include "preload/engine/replay/class.h"

#define PAUSE_MAX_NS (4 * REPLAY_BATCH_NS) /* longer kernels meet the limit in the program, too */
/* A batch is slow that takes 2 % longer than the fastest one.  A lower clock makes repetitions
 * slower by more than that, but not the reads between them.  Of one or two slow batches the host
 * may be the reason. */
#define SLOW 1.02
#define SLOW_BATCHES 3
/* Batches of shorter kernels vary by more, as these wait for the host; nor do they draw as much. */
#define LONG_NS 10000

/* Whether the device has lowered its clock, as repetitions take longer. */
static bool has_slowed(struct replay *replay, uint64_t batch_ns)
{
	if (replay->each_ns >= LONG_NS && replay->slow_batches < SLOW_BATCHES)
		replay->slow_batches = (double)batch_ns > SLOW * (double)cache_fastest_ns(replay)
					       ? replay->slow_batches + 1
					       : 0;
	return replay->slow_batches == SLOW_BATCHES;
}

/* Whether between a quarter and three quarters of the time are over. */
static bool is_in_middle(const struct replay *replay)
{
	uint64_t now_ns = clock_now_ns(), quarter_ns = class_length_ns() / 4;

	return now_ns + 3 * quarter_ns >= replay->until_ns &&
	       now_ns + quarter_ns < replay->until_ns;
}

void pace_keep(struct replay *replay, uint64_t batch_ns)
{
	if (bursts_launches())
		return;
	if (has_slowed(replay, batch_ns) || (cache_stays_warm(replay) && is_in_middle(replay)))
		clock_wait(batch_ns < PAUSE_MAX_NS ? batch_ns : PAUSE_MAX_NS);
}
