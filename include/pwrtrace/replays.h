/* SPDX-License-Identifier: MIT */
/* Whether what a replay repeats does the work of the program's launches, for the engine, which
 * decides on cold caches by it, and the analyzer, which decides what is used. */
#ifndef PWRTRACE_REPLAYS_H
#define PWRTRACE_REPLAYS_H

/* It does other work if its time on the device is more than this times the program's, or less than
 * the program's by this factor.  Clock rates alone change times by a tenth or two. */
#define PWRTRACE_REPLAY_UNLIKE 1.33

#endif
