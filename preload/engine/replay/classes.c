/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/classes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/clock.h"
#include "preload/common/intern.h"
#include "preload/engine/replay/budget.h"
#include "preload/engine/replay/bursts.h"
#include "preload/engine/replay/choice.h"
#include "preload/engine/replay/known.h"
#include "preload/engine/replay/sizes.h"
#include "preload/engine/replay/snapshot.h"

#define TRIES 3          /* to suspend the program: the host may have been busy */
#define LAUNCHES_LEAST 3 /* the first is left alone, the second is timed */
#define CHOOSE_NS (100 * PWRTRACE_NS_PER_MS)

struct class_key {
	uint32_t kernel, device;
};

struct replay_class {
	const struct replay_api *api;
	void *place;
	uint32_t launches;
	uint32_t tried;       /* how often the program could not be suspended */
	uint64_t usual_ns;    /* 0: not timed yet */
	uint64_t last_ran_ns; /* how long the program had run at its last launch */
	bool weighed, chosen; /* the last choice considered it, and chose it */
	bool done;
	struct replay_sizes sizes; /* since it was replayed for the first time */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct intern keys;
static struct replay_class *classes;        /* by id */
static struct replay_candidate *candidates; /* as many */
static uint32_t room;
static uint64_t length_ns;
static uint64_t first_ns;  /* when the program launched something for the first time */
static uint64_t chosen_ns; /* when the last choice was made; 0: it is out of date */

void classes_start(uint64_t each_ns)
{
	length_ns = each_ns;
}

uint64_t classes_length_ns(void)
{
	return length_ns;
}

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

uint64_t classes_without_copies_ns(uint64_t usual_ns)
{
	return length_ns + 2 * usual_ns + REPLAY_BATCH_NS;
}

static uint64_t cost_ns(const struct replay_class *class, uint64_t copies_ns)
{
	return classes_without_copies_ns(class->usual_ns) + copies_ns;
}

/* A class that was launched only in the first half of the run, as for initialization, is not
 * counted. One second is tolerance for busy hosts. */
static bool is_waiting(const struct replay_class *class, uint64_t now_ran_ns)
{
	return class->launches && !class->done &&
	       class->last_ran_ns + PWRTRACE_NS_PER_S >= now_ran_ns / 2;
}

static void choose(void)
{
	struct choice_terms terms = {budget_all_ns(), budget_left_ns(), ran_ns()};
	uint32_t ids = room, count = 0;
	void *place = NULL;
	uint64_t copies_ns = 0; /* of place, which most classes share */

	for (uint32_t id = 1; id < ids; id++) {
		struct replay_class *class = &classes[id];

		class->weighed = class->chosen = false;
		if (!is_waiting(class, terms.ran_ns))
			continue;
		if (class->place != place) {
			place = class->place;
			copies_ns = snapshot_copies_ns(class->api, place, terms.left_ns / 2);
		}
		class->weighed = class->usual_ns != 0;
		candidates[count++] = (struct replay_candidate){.class_id = id,
			.busy_ns = class->launches * class->usual_ns,
			.cost_ns = cost_ns(class, copies_ns)};
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
	if (class->launches == 1 || budget_left_ns() < length_ns)
		return REPLAY_NOTHING;
	if (class->done)
		return sizes_look(&class->sizes, class->launches) ? REPLAY_TIME : REPLAY_NOTHING;
	if (class->sizes.wanted_ns && class->launches < class->sizes.next_look)
		return REPLAY_NOTHING;
	if (!class->usual_ns)
		return REPLAY_TIME;
	return is_chosen(class) ? REPLAY_TRY : REPLAY_NOTHING;
}

enum replay_step classes_step(struct replay *replay)
{
	struct class_key key = {replay->kernel, replay->device};
	enum replay_step step = REPLAY_NOTHING;
	struct replay_class *class;

	replay->class_id = intern(&keys, &key, sizeof(key));
	pthread_mutex_lock(&lock);
	if (!first_ns)
		first_ns = clock_now_ns();
	class = class_of(replay->class_id);
	if (class && !class->launches && !class->done)
		class->done = known_take(replay->kernel);
	if (class && (!class->done || class->sizes.count)) {
		class->launches++;
		class->api = replay->api;
		class->place = replay->place;
		class->last_ran_ns = ran_ns();
		step = step_of(class);
		if (step == REPLAY_TIME && replay->of_graph) {
			class->usual_ns = CLASSES_ASSUMED_NS;
			step = REPLAY_NOTHING;
		}
		replay->usual_ns = class->usual_ns;
		replay->of_size = class->sizes.count > 0;
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
	due = class->usual_ns == replay->usual_ns && step_of(class) == replay->step;
	pthread_mutex_unlock(&lock);
	return due;
}

static void look_at_size(struct replay_class *class, uint64_t time_ns)
{
	sizes_seen(&class->sizes, time_ns, class->launches);
	if (!class->sizes.wanted_ns)
		return;
	class->usual_ns = class->sizes.wanted_ns;
	class->done = false;
	chosen_ns = 0;
}

void classes_set_usual(const struct replay *replay, uint64_t usual_ns)
{
	struct replay_class *class;

	pthread_mutex_lock(&lock);
	class = &classes[replay->class_id];
	if (class->done)
		look_at_size(class, usual_ns);
	else
		class->usual_ns = usual_ns;
	pthread_mutex_unlock(&lock);
}

void classes_replayed(const struct replay *replay)
{
	struct replay_class *class;

	if (bursts_launches() || replay->of_graph)
		return;
	pthread_mutex_lock(&lock);
	class = &classes[replay->class_id];
	sizes_add(&class->sizes, replay->took_ns, class->launches);
	pthread_mutex_unlock(&lock);
}

void classes_missed(const struct replay *replay)
{
	struct replay_class *class;

	pthread_mutex_lock(&lock);
	class = &classes[replay->class_id];
	class->done = !sizes_missed(&class->sizes, class->launches);
	pthread_mutex_unlock(&lock);
}

bool classes_set_done(const struct replay *replay)
{
	bool first;

	pthread_mutex_lock(&lock);
	first = !classes[replay->class_id].done;
	classes[replay->class_id].done = true;
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
		count += is_waiting(&classes[id], ran_ns());
	pthread_mutex_unlock(&lock);
	return count;
}

static uint64_t replay_ns(const struct replay_class *class, uint64_t assumed_ns)
{
	return cost_ns(class, snapshot_copies_ns(class->api, class->place, assumed_ns));
}

static const char *why_left(const struct replay_class *class)
{
	uint64_t left_ns = budget_left_ns(), needed_ns = replay_ns(class, left_ns / 2);

	return needed_ns <= left_ns && class->last_ran_ns < needed_ns
		       ? "when it was last launched, the program had not run for as long as its "
			 "replay takes"
		       : "what was left of the budget of all replays was not enough";
}

void classes_left(
	void (*say)(uint32_t kernel, uint32_t device, uint64_t needed_ns, const char *reason))
{
	/* The thread that ends the process may have interrupted the one that holds the lock. */
	if (pthread_mutex_trylock(&lock))
		return;
	for (uint32_t id = 1; id < room; id++) {
		struct replay_class *class = &classes[id];
		const struct class_key *key;

		if (class->done || class->launches < LAUNCHES_LEAST)
			continue;
		class->done = true;
		key = (const void *)intern_get(&keys, id)->bytes;
		say(key->kernel, key->device, replay_ns(class, UINT64_MAX), why_left(class));
	}
	pthread_mutex_unlock(&lock);
}
