/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/classes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/clock.h"
#include "preload/common/intern.h"
#include "preload/engine/replay/budget.h"
#include "preload/engine/replay/cache.h"
#include "preload/engine/replay/choice.h"
#include "preload/engine/replay/class.h"
#include "preload/engine/replay/known.h"
#include "preload/engine/replay/program_state.h"
#include "preload/engine/replay/sizes.h"
#include "preload/engine/replay/snapshot.h"

#define TRIES 3          /* to suspend the program: the host may have been busy */
#define LAUNCHES_LEAST 3 /* the first is left alone, the second is timed */
#define CHOOSE_NS (100 * PWRTRACE_NS_PER_MS)
/* After repetitions, the program's launches take longer: they find others' data in the cache. */
#define RECOVERED_NS (5 * PWRTRACE_NS_PER_MS)
/* The profiler tells times ten times a second, and a program's first launches are slower than what
 * follows, by a tenth for the shortest kernels. */
#define TIMES_NS (500 * PWRTRACE_NS_PER_MS)
/* How long a replay awaits the device's times of its first repetitions. */
#define TOLD_NS (100 * PWRTRACE_NS_PER_MS)

/* What a launch and the profiler's record of its execution have in common. */
struct class_key {
	uint64_t global[3];
	uint32_t local[3];
	uint32_t name, shared_bytes, device;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct intern keys;
static struct replay_class *classes;        /* by id */
static struct replay_candidate *candidates; /* as many */
static uint32_t room;
static uint64_t first_ns;  /* when the program launched something for the first time */
static uint64_t chosen_ns; /* when the last choice was made; 0: it is out of date */

/* ---- the table: with lock held ---- */

static bool grow(uint32_t id)
{
	uint32_t wanted = 2 * id;
	struct replay_candidate *more_candidates =
		realloc(candidates, wanted * sizeof(*candidates));
	struct replay_class *more;

	if (!more_candidates)
		return false;
	candidates = more_candidates;
	more = realloc(classes, wanted * sizeof(*more));
	if (!more)
		return false;
	memset(more + room, 0, (wanted - room) * sizeof(*more));
	classes = more;
	room = wanted;
	return true;
}

/* Returns the class of an id, NULL if memory runs out. */
static struct replay_class *class_of(uint32_t id)
{
	return id && (id < room || grow(id)) ? &classes[id] : NULL;
}

/* ---- the choice ---- */

/* How long the program has run, without the time that replays took. */
static uint64_t ran_ns(void)
{
	uint64_t passed_ns = clock_now_ns() - first_ns;
	uint64_t spent_ns = budget_spent_ns();

	return passed_ns > spent_ns ? passed_ns - spent_ns : 0;
}

static uint64_t busy_with_all_ns(void)
{
	uint64_t sum_ns = 0;

	for (uint32_t id = 1; id < room; id++)
		sum_ns += class_all_busy_ns(&classes[id]);
	return sum_ns;
}

static void choose(void)
{
	struct choice_terms terms = {
		budget_all_ns(), budget_left_ns(), ran_ns(), busy_with_all_ns()};
	uint32_t ids = room, count = 0;
	void *place = NULL;
	uint64_t copies_ns = 0; /* of place, which most classes share */

	for (uint32_t id = 1; id < ids; id++) {
		struct replay_class *class = &classes[id];

		class->weighed = class->chosen = false;
		if (!class_is_waiting(class, terms.ran_ns) &&
			!class_may_have_others(class, terms.ran_ns))
			continue;
		if (class->place != place) {
			place = class->place;
			copies_ns = snapshot_copies_ns(class->api, place, terms.left_ns / 2);
		}
		class->weighed = class->usual_ns != 0;
		candidates[count++] = (struct replay_candidate){.class_id = id,
			.busy_ns = class_busy_ns(class),
			.cost_ns = class_cost_ns(class, copies_ns),
			.copies_ns = copies_ns,
			.reserves = !class_is_due(class),
			.others = class_replays(class) - 1,
			.awaits = class_awaits_times(class, terms.ran_ns)};
	}
	choice_make(candidates, count, &terms);
	for (uint32_t i = 0; i < count; i++)
		classes[candidates[i].class_id].chosen = candidates[i].chosen;
	chosen_ns = clock_now_ns();
}

static bool is_chosen(const struct replay_class *class)
{
	if (!chosen_ns || !class->weighed || clock_now_ns() - chosen_ns > CHOOSE_NS)
		choose();
	return class->chosen;
}

/* ---- one launch ---- */

static enum replay_step step_of(const struct replay_class *class)
{
	/* Without budget the program is not delayed any more, not even to time a launch. */
	if (class->launches == 1 || budget_left_ns() < class_length_ns())
		return REPLAY_NOTHING;
	if (!class_is_due(class) || class->launches < class->sizes.next_try)
		return REPLAY_NOTHING;
	if (!class->usual_ns)
		return REPLAY_TIME;
	return is_chosen(class) ? REPLAY_TRY : REPLAY_NOTHING;
}

static uint32_t id_of(uint32_t kernel_id, uint32_t device)
{
	const struct gpu_kernel *kernel = gpu_kernel(kernel_id);
	struct class_key key = {
		.name = kernel->name, .shared_bytes = kernel->shared_bytes, .device = device};

	memcpy(key.global, kernel->global, sizeof(key.global));
	memcpy(key.local, kernel->local, sizeof(key.local));
	return intern(&keys, &key, sizeof(key));
}

enum replay_step classes_step(struct replay *replay)
{
	enum replay_step step = REPLAY_NOTHING;
	struct replay_class *class;

	replay->class_id = id_of(replay->kernel, replay->device);
	pthread_mutex_lock(&lock);
	if (!first_ns)
		first_ns = clock_now_ns();
	class = class_of(replay->class_id);
	if (class && !class->launches && !class->done) {
		class->kernel = replay->kernel;
		class->device = replay->device;
		class->done = known_take(replay->kernel);
	}
	if (class && (!class->done || class->sizes.replay_count)) {
		class->launches++;
		class->api = replay->api;
		class->place = replay->place;
		class->last_ran_ns = ran_ns();
		/* By the times of launches it is decided whether they find a cold cache. */
		if (class->launches == 1 && classes_compare_times(replay) && cache_bytes(replay))
			class->times_by_ns = class->last_ran_ns + TIMES_NS;
		step = step_of(class);
		if (step == REPLAY_TIME && replay->of_graph) {
			class->usual_ns = CLASSES_ASSUMED_NS;
			step = REPLAY_NOTHING;
		}
		replay->usual_ns = class_usual_ns(class);
		replay->of_size = class->sizes.replay_count > 0;
	}
	pthread_mutex_unlock(&lock);
	return step;
}

bool classes_still_due(const struct replay *replay)
{
	const struct replay_class *class;
	bool due;

	pthread_mutex_lock(&lock);
	class = &classes[replay->class_id];
	due = step_of(class) == replay->step;
	pthread_mutex_unlock(&lock);
	return due;
}

void classes_set_usual(const struct replay *replay, uint64_t usual_ns)
{
	pthread_mutex_lock(&lock);
	classes[replay->class_id].usual_ns = usual_ns;
	pthread_mutex_unlock(&lock);
}

void classes_ran(uint32_t kernel, uint32_t device, uint64_t launched_ns, uint64_t time_ns)
{
	uint64_t after_ns = replay_launched_after_ns(launched_ns);
	uint32_t id = id_of(kernel, device);
	struct replay_class *class;

	pthread_mutex_lock(&lock);
	class = class_of(id);
	if (class && !after_ns)
		sizes_repeated(&class->sizes, launched_ns, time_ns);
	else if (class)
		sizes_ran(&class->sizes, time_ns, after_ns >= RECOVERED_NS);
	pthread_mutex_unlock(&lock);
}

void classes_begin(const struct replay *replay)
{
	pthread_mutex_lock(&lock);
	/* What classes_meet is asked of has begun in any case. */
	if (replay->of_size || classes_compare_times(replay))
		sizes_begin(&classes[replay->class_id].sizes, replay->each_ns, replay->begin_ns);
	pthread_mutex_unlock(&lock);
}

enum size_met classes_meet(const struct replay *replay)
{
	uint64_t repeated_ns = (replay->count - replay->tried) * replay->each_ns;
	bool waits = repeated_ns < TOLD_NS && clock_now_ns() < replay->until_ns;
	enum size_met met;

	pthread_mutex_lock(&lock);
	met = sizes_meet(&classes[replay->class_id].sizes, waits);
	pthread_mutex_unlock(&lock);
	return met;
}

static bool ask_sizes(
	const struct replay *replay, bool (*question)(const struct replay_sizes *sizes))
{
	bool answer;

	pthread_mutex_lock(&lock);
	answer = question(&classes[replay->class_id].sizes);
	pthread_mutex_unlock(&lock);
	return answer;
}

bool classes_await_times(const struct replay *replay)
{
	return ask_sizes(replay, sizes_await_times);
}

void classes_end_warm(const struct replay *replay)
{
	pthread_mutex_lock(&lock);
	sizes_end(&classes[replay->class_id].sizes, clock_now_ns());
	pthread_mutex_unlock(&lock);
}

void classes_begin_cold(const struct replay *replay)
{
	pthread_mutex_lock(&lock);
	sizes_begin_cold(&classes[replay->class_id].sizes, clock_now_ns());
	pthread_mutex_unlock(&lock);
}

bool classes_are_longer(const struct replay *replay)
{
	return ask_sizes(replay, sizes_are_longer_yet);
}

struct replay_times classes_times(const struct replay *replay)
{
	struct replay_times times;

	pthread_mutex_lock(&lock);
	times = sizes_times(&classes[replay->class_id].sizes);
	pthread_mutex_unlock(&lock);
	return times;
}

void classes_settle(const struct replay *replay)
{
	pthread_mutex_lock(&lock);
	sizes_settle(&classes[replay->class_id].sizes);
	pthread_mutex_unlock(&lock);
}

void classes_replayed(const struct replay *replay)
{
	struct replay_class *class;

	pthread_mutex_lock(&lock);
	class = &classes[replay->class_id];
	sizes_try_later(&class->sizes, class->launches);
	chosen_ns = 0;
	pthread_mutex_unlock(&lock);
}

void classes_missed(const struct replay *replay)
{
	struct replay_class *class;

	pthread_mutex_lock(&lock);
	class = &classes[replay->class_id];
	sizes_missed(&class->sizes, class->launches);
	pthread_mutex_unlock(&lock);
}

void classes_set_done(const struct replay *replay)
{
	pthread_mutex_lock(&lock);
	classes[replay->class_id].done = true;
	chosen_ns = 0;
	pthread_mutex_unlock(&lock);
}

bool classes_refuse(const struct replay *replay)
{
	struct replay_class *class;
	bool first;

	pthread_mutex_lock(&lock);
	class = &classes[replay->class_id];
	first = class_is_due(class);
	class->done = true;
	class->sizes.replay_count = 0;
	chosen_ns = 0;
	pthread_mutex_unlock(&lock);
	return first;
}

void classes_choose_again(void)
{
	pthread_mutex_lock(&lock);
	chosen_ns = 0;
	pthread_mutex_unlock(&lock);
}

bool classes_tried_in_vain(const struct replay *replay)
{
	bool enough;

	pthread_mutex_lock(&lock);
	enough = ++classes[replay->class_id].tried >= TRIES;
	pthread_mutex_unlock(&lock);
	return enough;
}

/* ---- all of them ---- */

unsigned classes_waiting(void)
{
	unsigned count = 0;

	pthread_mutex_lock(&lock);
	for (uint32_t id = 1; id < room; id++)
		count += class_is_waiting(&classes[id], ran_ns());
	pthread_mutex_unlock(&lock);
	return count;
}

void classes_left(
	void (*say)(uint32_t kernel, uint32_t device, uint64_t needed_ns, const char *reason))
{
	uint64_t all_ns;

	/* The thread that ends the process may have interrupted the one that holds the lock. */
	if (pthread_mutex_trylock(&lock))
		return;
	all_ns = busy_with_all_ns();
	for (uint32_t id = 1; id < room; id++) {
		struct replay_class *class = &classes[id];
		const char *why;

		if (!class_is_due(class) || class->launches < LAUNCHES_LEAST)
			continue;
		why = class_why_left(class, all_ns);
		if (why)
			say(class->kernel, class->device,
				class_replays(class) * class_replay_ns(class, UINT64_MAX), why);
		class->done = true;
	}
	pthread_mutex_unlock(&lock);
}
