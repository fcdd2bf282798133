/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/program_state.h"

#include <pthread.h>
#include <time.h>

#include "preload/common/clock.h"

#define SUSPEND_S 1

/* ---- threads ---- */

/* Calls of the program hold it for reading, a replay for writing. */
static pthread_rwlock_t calls = PTHREAD_RWLOCK_INITIALIZER;
/* How many calls (replay_call_begin), or replays, this thread is in. */
static __thread unsigned depth;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects memory */

void replay_call_begin(void)
{
	if (!depth++)
		pthread_rwlock_rdlock(&calls);
}

bool replay_call_try(void)
{
	if (!depth && pthread_rwlock_tryrdlock(&calls))
		return false;
	depth++;
	return true;
}

void replay_call_end(void)
{
	if (!--depth)
		pthread_rwlock_unlock(&calls);
}

static int captures;

void replay_count_captures(int change)
{
	__atomic_fetch_add(&captures, change, __ATOMIC_RELAXED);
}

bool replay_is_capture_running(void)
{
	return __atomic_load_n(&captures, __ATOMIC_RELAXED) > 0;
}

/* The last times during which repetitions were launched; places are used in turn. */
#define REPEATED_MAX 256
static pthread_mutex_t repeated_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	uint64_t begin_ns, end_ns; /* UINT64_MAX: it has not ended */
} repeated[REPEATED_MAX];
static uint32_t repeated_count; /* also of those that were forgotten */

static void note_repetitions(bool begin)
{
	pthread_mutex_lock(&repeated_lock);
	if (begin) {
		repeated[repeated_count % REPEATED_MAX].begin_ns = clock_now_ns();
		repeated[repeated_count++ % REPEATED_MAX].end_ns = UINT64_MAX;
	} else if (repeated_count &&
		   repeated[(repeated_count - 1) % REPEATED_MAX].end_ns == UINT64_MAX) {
		repeated[(repeated_count - 1) % REPEATED_MAX].end_ns = clock_now_ns();
	}
	pthread_mutex_unlock(&repeated_lock);
}

uint64_t replay_launched_after_ns(uint64_t launched_ns)
{
	uint64_t after_ns;
	uint32_t known;

	pthread_mutex_lock(&repeated_lock);
	known = repeated_count < REPEATED_MAX ? repeated_count : REPEATED_MAX;
	after_ns = known < repeated_count ? 0 : UINT64_MAX;
	for (uint32_t i = repeated_count; i > repeated_count - known; i--) {
		uint64_t end_ns = repeated[(i - 1) % REPEATED_MAX].end_ns;

		if (launched_ns < repeated[(i - 1) % REPEATED_MAX].begin_ns)
			continue;
		after_ns = launched_ns < end_ns ? 0 : launched_ns - end_ns;
		break;
	}
	pthread_mutex_unlock(&repeated_lock);
	return after_ns;
}

bool replay_suspend_program(bool repeats)
{
	struct timespec until;

	if (depth)
		return false;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += SUSPEND_S;
	if (pthread_rwlock_clockwrlock(&calls, CLOCK_MONOTONIC, &until))
		return false;
	depth = 1;
	if (!replay_is_capture_running()) {
		if (repeats)
			note_repetitions(true);
		return true;
	}
	replay_resume_program();
	return false;
}

void replay_resume_program(void)
{
	note_repetitions(false);
	replay_call_end();
}

void replay_forget_program(void)
{
	calls = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
	lock = repeated_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	depth = 0;
}

/* ---- what forbids replays ---- */

static const char *forbidden;

void replay_forbid(const char *why)
{
	if (why && !__atomic_load_n(&forbidden, __ATOMIC_RELAXED))
		__atomic_store_n(&forbidden, why, __ATOMIC_RELAXED);
}

/* ---- memory ---- */

static struct memory memory;

void replay_add_memory(const struct memory_range *range)
{
	bool added;

	pthread_mutex_lock(&lock);
	added = memory_add(&memory, range);
	pthread_mutex_unlock(&lock);
	if (!added)
		replay_forbid("the host's memory ran out");
}

void replay_allocated(
	const struct replay_api *api, enum memory_kind kind, uintptr_t address, size_t bytes)
{
	struct memory_range range = {
		.begin = address, .end = address + bytes, .bytes = bytes, .kind = kind};
	uint32_t device;

	if (kind != MEMORY_DEVICE || api->place(NULL, &device, &range.place))
		replay_add_memory(&range);
}

void replay_freed(uintptr_t address, size_t bytes)
{
	pthread_mutex_lock(&lock);
	memory_remove(&memory, address, address + bytes);
	pthread_mutex_unlock(&lock);
}

void replay_owner_freed(const void *owner)
{
	pthread_mutex_lock(&lock);
	memory_remove_owned(&memory, owner);
	pthread_mutex_unlock(&lock);
}

bool replay_has_memory(enum memory_kind kind)
{
	bool has;

	pthread_mutex_lock(&lock);
	has = memory_bytes(&memory, kind, NULL);
	pthread_mutex_unlock(&lock);
	return has;
}

uint64_t replay_device_bytes(const void *place)
{
	uint64_t bytes;

	pthread_mutex_lock(&lock);
	bytes = memory_bytes(&memory, MEMORY_DEVICE, place);
	pthread_mutex_unlock(&lock);
	return bytes;
}

const struct memory *replay_known_memory(void)
{
	return &memory;
}

bool replay_knows_memory(uintptr_t address)
{
	bool known;

	pthread_mutex_lock(&lock);
	known = memory_find(&memory, address);
	pthread_mutex_unlock(&lock);
	return known;
}

const char *replay_obstacle(void)
{
	const char *why = __atomic_load_n(&forbidden, __ATOMIC_RELAXED);

	return !why && replay_has_memory(MEMORY_MANAGED) ? "managed memory is in use" : why;
}
