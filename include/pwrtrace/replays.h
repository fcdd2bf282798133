/* SPDX-License-Identifier: MIT */
/* Whether the repetitions of a replay do the work of the program's launches.  By this the engine
 * decides on cold caches, and the analyzer on which replays it uses. */
#ifndef PWRTRACE_REPLAYS_H
#define PWRTRACE_REPLAYS_H

#include <stdbool.h>

/* They do other work if they take more than so many times as long on the device, or the program's
 * launches do.  Clock rates alone change times by a tenth or two. */
#define PWRTRACE_REPLAY_UNLIKE 1.33

/* The program's launches find less in the device's cache than repetitions with a warm one if they
 * take more than so many times as long, and longer by so much.  Fills, which read nothing, take up
 * to 0.11 us longer where another kernel ran before (seen on an H200, of 0.7 to 3.4 us). */
#define PWRTRACE_REPLAY_LONGER 1.03
#define PWRTRACE_REPLAY_LONGER_NS 150

static inline bool pwrtrace_replay_is_longer(double own_ns, double warm_ns)
{
	return own_ns > PWRTRACE_REPLAY_LONGER * warm_ns &&
	       own_ns > warm_ns + PWRTRACE_REPLAY_LONGER_NS;
}

#endif
