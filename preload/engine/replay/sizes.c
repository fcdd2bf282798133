/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/sizes.h"

#include <stddef.h>

#include "pwrtrace/units.h"

#define LOOKS_MAX 24
#define DISTANCE 32 /* launches between two looks, at most */
#define MISSED_MAX 8
#define RATIO 1.3
/* What a launch may take longer than another of the same size, as the host sees it. */
#define UNCERTAIN_NS (PWRTRACE_NS_PER_MS / 200)

bool sizes_alike(uint64_t a_ns, uint64_t b_ns)
{
	uint64_t less_ns = a_ns < b_ns ? a_ns : b_ns, more_ns = a_ns < b_ns ? b_ns : a_ns;

	return (double)more_ns <= RATIO * (double)less_ns + UNCERTAIN_NS;
}

/* A number from 1 to most that programs which repeat themselves do not meet (Knuth's multiplicative
 * hash). */
static uint32_t random_distance(uint32_t of, uint32_t most)
{
	return (uint32_t)((uint64_t)(of * UINT32_C(2654435761)) * most >> 32) + 1;
}

static void look_later(struct replay_sizes *sizes, uint32_t launches)
{
	sizes->next_look = launches + random_distance(launches + sizes->looks, DISTANCE);
}

void sizes_add(struct replay_sizes *sizes, uint64_t time_ns, uint32_t launches)
{
	if (sizes->count < SIZES_MAX)
		sizes->replayed_ns[sizes->count++] = time_ns;
	sizes->wanted_ns = sizes->seen_ns = 0;
	sizes->missed = 0;
	look_later(sizes, launches);
}

bool sizes_look(const struct replay_sizes *sizes, uint32_t launch)
{
	return sizes->count && sizes->count < SIZES_MAX && sizes->looks < LOOKS_MAX &&
	       launch >= sizes->next_look;
}

void sizes_seen(struct replay_sizes *sizes, uint64_t time_ns, uint32_t launch)
{
	sizes->looks++;
	look_later(sizes, launch);
	for (uint32_t i = 0; i < sizes->count; i++)
		if (sizes_alike(sizes->replayed_ns[i], time_ns))
			return;
	if (sizes->seen_ns && sizes_alike(sizes->seen_ns, time_ns))
		sizes->wanted_ns = time_ns;
	else
		sizes->seen_ns = time_ns;
}

bool sizes_missed(struct replay_sizes *sizes, uint32_t launches)
{
	if (++sizes->missed < MISSED_MAX) {
		look_later(sizes, launches);
		return true;
	}
	sizes_add(sizes, sizes->wanted_ns, launches);
	return false;
}
