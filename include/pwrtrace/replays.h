/* SPDX-License-Identifier: MIT */
/* Whether the repetitions of a replay do the work of the program's launches.  By this the engine
 * decides on cold caches, and the analyzer on which replays it uses. */
#ifndef PWRTRACE_REPLAYS_H
#define PWRTRACE_REPLAYS_H

/* They do other work if they take more than so many times as long on the device, or the program's
 * launches do.  Clock rates alone change times by a tenth or two. */
#define PWRTRACE_REPLAY_UNLIKE 1.33

/* The program's launches find less in the device's cache than repetitions if they take more than so
 * many times as long. */
#define PWRTRACE_REPLAY_LONGER 1.03

#endif
