/* SPDX-License-Identifier: MIT */
/*
 * The sizes of a class: with the same kernel, grid and block, a launch may do more or less work, by
 * its arguments, and takes another time.  Each size draws another power, so each is replayed.
 *
 * Which sizes there are is told by the times that the device took for the program's own launches.
 * Of which size a launch is shows only when it is repeated: a replay that meets one which was
 * replayed before ends once the device has told the times of its first repetitions, and another
 * launch is tried later, at a random distance, since a program repeats itself.
 *
 * The same times tell for which sizes the device's cache matters (cache.h): where the program's
 * launches take longer than repetitions.
 *
 * Pure functions: the caller's lock protects the struct.
 */
#ifndef PWRTRACE_REPLAY_SIZES_H
#define PWRTRACE_REPLAY_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#define SIZES_MAX 8
#define SIZES_REPLAYS_MAX 4

/* Executions, and the sum of their times on the device, as far as known. */
struct replay_busy {
	uint64_t busy_ns;
	uint32_t executions;
};

/* A launch that was replayed; or a size that was given up, by the mean time of its launches. */
struct size_replay {
	uint64_t each_ns; /* a repetition, as the host measures */
	/* When repetitions with a warm cache were launched; and from when on the first ones with a
	 * cold one. */
	uint64_t begin_ns, end_ns, cold_begin_ns;
	struct replay_busy warm, cold;
	bool settled; /* whether the cache matters was decided */
};

/* Of a class; zeroed: nothing is known. */
struct replay_sizes {
	struct replay_busy sizes[SIZES_MAX];     /* of the program's launches */
	struct replay_busy recovered[SIZES_MAX]; /* of those that no replay has disturbed */
	uint32_t count;                          /* of sizes */
	/* As they began.  There is room for one more while it is not known whether it is wanted. */
	struct size_replay replays[SIZES_REPLAYS_MAX + 1];
	uint32_t replay_count;
	uint32_t current;  /* the replay that was last begun, or gone on with; replay_count: none */
	uint32_t missed;   /* replays that met nothing wanted, since the last one that did */
	uint32_t next_try; /* the number of the launch that may be tried next */
};

/* What a replay has met. */
enum size_met {
	SIZE_UNKNOWN,     /* the device has not told the times of enough repetitions */
	SIZE_WANTED,      /* a size that matters and was not replayed */
	SIZE_WANTED_COLD, /* one that is to be replayed with a cold cache, too */
	SIZE_UNWANTED
};

/* A launch of the program's took this time on the device; recovered: it was long after a replay.
 * Where the class has more than SIZES_MAX sizes, those that come last are not told apart.  Of those
 * that have recovered, the last ones tell the mean: the program's first launches may be slower. */
void sizes_ran(struct replay_sizes *sizes, uint64_t time_ns, bool recovered);

/* A repetition that was launched at launched_ns took this time on the device: one of the current
 * replay, or it is too late. */
void sizes_repeated(struct replay_sizes *sizes, uint64_t launched_ns, uint64_t time_ns);

/* Whether enough launches were timed to tell which sizes there are. */
bool sizes_are_known(const struct replay_sizes *sizes);

/* Whether enough of them, that no replay has disturbed, were timed to tell how long those of a size
 * take.  Never of kernels below 10 us, of which a program's first launches are slower. */
bool sizes_are_timed(const struct replay_sizes *sizes);

/* For how long the device was busy with launches of all sizes, as far as known. */
uint64_t sizes_ran_ns(const struct replay_sizes *sizes);

/* How many sizes are wanted, with a warm cache or a cold one: they matter, as they are not rare.
 * And for how long the device was busy with the busiest of them.  0 if they are not known. */
uint32_t sizes_wanted(const struct replay_sizes *sizes);
uint64_t sizes_busy_ns(const struct replay_sizes *sizes);

/* How long a launch of the longest size takes in the mean; 0 if nothing is known. */
uint64_t sizes_longest_ns(const struct replay_sizes *sizes);

/* The mean times, on the device, of the repetitions of the current replay, with a warm cache and
 * with a cold one, and of the program's launches of that size; 0: too few. */
struct replay_times {
	double warm_ns, cold_ns, own_ns;
};
struct replay_times sizes_times(const struct replay_sizes *sizes);

/* Whether the program's launches take so much longer that repetitions with a cold cache may be more
 * like them. */
bool sizes_are_longer(const struct replay_times *times);

/* Whether that is known while repetitions of the current replay go on with a warm cache. */
bool sizes_are_longer_yet(const struct replay_sizes *sizes);

/* Whether repetitions take longer with a cold cache, and so do the program's launches; where the
 * times of these are not known, much longer. */
bool sizes_are_slower_cold(const struct replay_times *times);

/* The part of the repetitions that are to find a cold cache, so that the mean time of all is that
 * of the program's launches; 1 where the times of these are not known, or as long as cold ones. */
double sizes_cold_share(const struct replay_times *times);

/* A replay of launches that take this time, as the host measures, began at begin_ns: it is the
 * current one now. */
void sizes_begin(struct replay_sizes *sizes, uint64_t each_ns, uint64_t begin_ns);

/* Returns what the current replay, which has just begun, has met.  waits: if the device has not
 * told enough, that is SIZE_UNKNOWN; otherwise the host's time decides then.  Where it is wanted
 * with a cold cache, an earlier one of that size is the current one from now on; what is unwanted
 * is forgotten. */
enum size_met sizes_meet(struct replay_sizes *sizes, bool waits);

/* Of the current replay: its repetitions with a warm cache ended at end_ns; those with a cold one
 * began at begin_ns; whether a cold one matters was decided. */
void sizes_end(struct replay_sizes *sizes, uint64_t end_ns);
void sizes_begin_cold(struct replay_sizes *sizes, uint64_t begin_ns);
void sizes_settle(struct replay_sizes *sizes);

/* Whether a decision about the current replay awaits times of repetitions that were made. */
bool sizes_await_times(const struct replay_sizes *sizes);

/* A replay has ended, after so many launches of the class: one of something wanted, or (missed)
 * not. After some of the latter, what was wanted most is given up. */
void sizes_try_later(struct replay_sizes *sizes, uint32_t launches);
void sizes_missed(struct replay_sizes *sizes, uint32_t launches);

#endif
