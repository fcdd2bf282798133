/* SPDX-License-Identifier: MIT */
/*
 * Replays in bursts: a number of launches, each time after the device has been idle for a while, as
 * pwrtrace profile asks for them.  How long it idles is random, so that the readings of a sensor
 * meet each launch of a burst alike.
 */
#ifndef PWRTRACE_REPLAY_BURSTS_H
#define PWRTRACE_REPLAY_BURSTS_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the settings, once. */
void bursts_start(void);

/* How many launches a burst has; 0: replays are not made in bursts. */
uint64_t bursts_launches(void);

/* For how long the device idles in all bursts together. */
uint64_t bursts_idle_ns(void);

/* Lets the device, which has come to rest, idle before the next of all bursts; done: how many there
 * were.  Returns false, at once, where these were all.  Logs now and then how far it is.  One
 * thread at a time. */
bool bursts_idle(uint64_t done);

#endif
