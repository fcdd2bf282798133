/* SPDX-License-Identifier: MIT */
/*
 * The sizes of a class: with the same kernel, grid and block, a launch may do more or less work, by
 * its arguments, and takes another time.  Each size draws another power, so each is replayed.
 *
 * After a class was replayed, a few of its further launches run alone and are timed, at random
 * distances, since a program repeats itself.  A time that no replay had, and that was seen twice,
 * is that of another size: the class is to be replayed again, at a launch that takes this time.
 * Which launch does is known only when it has run once: a replay that finds another time ends after
 * one repetition.  Pure functions: the caller's lock protects the struct.
 */
#ifndef PWRTRACE_REPLAY_SIZES_H
#define PWRTRACE_REPLAY_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#define SIZES_MAX 4

struct replay_sizes {
	uint64_t replayed_ns[SIZES_MAX]; /* the times that were replayed, or given up */
	uint32_t count;                  /* of them */
	uint32_t looks;                  /* launches that were timed after the first replay */
	uint32_t next_look;              /* the number of the launch that is timed next */
	uint32_t missed;                 /* launches of other sizes that the wanted one has met */
	uint64_t seen_ns;                /* a new time that was seen once; 0: none */
	uint64_t wanted_ns;              /* the time of the size that is to be replayed; 0: none */
};

/* Whether two times that the host measured are of one size. */
bool sizes_alike(uint64_t a_ns, uint64_t b_ns);

/* A replay of launches that take this time has ended, after so many launches of the class. */
void sizes_add(struct replay_sizes *sizes, uint64_t time_ns, uint32_t launches);

/* Whether the launch of this number is to be timed. */
bool sizes_look(const struct replay_sizes *sizes, uint32_t launch);

/* A launch of this number, which ran alone, took a time.  Sets wanted_ns where that is of a size
 * that is to be replayed. */
void sizes_seen(struct replay_sizes *sizes, uint64_t time_ns, uint32_t launch);

/* A replay that wanted a size met a launch of another one.  Returns whether to try again; if not,
 * the size is given up. */
bool sizes_missed(struct replay_sizes *sizes, uint32_t launches);

#endif
