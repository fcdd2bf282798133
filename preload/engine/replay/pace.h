/* SPDX-License-Identifier: MIT */
/*
 * The pace of repetitions.  Without pauses a kernel may draw as much as the device is allowed to,
 * which then lowers its clock; in the program, where other kernels run in between, it has its full
 * clock.  (An H100 of 700 W: products draw 950 W for 25 to 60 ms and are 10 % slower from then on;
 * an H200: after 40 to 80 ms; with as long pauses the clock of both is back within 60 ms.)  So
 * there are pauses as soon as repetitions have become slower.  (An H200: a product that draws 930
 * W, with a cold cache and without pauses, ran at 1870 MHz in place of 1980.)
 *
 * Where nothing is read between repetitions, there are pauses in the middle half of a replay in any
 * case: what the device draws more without them is the kernel's, and a static power that drifts
 * along a straight line is the same in the mean of both.
 *
 * Used by the thread that replays.
 */
#ifndef PWRTRACE_REPLAY_PACE_H
#define PWRTRACE_REPLAY_PACE_H

#include "preload/engine/replay/replay.h"

/* A batch of repetitions has ended, which took so long, and another one follows: waits as long, 20
 * ms at most, if there is to be a pause. */
void pace_keep(struct replay *replay, uint64_t batch_ns);

#endif
