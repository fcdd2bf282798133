/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/event_pairs.h"

#include <pthread.h>
#include <stdlib.h>

#include "preload/common/clock.h"
#include "preload/common/intern.h"
#include "preload/common/log.h"
#include "preload/common/table_lock.h"
#include "preload/engine/core/handles.h"
#include "preload/engine/gpu/device_clock.h"
#include "preload/engine/gpu/gpu_write.h"

/* The pairs of one thread in one home.  The thread takes them from its own list (spare); when that
 * is empty, it takes all at once that the collector has given back (returned).  So neither side
 * needs a lock.  It is never freed: when the thread ends, the next one that asks for such pairs has
 * it, while the collector may still hold some. */
struct pair_owner {
	struct pair_owner *next;
	const struct event_api *api;
	struct event_home home;
	struct event_pair *spare;
	struct event_pair *returned;
	bool aside; /* the collector's thread has set its capture mode for this home */
};

struct event_pair {
	struct event_pair *next;
	struct pair_owner *owner;
	void *begin, *end;
	struct device_clock_id clock;
	uint64_t enqueue_ns;
};

static __thread struct pair_owner *owners;
static struct pair_owner *ownerless; /* of threads that have ended; under table_lock */

static bool same_home(struct event_home a, struct event_home b)
{
	return a.handle == b.handle && a.id == b.id;
}

/* ---- the launching threads' side ---- */

static void free_pair(struct event_pair *pair)
{
	if (pair->begin)
		pair->owner->api->destroy(pair->begin);
	if (pair->end)
		pair->owner->api->destroy(pair->end);
	free(pair);
}

/* While a thread of the program captures a stream, creating an event would invalidate the capture,
 * unless the calling thread's capture mode is relaxed. */
static void *new_event(const struct pair_owner *owner)
{
	int mode = owner->api->exchange_capture_mode(CAPTURE_MODE_RELAXED);
	void *event = owner->api->create(owner->home);

	owner->api->exchange_capture_mode(mode);
	return event;
}

static struct event_pair *new_pair(struct pair_owner *owner)
{
	struct event_pair *pair = calloc(1, sizeof(*pair));

	if (!pair)
		return NULL;
	pair->owner = owner;
	pair->begin = new_event(owner);
	pair->end = new_event(owner);
	if (pair->begin && pair->end)
		return pair;
	free_pair(pair);
	return NULL;
}

/* Returns the place in a list where it is, or its end. */
static struct pair_owner **place_of(
	struct pair_owner **list, const struct event_api *api, struct event_home home)
{
	while (*list && ((*list)->api != api || !same_home((*list)->home, home)))
		list = &(*list)->next;
	return list;
}

static struct pair_owner *take_ownerless(const struct event_api *api, struct event_home home)
{
	struct pair_owner **place, *owner;

	table_lock();
	place = place_of(&ownerless, api, home);
	owner = *place;
	if (owner)
		*place = owner->next;
	table_unlock();
	return owner;
}

static struct pair_owner *new_owner(const struct event_api *api, struct event_home home)
{
	struct pair_owner *owner = calloc(1, sizeof(*owner));

	if (owner) {
		owner->api = api;
		owner->home = home;
	}
	return owner;
}

static pthread_key_t thread_ends;
static bool thread_ends_seen;

/* Other destructors may launch after this one: then it is called again. */
static void on_thread_end(void *unused)
{
	(void)unused;
	table_lock();
	while (owners) {
		struct pair_owner *owner = owners;

		owners = owner->next;
		owner->next = ownerless;
		ownerless = owner;
	}
	table_unlock();
}

static void see_thread_ends(void)
{
	thread_ends_seen = !pthread_key_create(&thread_ends, on_thread_end);
}

static void add_owner(struct pair_owner *owner)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, see_thread_ends);
	owner->next = owners;
	owners = owner;
	if (thread_ends_seen)
		pthread_setspecific(thread_ends, owner);
}

static struct pair_owner *owner_of(const struct event_api *api, struct event_home home)
{
	struct pair_owner *owner;

	if (!home.handle)
		return NULL;
	owner = *place_of(&owners, api, home);
	if (owner)
		return owner;
	owner = take_ownerless(api, home) ?: new_owner(api, home);
	if (owner)
		add_owner(owner);
	return owner;
}

static struct event_pair *take_pair(const struct event_api *api, struct event_home home)
{
	struct pair_owner *owner = owner_of(api, home);
	struct event_pair *pair;

	if (!owner)
		return NULL;
	if (!owner->spare)
		owner->spare = __atomic_exchange_n(&owner->returned, NULL, __ATOMIC_ACQUIRE);
	pair = owner->spare;
	if (!pair)
		return new_pair(owner);
	owner->spare = pair->next;
	if (!pair->begin && !(pair->begin = new_event(owner))) {
		free_pair(pair);
		return NULL;
	}
	return pair;
}

static void put_back(struct event_pair *pair)
{
	pair->next = pair->owner->spare;
	pair->owner->spare = pair;
}

uint32_t event_clock(struct event_home home)
{
	static struct intern homes;

	return home.handle ? intern(&homes, &home, sizeof(home)) : 0;
}

struct event_pair *event_pair_begin(const struct event_api *api, struct event_home home,
	void *stream, struct device_clock_id clock, uint64_t enqueue_ns)
{
	struct event_pair *pair = take_pair(api, home);

	if (!pair) {
		log_debug("no event pair can be had");
		return NULL;
	}
	pair->clock = clock;
	pair->enqueue_ns = enqueue_ns;
	if (api->record(pair->begin, stream))
		return pair;
	put_back(pair);
	return NULL;
}

bool event_pair_end(struct event_pair *pair, void *stream, bool ok)
{
	if (ok && pair->owner->api->record(pair->end, stream))
		return true;
	put_back(pair);
	return false;
}

/* ---- the collector's side ---- */

/* Events tell only the time since another event, as a float of milliseconds.  Each home has a
 * reference event that all times are counted from.  It is replaced each second, so that they are
 * exact to 0.1 us.  After a longer pause, which a float knows to a part in 2^24, it is replaced
 * before anything else is counted from it: all times are then late or early by the same, and so is
 * what the device's clock is seen to read. */
#define BASES_MAX 64
#define REBASE_MS 1000
#define BRACKET_NS_MAX (2 * PWRTRACE_NS_PER_MS)

static struct reference_event {
	const struct event_api *api;
	struct event_home home;
	void *event;
	uint64_t raw_ns; /* the time of the event by the clock of this home */
	void *stream;    /* of our own, so that reading the device's clock waits for no work */
	void *mark;      /* an event of our own in that stream */
	uint64_t marked_ns;
} bases[BASES_MAX];

/* Makes the first event of a pair the reference event of its home. */
static struct reference_event *make_base(struct reference_event *base, struct event_pair *pair)
{
	*base = (struct reference_event){.api = pair->owner->api,
		.home = pair->owner->home,
		.event = pair->begin,
		.raw_ns = pair->enqueue_ns};
	pair->begin = NULL;
	return base;
}

static struct reference_event *base_of(struct event_pair *pair)
{
	const struct pair_owner *owner = pair->owner;

	for (struct reference_event *base = bases; base < bases + BASES_MAX; base++) {
		if (!base->api)
			return make_base(base, pair);
		if (base->api != owner->api || base->home.handle != owner->home.handle)
			continue;
		return base->home.id == owner->home.id ? base : make_base(base, pair);
	}
	return NULL;
}

/* Negative, as a wrapped unsigned number, for an earlier event of another stream. */
static uint64_t elapsed_ns(float ms)
{
	return (uint64_t)(int64_t)((double)ms * 1e6);
}

static bool since(const struct reference_event *base, void *event, float *ms)
{
	int error = base->api->elapsed_ms(ms, base->event, event);

	if (error)
		log_debug("an event tells no time: %s error %d", base->api->name, error);
	return !error;
}

/* The resolution of hipEventElapsedTime; that of cuEventElapsedTime is half of it
 * (hip_runtime_api.h, cuda.h). */
#define RESOLUTION_NS 1000

/* Notes that the device's clock read g at some time from c0 to c1, within the resolution of events.
 */
static void note_clock(struct device_clock_id clock, uint64_t c0_ns, uint64_t c1_ns, uint64_t g_ns)
{
	device_clock_note(clock, c0_ns - RESOLUTION_NS, c1_ns + RESOLUTION_NS, g_ns);
}

/* Records an event of our own and waits for it: it happened between c0 and c1 of the host's clock.
 */
static void bracket(struct reference_event *base, struct device_clock_id clock)
{
	enum gpu_progress state = GPU_RUNNING;
	uint64_t c0_ns, c1_ns;
	float ms;

	c0_ns = c1_ns = clock_now_ns();
	if (!base->api->record(base->mark, base->stream))
		return;
	while (state == GPU_RUNNING && c1_ns - c0_ns < BRACKET_NS_MAX) {
		state = base->api->query(base->mark);
		c1_ns = clock_now_ns();
	}
	if (state == GPU_FINISHED && since(base, base->mark, &ms))
		note_clock(clock, c0_ns, c1_ns, base->raw_ns + elapsed_ns(ms));
}

static void look_at_clock(struct reference_event *base, struct device_clock_id clock)
{
	enum { TRIES = 8 };
	uint64_t now_ns = clock_now_ns();

	if ((base->marked_ns && now_ns - base->marked_ns < PWRTRACE_NS_PER_S) ||
		!base->api->enter(base->home))
		return;
	base->marked_ns = now_ns;
	if (!base->stream)
		base->stream = base->api->new_stream();
	if (!base->mark)
		base->mark = base->api->create(base->home);
	for (int i = 0; i < TRIES && base->stream && base->mark; i++)
		bracket(base, clock);
	base->api->leave();
}

/* Makes the first event of a pair the reference event, so much after the one before, which the pair
 * gets in exchange. */
static void move_base(struct reference_event *base, struct event_pair *pair, float ms)
{
	void *before = base->event;

	base->event = pair->begin;
	base->raw_ns += elapsed_ns(ms);
	pair->begin = before;
}

/* Returns whether the times could be read. */
static bool read_pair(struct event_pair *pair, uint64_t seen_ns, struct gpu_times *times)
{
	struct reference_event *base = base_of(pair);
	float begin_ms = 0, end_ms;

	if (!base || (pair->begin && !since(base, pair->begin, &begin_ms)))
		return false;
	if (begin_ms > REBASE_MS) {
		move_base(base, pair, begin_ms);
		begin_ms = 0;
	}
	if (!since(base, pair->end, &end_ms))
		return false;
	if (end_ms < begin_ms) {
		log_debug("an event pair ends %g ms before it begins", begin_ms - end_ms);
		return false;
	}
	*times = (struct gpu_times){PWRTRACE_UNKNOWN_U64, base->raw_ns + elapsed_ns(begin_ms),
		base->raw_ns + elapsed_ns(end_ms)};
	look_at_clock(base, pair->clock);
	/* The work began after the launch, and its duration before its end was seen at the latest.
	 */
	note_clock(pair->clock, pair->enqueue_ns, seen_ns - (times->end_ns - times->begin_ns),
		times->begin_ns);
	return true;
}

enum gpu_progress event_pair_poll(void *token, struct gpu_times *times)
{
	struct event_pair *pair = token;
	enum gpu_progress state;
	struct pair_owner *owner;

	if (!pair)
		return GPU_UNTIMED;
	owner = pair->owner;
	if (!owner->aside) {
		owner->api->exchange_capture_mode(CAPTURE_MODE_RELAXED);
		owner->aside = true;
	}
	state = owner->api->query(pair->end);
	if (state != GPU_FINISHED)
		return state;
	return read_pair(pair, clock_now_ns(), times) ? GPU_FINISHED : GPU_UNTIMED;
}

void event_pair_release(void *token)
{
	struct event_pair *pair = token;

	if (!pair)
		return;
	pair->next = __atomic_load_n(&pair->owner->returned, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&pair->owner->returned, &pair->next, pair, true,
		__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}
