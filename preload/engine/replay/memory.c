/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/memory.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64

/* The first range that ends after an address. */
static size_t place_of(const struct memory *memory, uintptr_t address)
{
	size_t low = 0, high = memory->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (memory->ranges[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Puts count ranges in the place of those from first to end. */
static void replace(struct memory *memory, size_t first, size_t end,
	const struct memory_range *ranges, size_t count)
{
	memmove(memory->ranges + first + count, memory->ranges + end,
		(memory->count - end) * sizeof(*ranges));
	if (count)
		memcpy(memory->ranges + first, ranges, count * sizeof(*ranges));
	memory->count -= end - first;
	memory->count += count;
}

static bool make_room(struct memory *memory)
{
	size_t room = memory->room ? 2 * memory->room : FIRST_ROOM;
	struct memory_range *ranges;

	if (memory->count < memory->room)
		return true;
	ranges = realloc(memory->ranges, room * sizeof(*ranges));
	if (!ranges)
		return false;
	memory->ranges = ranges;
	memory->room = room;
	return true;
}

bool memory_add(struct memory *memory, const struct memory_range *range)
{
	size_t first, end;

	if (range->end <= range->begin)
		return true;
	if (!make_room(memory))
		return false;
	first = end = place_of(memory, range->begin);
	while (end < memory->count && memory->ranges[end].begin < range->end)
		end++;
	replace(memory, first, end, range, 1);
	return true;
}

void memory_remove(struct memory *memory, uintptr_t begin, uintptr_t end)
{
	size_t first = place_of(memory, begin), last;

	if (first < memory->count && memory->ranges[first].begin < begin)
		first++;
	last = first;
	while (last < memory->count && memory->ranges[last].begin < end)
		last++;
	if (last > first)
		replace(memory, first, last, NULL, 0);
}

void memory_remove_owned(struct memory *memory, const void *owner)
{
	size_t kept = 0;

	for (size_t i = 0; i < memory->count; i++)
		if (memory->ranges[i].owner != owner)
			memory->ranges[kept++] = memory->ranges[i];
	memory->count = kept;
}

const struct memory_range *memory_find(const struct memory *memory, uintptr_t address)
{
	size_t place = place_of(memory, address);

	return place < memory->count && memory->ranges[place].begin <= address
		       ? &memory->ranges[place]
		       : NULL;
}

uint64_t memory_bytes(const struct memory *memory, enum memory_kind kind, const void *place)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < memory->count; i++) {
		const struct memory_range *range = &memory->ranges[i];

		if (range->kind == kind && (!place || range->place == place))
			sum += range->bytes;
	}
	return sum;
}

bool memory_points_into(
	const struct memory *memory, enum memory_kind kind, const void *bytes, size_t count)
{
	const uintptr_t *words = bytes;
	uintptr_t least = UINTPTR_MAX, most = 0;

	for (size_t i = 0; i < memory->count; i++) {
		const struct memory_range *range = &memory->ranges[i];

		if (range->kind != kind)
			continue;
		least = range->begin < least ? range->begin : least;
		most = range->end > most ? range->end : most;
	}
	for (size_t i = 0; i < count / sizeof(*words); i++) {
		const struct memory_range *range;

		if (words[i] < least || words[i] >= most)
			continue;
		range = memory_find(memory, words[i]);
		if (range && range->kind == kind)
			return true;
	}
	return false;
}
