/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/pace.h"

#include "preload/common/clock.h"
#include "preload/engine/replay/bursts.h"
#include "preload/engine/replay/classes.h"

#define PAUSE_MAX_NS (4 * REPLAY_BATCH_NS) /* longer kernels meet the limit in the program, too */

void pace_keep(const struct replay *replay, uint64_t batch_ns)
{
	bool second_half = clock_now_ns() + classes_length_ns() / 2 >= replay->until_ns;

	if (second_half && replay->cache.state == CACHE_WARM && !bursts_launches())
		clock_wait(batch_ns < PAUSE_MAX_NS ? batch_ns : PAUSE_MAX_NS);
}
