/* SPDX-License-Identifier: MIT */
/*
 * The sizes of a class: with the same kernel, grid and block, a launch may do more or less work, by
 * its arguments, and takes another time.  Each size draws another power, so each is replayed.
 *
 * Which sizes there are is told by the times that the device took for the program's own launches.
 * Of which size a launch is shows only when it is repeated: a replay that meets one which was
 * replayed before ends after its first batch, and another launch is tried later, at a random
 * distance, since a program repeats itself.  Pure functions: the caller's lock protects the struct.
 */
#ifndef PWRTRACE_REPLAY_SIZES_H
#define PWRTRACE_REPLAY_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#define SIZES_MAX 4

/* Zeroed: nothing is known of it. */
struct replay_sizes {
	struct {
		uint64_t busy_ns; /* the sum of the times of its launches */
		uint32_t launches;
	} sizes[SIZES_MAX];
	uint32_t count;                  /* of them */
	uint64_t replayed_ns[SIZES_MAX]; /* the times that were replayed, or given up */
	uint32_t replays;                /* of them */
	uint32_t missed;   /* replays that met no wanted size, since the last one that did */
	uint32_t next_try; /* the number of the launch that may be tried next */
};

/* A launch of the program's took this time on the device.  Where the class has more than SIZES_MAX
 * sizes, those that come last are not told apart. */
void sizes_ran(struct replay_sizes *sizes, uint64_t time_ns);

/* Whether enough launches were timed to tell which sizes there are. */
bool sizes_are_known(const struct replay_sizes *sizes);

/* How many sizes matter, as they are not rare, and were not replayed; and for how long the device
 * was busy with the busiest of them.  0 if they are not known. */
uint32_t sizes_wanted(const struct replay_sizes *sizes);
uint64_t sizes_busy_ns(const struct replay_sizes *sizes);

/* Whether launches that take this time are of one of them. */
bool sizes_is_wanted(const struct replay_sizes *sizes, uint64_t time_ns);

/* How long a launch takes in the mean, of the size that is most like a time; 0 while there are too
 * few. */
double sizes_mean_ns(const struct replay_sizes *sizes, double time_ns);

/* How long a launch of the longest size takes in the mean; 0 if nothing is known. */
uint64_t sizes_longest_ns(const struct replay_sizes *sizes);

/* A replay of launches that take this time has ended, after so many launches of the class. */
void sizes_replayed(struct replay_sizes *sizes, uint64_t time_ns, uint32_t launches);

/* A replay met a size that was replayed before.  After some of them, the busiest one that was not
 * is given up. */
void sizes_missed(struct replay_sizes *sizes, uint32_t launches);

#endif
