/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/reach.h"

#include <stdlib.h>
#include <string.h>

#include "preload/engine/replay/program_state.h"

#define ADDRESSES_MAX                                                                              \
	1024 /* each costs a copy of a window: beyond, all memory is saved instead                 \
	      */

/* Where a launch is passed more, counters are looked for at the first of them. */
#define PASSED_MAX 64

struct reached_address {
	uintptr_t address, begin; /* of its range */
};

/* The addresses so far; those before `followed` have been looked behind. */
static struct {
	struct reached_address addresses[ADDRESSES_MAX];
	size_t count, followed;
	uintptr_t passed[PASSED_MAX]; /* to the launch itself, also into one window */
	size_t passed_count;
	bool told, too_many;
	bool *reached; /* by index of the known memory; NULL: all of the launch's place */
} reach;

void reach_begin(void)
{
	reach.count = reach.followed = reach.passed_count = 0;
	reach.told = reach.too_many = false;
	free(reach.reached);
	reach.reached = NULL;
}

/* Whether the window from an address on is in that of one that was added before. */
static bool is_known(uintptr_t address, uintptr_t begin)
{
	for (size_t i = reach.count; i-- > 0;)
		if (reach.addresses[i].begin == begin &&
			address - reach.addresses[i].address < REACH_WINDOW / 2)
			return true;
	return false;
}

void reach_add(uintptr_t address)
{
	const struct memory_range *range = memory_find(replay_known_memory(), address);

	if (range && !reach.told && reach.passed_count < PASSED_MAX)
		reach.passed[reach.passed_count++] = address;
	if (!range || is_known(address, range->begin))
		return;
	if (reach.count == ADDRESSES_MAX)
		reach.too_many = true;
	else
		reach.addresses[reach.count++] = (struct reached_address){address, range->begin};
}

void reach_add_words(const void *words, size_t bytes)
{
	const struct memory *memory = replay_known_memory();
	uintptr_t address, least, most;

	if (!memory->count)
		return;
	least = memory->ranges[0].begin;
	most = memory->ranges[memory->count - 1].end;
	for (size_t i = 0; i + sizeof(address) <= bytes && !reach.too_many; i += sizeof(address)) {
		memcpy(&address, (const char *)words + i, sizeof(address));
		if (address >= least && address < most)
			reach_add(address);
	}
}

void reach_is_told(void)
{
	reach.told = true;
}

bool reach_told(void)
{
	return reach.told;
}

/* Adds the addresses in the window behind one.  Returns false if it cannot be read. */
static bool look_behind(const struct replay *replay, uintptr_t address, char *window)
{
	const struct memory_range *range = memory_find(replay_known_memory(), address);
	/* Words are aligned in memory, as those of arguments are not. */
	size_t at = (address - range->begin) & ~(sizeof(uintptr_t) - 1);
	size_t rest = range->bytes - at, bytes = rest < REACH_WINDOW ? rest : REACH_WINDOW;

	if (range->kind == MEMORY_HOST)
		reach_add_words((const void *)(range->begin + at), bytes);
	else if (!replay->api->save(replay->stream, window, range->begin, at, bytes))
		return false;
	else
		reach_add_words(window, bytes);
	return true;
}

static bool any_of_host(void)
{
	for (size_t i = 0; i < reach.count; i++)
		if (memory_find(replay_known_memory(), reach.addresses[i].begin)->kind ==
			MEMORY_HOST)
			return true;
	return false;
}

const char *reach_follow(const struct replay *replay)
{
	const struct memory *memory = replay_known_memory();
	char *window = reach.told ? malloc(REACH_WINDOW) : NULL;
	bool *reached = reach.told ? calloc(memory->count + 1, sizeof(*reached)) : NULL;

	reach.told = window && reached;
	while (reach.told && reach.followed < reach.count)
		reach.told =
			look_behind(replay, reach.addresses[reach.followed++].address, window) &&
			!reach.too_many;
	for (size_t i = 0; reach.told && i < reach.count; i++)
		reached[memory_find(memory, reach.addresses[i].begin) - memory->ranges] = true;
	if (reach.told)
		reach.reached = reached;
	else
		free(reached);
	free(window);
	return !reach.told && any_of_host() ? "it is given an address of the host's memory" : NULL;
}

bool reach_has(const struct replay *replay, const struct memory_range *range)
{
	if (reach.told)
		return reach.reached[range - replay_known_memory()->ranges];
	return range->kind == MEMORY_DEVICE && range->place == replay->place;
}

const uintptr_t *reach_passed(const struct replay *replay, size_t *count)
{
	const struct memory *memory = replay_known_memory();

	for (size_t i = 0; !reach.told && i < memory->count; i++)
		if (reach.passed_count < PASSED_MAX && reach_has(replay, &memory->ranges[i]))
			reach.passed[reach.passed_count++] = memory->ranges[i].begin;
	*count = reach.passed_count;
	return reach.passed;
}
