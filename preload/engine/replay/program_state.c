/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/program_state.h"

#include <pthread.h>
#include <time.h>

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

bool replay_suspend_program(void)
{
	struct timespec until;

	if (depth)
		return false;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += SUSPEND_S;
	if (pthread_rwlock_clockwrlock(&calls, CLOCK_MONOTONIC, &until))
		return false;
	depth = 1;
	if (!replay_is_capture_running())
		return true;
	replay_resume_program();
	return false;
}

void replay_resume_program(void)
{
	replay_call_end();
}

void replay_forget_program(void)
{
	calls = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
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
