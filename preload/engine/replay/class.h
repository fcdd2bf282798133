/* SPDX-License-Identifier: MIT */
/* One class of launches: how long its replays are, how busy it is, and whether and why it is left
 * alone.  classes.c has the table, and the lock that protects each struct. */
#ifndef PWRTRACE_REPLAY_CLASS_H
#define PWRTRACE_REPLAY_CLASS_H

#include "preload/engine/replay/replay.h"
#include "preload/engine/replay/sizes.h"

struct replay_class {
	const struct replay_api *api;
	void *place;
	uint32_t kernel, device;
	uint32_t launches;
	uint32_t tried;       /* how often the program could not be suspended */
	uint64_t usual_ns;    /* 0: not timed yet */
	uint64_t last_ran_ns; /* how long the program had run at its last launch */
	uint64_t times_by_ns; /* until it has run for so long, the times of its launches are
			       * awaited; 0: they are not needed */
	bool weighed, chosen; /* the last choice considered it, and chose it */
	bool done;            /* it is left alone, but for other sizes where it was replayed */
	struct replay_sizes sizes;
};

/* Sets, once, for how long each class is launched alone; returns it. */
void class_set_length(uint64_t each_ns);
uint64_t class_length_ns(void);

/* Returns how long a replay takes without the copies of memory. */
uint64_t class_without_copies_ns(uint64_t usual_ns);

/* Returns whether a replay of it, or of another size of it, is still to be made. */
bool class_is_due(const struct replay_class *class);

/* The same, but not if it has not been launched lately.  ran_ns: how long the program has run. */
bool class_is_waiting(const struct replay_class *class, uint64_t ran_ns);

/* Returns whether it is not known yet how long its launches take on the device, by which it is
 * decided whether they are replayed with a cold cache, and will be soon. */
bool class_awaits_times(const struct replay_class *class, uint64_t ran_ns);

/* Returns whether it has been launched lately, was replayed, and may turn out to have other sizes.
 */
bool class_may_have_others(const struct replay_class *class, uint64_t ran_ns);

/* Returns the time that a launch takes at most. */
uint64_t class_usual_ns(const struct replay_class *class);

/* Returns how many replays it waits for: one for each size, once sizes are known. */
uint32_t class_replays(const struct replay_class *class);

/* Returns what a replay of it takes, with copies of memory that take copies_ns. */
uint64_t class_cost_ns(const struct replay_class *class, uint64_t copies_ns);

/* The same with the copies of what it may reach; assumed_ns: for them where that is not known. */
uint64_t class_replay_ns(const struct replay_class *class, uint64_t assumed_ns);

/* Return for how long it kept the device busy: with all of its sizes, and with the busiest one that
 * is wanted, once sizes are known. */
uint64_t class_all_busy_ns(const struct replay_class *class);
uint64_t class_busy_ns(const struct replay_class *class);

/* A reason, told from others by its address. */
extern const char class_hardly_ran[];

/* Returns why it was left alone, as a constant string; NULL where the program has ended before a
 * launch of another size was met.  all_ns: for how long the device was busy with all classes. */
const char *class_why_left(const struct replay_class *class, uint64_t all_ns);

#endif
