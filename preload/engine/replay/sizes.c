/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/sizes.h"

#include <math.h>

#define RATIO 1.3
#define NEAR_NS 2000 /* what a device needs for any kernel varies, too */
#define DISTANCE 32  /* launches between two tries, at most */
#define MISSED_MAX 16
/* What is rarer is none of the program's steady work: the first launches after a pause are slow. */
#define ALL_LEAST 16     /* launches of all sizes */
#define LAUNCHES_LEAST 4 /* of one */
#define MEAN_LEAST 3     /* of one whose mean time is compared with that of repetitions */
#define SHARE_LEAST 0.05 /* of the time of all sizes */

static double mean_ns(const struct replay_sizes *sizes, uint32_t size)
{
	return (double)sizes->sizes[size].busy_ns / sizes->sizes[size].launches;
}

static double ratio(double a, double b)
{
	return a < b ? b / a : a / b;
}

static bool are_alike(double a_ns, double b_ns)
{
	return ratio(a_ns, b_ns) <= RATIO || fabs(a_ns - b_ns) <= NEAR_NS;
}

/* Returns the size that is most like a time; count, if there are none. */
static uint32_t nearest(const struct replay_sizes *sizes, double time_ns)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < sizes->count; i++)
		if (ratio(mean_ns(sizes, i), time_ns) < ratio(mean_ns(sizes, best), time_ns))
			best = i;
	return best;
}

void sizes_ran(struct replay_sizes *sizes, uint64_t time_ns)
{
	uint32_t size = nearest(sizes, (double)time_ns);

	if (!time_ns)
		return;
	if (sizes->count < SIZES_MAX &&
		(!sizes->count || !are_alike(mean_ns(sizes, size), (double)time_ns)))
		size = sizes->count++;
	sizes->sizes[size].busy_ns += time_ns;
	sizes->sizes[size].launches++;
}

static bool was_replayed(const struct replay_sizes *sizes, uint32_t size)
{
	for (uint32_t i = 0; i < sizes->replays; i++)
		if (nearest(sizes, (double)sizes->replayed_ns[i]) == size)
			return true;
	return false;
}

static bool matters(const struct replay_sizes *sizes, uint32_t size)
{
	uint64_t all_ns = 0;

	for (uint32_t i = 0; i < sizes->count; i++)
		all_ns += sizes->sizes[i].busy_ns;
	return sizes->sizes[size].launches >= LAUNCHES_LEAST &&
	       (double)sizes->sizes[size].busy_ns >= SHARE_LEAST * (double)all_ns;
}

bool sizes_are_known(const struct replay_sizes *sizes)
{
	uint32_t launches = 0;

	for (uint32_t i = 0; i < sizes->count; i++)
		launches += sizes->sizes[i].launches;
	return launches >= ALL_LEAST;
}

static bool is_wanted(const struct replay_sizes *sizes, uint32_t size)
{
	return sizes_are_known(sizes) && sizes->replays < SIZES_MAX && matters(sizes, size) &&
	       !was_replayed(sizes, size);
}

/* Returns the busiest size that is wanted; count, if there is none. */
static uint32_t busiest(const struct replay_sizes *sizes)
{
	uint32_t best = sizes->count;

	for (uint32_t i = 0; i < sizes->count; i++)
		if (is_wanted(sizes, i) &&
			(best == sizes->count ||
				sizes->sizes[i].busy_ns > sizes->sizes[best].busy_ns))
			best = i;
	return best;
}

uint32_t sizes_wanted(const struct replay_sizes *sizes)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < sizes->count; i++)
		count += is_wanted(sizes, i);
	return count;
}

uint64_t sizes_busy_ns(const struct replay_sizes *sizes)
{
	uint32_t size = busiest(sizes);

	return size < sizes->count ? sizes->sizes[size].busy_ns : 0;
}

bool sizes_is_wanted(const struct replay_sizes *sizes, uint64_t time_ns)
{
	return sizes->count && is_wanted(sizes, nearest(sizes, (double)time_ns));
}

double sizes_mean_ns(const struct replay_sizes *sizes, double time_ns)
{
	uint32_t size = nearest(sizes, time_ns);

	return sizes->count && sizes->sizes[size].launches >= MEAN_LEAST ? mean_ns(sizes, size) : 0;
}

uint64_t sizes_longest_ns(const struct replay_sizes *sizes)
{
	double longest_ns = 0;

	for (uint32_t i = 0; i < sizes->count; i++)
		if (mean_ns(sizes, i) > longest_ns)
			longest_ns = mean_ns(sizes, i);
	return (uint64_t)longest_ns;
}

/* A number from 1 to DISTANCE that programs which repeat themselves do not meet (Knuth's
 * multiplicative hash). */
static uint32_t random_distance(uint32_t of)
{
	return (uint32_t)((uint64_t)(of * UINT32_C(2654435761)) * DISTANCE >> 32) + 1;
}

static void try_later(struct replay_sizes *sizes, uint32_t launches)
{
	sizes->next_try = launches + random_distance(launches + sizes->missed);
}

void sizes_replayed(struct replay_sizes *sizes, uint64_t time_ns, uint32_t launches)
{
	if (sizes->replays < SIZES_MAX)
		sizes->replayed_ns[sizes->replays++] = time_ns;
	sizes->missed = 0;
	try_later(sizes, launches);
}

void sizes_missed(struct replay_sizes *sizes, uint32_t launches)
{
	uint32_t size = busiest(sizes);

	if (++sizes->missed < MISSED_MAX || size == sizes->count)
		try_later(sizes, launches);
	else
		sizes_replayed(sizes, (uint64_t)mean_ns(sizes, size), launches);
}
