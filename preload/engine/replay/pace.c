/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/pace.h"

#include "preload/common/clock.h"
#include "preload/engine/replay/bursts.h"
#include "preload/engine/replay/cache.h"
#include "preload/engine/replay/class.h"

#define PAUSE_MAX_NS (4 * REPLAY_BATCH_NS) /* longer kernels meet the limit in the program, too */
/* A batch is slow that takes 3 % longer than the fastest one; a clock that falls makes more of
 * that.  Of one or two the host may be the reason. */
#define SLOW 1.03
#define SLOW_BATCHES 3

/* Whether the device has lowered its clock, as repetitions take longer. */
static bool has_slowed(struct replay *replay, uint64_t batch_ns)
{
	if (replay->slow_batches < SLOW_BATCHES)
		replay->slow_batches = (double)batch_ns > SLOW * (double)replay->cache.warm_ns
					       ? replay->slow_batches + 1
					       : 0;
	return replay->slow_batches == SLOW_BATCHES;
}

void pace_keep(struct replay *replay, uint64_t batch_ns)
{
	bool second_half = clock_now_ns() + class_length_ns() / 2 >= replay->until_ns;

	if (!cache_stays_warm(replay) || bursts_launches())
		return;
	if (has_slowed(replay, batch_ns) || second_half)
		clock_wait(batch_ns < PAUSE_MAX_NS ? batch_ns : PAUSE_MAX_NS);
}
