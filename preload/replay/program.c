/* SPDX-License-Identifier: MIT */
#include "preload/replay/program.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "preload/clock.h"
#include "preload/replay/room.h"

#define SUSPEND_S 1
#define BYTES_PER_GB 1e9

/* ---- threads ---- */

static pthread_rwlock_t calls = PTHREAD_RWLOCK_INITIALIZER;
static __thread unsigned depth; /* of the program's calls, or of a replay, in this thread */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of memory */

void replay_hold(void)
{
	if (!depth++)
		pthread_rwlock_rdlock(&calls);
}

void replay_release(void)
{
	if (!--depth)
		pthread_rwlock_unlock(&calls);
}

static int captures;

void replay_captures(int change)
{
	__atomic_fetch_add(&captures, change, __ATOMIC_RELAXED);
}

bool program_captures(void)
{
	return __atomic_load_n(&captures, __ATOMIC_RELAXED) > 0;
}

bool program_suspend(void)
{
	struct timespec until;

	if (depth)
		return false;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += SUSPEND_S;
	if (pthread_rwlock_clockwrlock(&calls, CLOCK_MONOTONIC, &until))
		return false;
	depth = 1;
	if (!program_captures())
		return true;
	program_resume();
	return false;
}

void program_resume(void)
{
	replay_release();
}

void program_forget(void)
{
	calls = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	depth = 0;
}

/* ---- what forbids ---- */

static const char *forbidden;

void replay_forbid(const char *why)
{
	if (why && !__atomic_load_n(&forbidden, __ATOMIC_RELAXED))
		__atomic_store_n(&forbidden, why, __ATOMIC_RELAXED);
}

/* ---- memory ---- */

static struct memory memory;

void replay_took(const struct memory_range *range)
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
		replay_took(&range);
}

void replay_freed(uintptr_t address, size_t bytes)
{
	pthread_mutex_lock(&lock);
	memory_remove(&memory, address, address + bytes);
	pthread_mutex_unlock(&lock);
}

void replay_freed_with(const void *owner)
{
	pthread_mutex_lock(&lock);
	memory_remove_owned(&memory, owner);
	pthread_mutex_unlock(&lock);
}

bool replay_has(enum memory_kind kind)
{
	bool has;

	pthread_mutex_lock(&lock);
	has = memory_bytes(&memory, kind, NULL);
	pthread_mutex_unlock(&lock);
	return has;
}

bool program_knows(uintptr_t address)
{
	bool known;

	pthread_mutex_lock(&lock);
	known = memory_find(&memory, address);
	pthread_mutex_unlock(&lock);
	return known;
}

bool program_reaches_host(const void *arguments, size_t bytes)
{
	bool reaches;

	pthread_mutex_lock(&lock);
	reaches = memory_points_into(&memory, MEMORY_HOST, arguments, bytes);
	pthread_mutex_unlock(&lock);
	return reaches;
}

const char *program_forbids(void)
{
	const char *why = __atomic_load_n(&forbidden, __ATOMIC_RELAXED);

	return !why && replay_has(MEMORY_MANAGED) ? "managed memory is in use" : why;
}

/* ---- saving it: nothing changes meanwhile ---- */

static const char *too_little(uint64_t bytes, uint64_t room)
{
	char *why;

	return asprintf(&why,
		       "%.1f GB of device memory are in use, and %.1f GB of the host's are free",
		       (double)bytes / BYTES_PER_GB, (double)room / BYTES_PER_GB) < 0
		       ? "the host's memory ran out"
		       : why;
}

/* A tenth of what is free is left to the program. */
static bool fits(uint64_t needed, uint64_t room)
{
	return needed <= room - room / 10;
}

/* Copies a range one way or the other; at: how much was copied before it. */
static bool copy_one(
	const struct replay *replay, const struct memory_range *range, size_t at, bool back)
{
	const struct replay_api *api = replay->api;
	const struct replay_saved *saved = &replay->saved;
	uintptr_t there = saved->on_device + at;

	if (saved->on_device)
		return back ? api->on_device->copy(range->begin, there, range->bytes)
			    : api->on_device->copy(there, range->begin, range->bytes);
	return back ? api->restore(replay->stream, range->begin, saved->on_host + at, range->bytes)
		    : api->save(replay->stream, saved->on_host + at, range->begin, range->bytes);
}

static bool copy_all(const struct replay *replay, bool back)
{
	size_t at = 0;

	for (size_t i = 0; i < memory.count; i++) {
		const struct memory_range *range = &memory.ranges[i];

		if (range->kind != MEMORY_DEVICE || range->place != replay->place)
			continue;
		if (!copy_one(replay, range, at, back))
			return false;
		at += range->bytes;
	}
	return replay->api->wait(replay->place);
}

static void release(struct replay *replay)
{
	struct replay_saved *saved = &replay->saved;

	if (saved->on_device)
		replay->api->on_device->release(saved->on_device);
	if (saved->on_host)
		munmap(saved->on_host, saved->bytes);
	saved->on_device = 0;
	saved->on_host = NULL;
}

/* Where there is host memory, what is copied may have addresses of it: the host looks for them. */
static bool save_on_device(struct replay *replay)
{
	const struct replay_device_api *api = replay->api->on_device;
	struct replay_saved *saved = &replay->saved;

	if (!api || memory_bytes(&memory, MEMORY_HOST, NULL) || !fits(saved->bytes, api->room()))
		return false;
	saved->on_device = api->allocate(saved->bytes);
	return saved->on_device && copy_all(replay, false);
}

static const char *save_on_host(struct replay *replay, size_t needed)
{
	struct replay_saved *saved = &replay->saved;
	uint64_t room = room_bytes();
	void *there;

	if (!fits(needed, room))
		return too_little(needed, room);
	there = mmap(
		NULL, saved->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (there == MAP_FAILED)
		return too_little(needed, room);
	saved->on_host = there;
	if (!copy_all(replay, false))
		return "device memory cannot be read, or is mapped";
	if (memory_points_into(&memory, MEMORY_HOST, there, needed))
		return "device memory has addresses of the host's, which the kernel may change";
	return NULL;
}

const char *program_save(struct replay *replay)
{
	size_t needed = memory_bytes(&memory, MEMORY_DEVICE, replay->place);
	const char *why;

	replay->saved.bytes = needed + !needed;
	if (save_on_device(replay))
		return NULL;
	release(replay);
	why = save_on_host(replay, needed);
	if (why)
		release(replay);
	return why;
}

bool program_restore(struct replay *replay)
{
	bool restored = copy_all(replay, true);

	release(replay);
	return restored;
}
