/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/counters.h"

#include <sys/param.h>

#include "preload/engine/replay/program_state.h"
#include "preload/engine/replay/reach.h"
#include "preload/engine/replay/snapshot.h"

#define WINDOW 16 /* words from an address on that are looked at */
#define CHANGED_MAX 4
#define COUNTERS_MAX 4 /* more than these are data that look like counters by chance */
/* Floating-point numbers that programs use are larger than this if read as whole numbers. */
#define COUNT_LIMIT ((uint32_t)1 << 28)

static struct {
	struct snapshot_piece list[COUNTERS_MAX];
	unsigned count;
} counters;

void counters_forget(void)
{
	counters.count = 0;
}

static uint64_t work_items(const struct replay *replay)
{
	const uint64_t *global = gpu_kernel(replay->kernel)->global;

	return global[0] * global[1] * global[2];
}

static bool is_known(const struct snapshot_piece *piece)
{
	for (unsigned i = 0; i < MIN(counters.count, COUNTERS_MAX); i++)
		if (counters.list[i].range == piece->range && counters.list[i].at == piece->at)
			return true;
	return false;
}

static void add(const struct snapshot_piece *window, size_t first, size_t last)
{
	struct snapshot_piece piece = *window;

	piece.at += first * sizeof(uint32_t);
	piece.bytes = (last + 1 - first) * sizeof(uint32_t);
	if (is_known(&piece) || replay_refills(piece.range->begin + piece.at))
		return;
	if (counters.count < COUNTERS_MAX)
		counters.list[counters.count] = piece;
	counters.count++;
}

/* most: by how much a counter changes. */
static bool is_count(uint32_t before, uint32_t now, uint64_t most)
{
	return before < COUNT_LIMIT && now < COUNT_LIMIT &&
	       (now > before ? now - before : before - now) <= most;
}

static void look_at(const struct snapshot_piece *window, const uint32_t *before,
	const uint32_t *now, uint64_t most)
{
	size_t changed = 0, first = 0, last = 0;

	for (size_t i = 0; i < window->bytes / sizeof(*now); i++) {
		if (now[i] == before[i])
			continue;
		if (changed == CHANGED_MAX || !is_count(before[i], now[i], most))
			return;
		last = i;
		if (!changed++)
			first = i;
	}
	if (changed)
		add(window, first, last);
}

bool counters_find(const struct replay *replay)
{
	uint32_t before[WINDOW], now[WINDOW];
	uint64_t most = work_items(replay);
	size_t count;
	const uintptr_t *passed = reach_passed(replay, &count);

	for (size_t i = 0; i < count; i++) {
		struct snapshot_piece window;

		if (!snapshot_find(replay, passed[i], sizeof(now), &window) ||
			window.range->kind != MEMORY_DEVICE)
			continue;
		if (!snapshot_read(replay, &window, before, now))
			return false;
		look_at(&window, before, now, most);
	}
	if (counters.count > COUNTERS_MAX)
		counters_forget();
	return true;
}

bool counters_put_back(const struct replay *replay)
{
	bool done = true;

	for (unsigned i = 0; i < counters.count && done; i++)
		done = snapshot_put_back(replay, &counters.list[i]);
	return done;
}
