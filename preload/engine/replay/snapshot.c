/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>

#include "preload/common/clock.h"
#include "preload/engine/replay/host_memory.h"
#include "preload/engine/replay/program_state.h"
#include "preload/engine/replay/reach.h"
#include "preload/engine/replay/snapshot.h"

#define BYTES_PER_GB 1e9
#define PIECE_BYTES BUDGET_SAMPLE_BYTES
#define ALIGNMENT 256 /* of each range in the snapshot, so that it can be searched word by word */

const char snapshot_too_slow[] =
	"to save and restore its memory takes longer than what was left of the budget of all "
	"replays";
static const char cannot_copy[] = "device memory cannot be read, or is mapped";
static const char has_addresses[] =
	"device memory has addresses of the host's, which the kernel may change";

/* ---- where to ---- */

static bool device_is_full; /* when memory was reserved last */

static const char *too_little(uint64_t bytes, uint64_t room)
{
	char *why;

	return asprintf(&why,
		       "%.1f GB of device memory are in use, and %.1f GB of the host's are free",
		       (double)bytes / BYTES_PER_GB, (double)room / BYTES_PER_GB) < 0
		       ? "the host's memory ran out"
		       : why;
}

/* A tenth of the free memory is left to the program. */
static bool fits(uint64_t needed, uint64_t room)
{
	return needed <= room - room / 10;
}

/* Where it is not known what a kernel reaches and there is host memory, device memory may contain
 * addresses of that: only a copy on the host can be searched for them. */
static bool must_be_on_host(const struct replay_api *api)
{
	return !api->on_device || (!reach_told() && replay_has_memory(MEMORY_HOST));
}

/* What the launches so far could reach in the mean; by this, how long others take is estimated. */
static struct {
	uint64_t bytes, launches;
} reached;

uint64_t snapshot_copies_ns(const struct replay_api *api, const void *place, uint64_t assumed_ns)
{
	bool full = __atomic_load_n(&device_is_full, __ATOMIC_RELAXED);
	enum copy_target target = !api->on_device || full ? COPY_TO_HOST : COPY_TO_DEVICE;
	uint64_t launches = __atomic_load_n(&reached.launches, __ATOMIC_RELAXED);
	uint64_t bytes = launches ? __atomic_load_n(&reached.bytes, __ATOMIC_RELAXED) / launches
				  : replay_device_bytes(place);
	uint64_t copies_ns = 2 * budget_copy_ns(target, bytes);
	bool measured = budget_is_measured(target);

	if ((target == COPY_TO_HOST || !measured) && !fits(bytes, host_memory_free_bytes()))
		return 0;
	return !measured && copies_ns > assumed_ns ? assumed_ns : copies_ns;
}

enum copy_target snapshot_target(const struct replay *replay)
{
	return replay->snapshot.on_device ? COPY_TO_DEVICE : COPY_TO_HOST;
}

static size_t aligned(uint64_t bytes)
{
	return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The bytes of a kind that the launch can reach; with_padding: those that they need in a copy. */
static size_t reached_bytes(const struct replay *replay, enum memory_kind kind, bool with_padding)
{
	const struct memory *memory = replay_known_memory();
	size_t sum = 0;

	for (size_t i = 0; i < memory->count; i++) {
		const struct memory_range *range = &memory->ranges[i];

		if (range->kind == kind && reach_has(replay, range))
			sum += with_padding ? aligned(range->bytes) : range->bytes;
	}
	return sum;
}

static bool take_room_on_device(struct replay *replay, size_t needed)
{
	const struct replay_device_api *api = replay->api->on_device;

	if (must_be_on_host(replay->api))
		return false;
	if (fits(needed, api->room()))
		replay->snapshot.on_device = api->allocate(needed);
	__atomic_store_n(&device_is_full, !replay->snapshot.on_device, __ATOMIC_RELAXED);
	return replay->snapshot.on_device != 0;
}

static const char *take_room_on_host(struct replay *replay, size_t needed)
{
	uint64_t room = host_memory_free_bytes();
	void *there = MAP_FAILED;

	if (fits(needed, room))
		there = mmap(
			NULL, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (there == MAP_FAILED)
		return too_little(replay->snapshot.bytes, room);
	replay->snapshot.on_host = there;
	replay->snapshot.room = needed;
	return NULL;
}

const char *snapshot_reserve(struct replay *replay)
{
	size_t device = reached_bytes(replay, MEMORY_DEVICE, true) + ALIGNMENT;
	size_t host = reached_bytes(replay, MEMORY_HOST, true);

	replay->snapshot =
		(struct replay_snapshot){.bytes = reached_bytes(replay, MEMORY_DEVICE, false) +
						  reached_bytes(replay, MEMORY_HOST, false)};
	__atomic_fetch_add(&reached.bytes, replay->snapshot.bytes, __ATOMIC_RELAXED);
	__atomic_fetch_add(&reached.launches, 1, __ATOMIC_RELAXED);
	if (!take_room_on_device(replay, device))
		host += device;
	return host ? take_room_on_host(replay, host) : NULL;
}

void snapshot_drop(struct replay *replay)
{
	struct replay_snapshot *saved = &replay->snapshot;

	if (saved->on_device)
		replay->api->on_device->release(saved->on_device);
	if (saved->on_host)
		munmap(saved->on_host, saved->room);
	saved->on_device = 0;
	saved->on_host = NULL;
}

/* ---- copies, piece by piece ---- */

struct copy_job {
	const struct replay *replay;
	bool back;          /* from the snapshot to the device */
	uint64_t copies_ns; /* if not back: how long all copies may take, back included */
	uint64_t begin_ns, measured_ns;
	uint64_t done, measured; /* bytes copied so far, and by the last measurement */
};

/* Whether a range is saved in device memory. */
static bool is_on_device(const struct replay *replay, const struct memory_range *range)
{
	return replay->snapshot.on_device && range->kind == MEMORY_DEVICE;
}

/* at: offset in the range; to: where the range is saved. */
static const char *copy_piece(const struct copy_job *job, const struct memory_range *range,
	size_t at, uintptr_t to, size_t bytes)
{
	const struct replay *replay = job->replay;
	const struct replay_api *api = replay->api;
	bool on_device = is_on_device(replay, range);
	uintptr_t here = range->begin + at, there = to + at;
	void *host = (void *)there;
	bool copied;

	if (range->kind == MEMORY_HOST)
		copied = memcpy(
			job->back ? (void *)here : host, job->back ? host : (void *)here, bytes);
	else if (on_device)
		copied = api->on_device->copy(
			replay->stream, job->back ? here : there, job->back ? there : here, bytes);
	else
		copied = job->back ? api->restore(replay->stream, range->begin, at, host, bytes)
				   : api->save(replay->stream, host, range->begin, at, bytes);
	if (!copied)
		return cannot_copy;
	if (!job->back && !on_device && !reach_told() &&
		memory_points_into(replay_known_memory(), MEMORY_HOST, host, bytes))
		return has_addresses;
	return NULL;
}

/* Waits for the copies so far to measure their speed.  Returns NULL, or why to stop. */
static const char *measure(struct copy_job *job)
{
	const struct replay *replay = job->replay;
	uint64_t now_ns, whole_ns;

	if (!replay->api->wait(replay->place))
		return cannot_copy;
	now_ns = clock_now_ns();
	if (job->done - job->measured >= PIECE_BYTES)
		budget_copied(snapshot_target(replay), job->done - job->measured,
			now_ns - job->measured_ns);
	job->measured = job->done;
	job->measured_ns = now_ns;
	if (job->back || !job->done)
		return NULL;
	whole_ns = (uint64_t)((double)(now_ns - job->begin_ns) * (double)replay->snapshot.bytes /
			      (double)job->done);
	return 2 * whole_ns > job->copies_ns ? snapshot_too_slow : NULL;
}

static const char *copy_range(struct copy_job *job, const struct memory_range *range, uintptr_t to)
{
	const char *why = NULL;

	for (size_t at = 0; at < range->bytes && !why;) {
		size_t rest = range->bytes - at, bytes = rest < PIECE_BYTES ? rest : PIECE_BYTES;

		why = copy_piece(job, range, at, to, bytes);
		at += bytes;
		job->done += bytes;
		if (!why && job->done - job->measured >= PIECE_BYTES)
			why = measure(job);
	}
	return why;
}

/* The ranges that are saved, in their order, and where each is. */
struct saved_ranges {
	const struct replay *replay;
	size_t next; /* in the known memory */
	uintptr_t on_device, on_host;
};

static struct saved_ranges saved_ranges(const struct replay *replay)
{
	return (struct saved_ranges){.replay = replay,
		.on_device = replay->snapshot.on_device,
		.on_host = (uintptr_t)replay->snapshot.on_host};
}

/* Returns the next one, or NULL. */
static const struct memory_range *next_saved(struct saved_ranges *saved, uintptr_t *where)
{
	const struct memory *memory = replay_known_memory();

	while (saved->next < memory->count) {
		const struct memory_range *range = &memory->ranges[saved->next++];
		uintptr_t *at =
			is_on_device(saved->replay, range) ? &saved->on_device : &saved->on_host;

		if (!reach_has(saved->replay, range))
			continue;
		*where = *at;
		*at += aligned(range->bytes);
		return range;
	}
	return NULL;
}

static const char *copy_all(struct copy_job job)
{
	struct saved_ranges saved = saved_ranges(job.replay);
	const struct memory_range *range;
	const char *why = NULL;
	uintptr_t where;

	job.begin_ns = job.measured_ns = clock_now_ns();
	while (!why && (range = next_saved(&saved, &where)))
		why = copy_range(&job, range, where);
	return why ?: measure(&job);
}

const char *snapshot_save(struct replay *replay, uint64_t copies_ns)
{
	return copy_all((struct copy_job){.replay = replay, .copies_ns = copies_ns});
}

bool snapshot_restore(struct replay *replay)
{
	bool restored = !copy_all((struct copy_job){.replay = replay, .back = true});

	snapshot_drop(replay);
	return restored;
}

/* ---- pieces ---- */

bool snapshot_find(
	const struct replay *replay, uintptr_t address, size_t bytes, struct snapshot_piece *piece)
{
	const struct memory_range *range = memory_find(replay_known_memory(), address), *other;
	struct saved_ranges saved = saved_ranges(replay);
	size_t rest = range ? range->bytes - (address - range->begin) : 0;

	*piece = (struct snapshot_piece){
		.range = range, .at = rest ? address - range->begin : 0, .bytes = MIN(bytes, rest)};
	while (rest && (other = next_saved(&saved, &piece->saved)))
		if (other == range)
			return true;
	return false;
}

bool snapshot_read(
	const struct replay *replay, const struct snapshot_piece *piece, void *before, void *now)
{
	const struct memory_range *range = piece->range;
	bool (*save)(void *, void *, uintptr_t, size_t, size_t) = replay->api->save;
	uintptr_t saved = piece->saved;

	if (is_on_device(replay, range)) {
		if (!save(replay->stream, before, saved, piece->at, piece->bytes))
			return false;
	} else {
		memcpy(before, (const char *)saved + piece->at, piece->bytes);
	}
	return save(replay->stream, now, range->begin, piece->at, piece->bytes);
}

bool snapshot_put_back(const struct replay *replay, const struct snapshot_piece *piece)
{
	return !copy_piece(&(struct copy_job){.replay = replay, .back = true}, piece->range,
		piece->at, piece->saved, piece->bytes);
}
