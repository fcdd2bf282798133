/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/sizes.h"

#include <math.h>

#include "pwrtrace/replays.h"

#define RATIO 1.2
#define NEAR_NS 500 /* what a device needs for any kernel varies, too */
#define DISTANCE 32 /* launches between two tries, at most */
#define MISSED_MAX 16
/* What is rarer is none of the program's steady work: the first launches after a pause are slow. */
#define ALL_LEAST 16     /* launches of all sizes */
#define LAUNCHES_LEAST 4 /* of one */
#define OWN_LEAST 8      /* launches, which vary more */
#define OWN_LAST 64      /* launches, after which those so far count by half */
#define SHORT_NS 10000   /* a program's first launches take some 0.1 us more */
#define MEAN_LEAST 32    /* repetitions, of which the first ones take longer */
#define SHARE_LEAST 0.05 /* of the time of all sizes */
#define COLD_MOST 0.95   /* of the repetitions: more are taken to be all */

static void add_time(struct replay_busy *busy, uint64_t time_ns)
{
	busy->busy_ns += time_ns;
	busy->executions++;
}

static double mean_ns(const struct replay_busy *busy)
{
	return (double)busy->busy_ns / busy->executions;
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
		if (ratio(mean_ns(&sizes->sizes[i]), time_ns) <
			ratio(mean_ns(&sizes->sizes[best]), time_ns))
			best = i;
	return best;
}

void sizes_ran(struct replay_sizes *sizes, uint64_t time_ns, bool recovered)
{
	uint32_t size = nearest(sizes, (double)time_ns);

	if (!time_ns)
		return;
	if (sizes->count < SIZES_MAX &&
		(!sizes->count || !are_alike(mean_ns(&sizes->sizes[size]), (double)time_ns)))
		size = sizes->count++;
	add_time(&sizes->sizes[size], time_ns);
	if (!recovered)
		return;
	if (sizes->recovered[size].executions == OWN_LAST) {
		sizes->recovered[size].executions /= 2;
		sizes->recovered[size].busy_ns /= 2;
	}
	add_time(&sizes->recovered[size], time_ns);
}

void sizes_repeated(struct replay_sizes *sizes, uint64_t launched_ns, uint64_t time_ns)
{
	struct size_replay *replay = &sizes->replays[sizes->current];

	if (sizes->current >= sizes->replay_count)
		return;
	if (replay->begin_ns <= launched_ns && launched_ns < replay->end_ns)
		add_time(&replay->warm, time_ns);
	else if (replay->cold_begin_ns <= launched_ns && !replay->settled)
		add_time(&replay->cold, time_ns);
}

static uint32_t size_of_replay(const struct replay_sizes *sizes, uint32_t replay)
{
	const struct replay_busy *warm = &sizes->replays[replay].warm;

	return nearest(
		sizes, warm->executions ? mean_ns(warm) : (double)sizes->replays[replay].each_ns);
}

static bool was_replayed(const struct replay_sizes *sizes, uint32_t size)
{
	for (uint32_t i = 0; i < sizes->replay_count; i++)
		if (size_of_replay(sizes, i) == size)
			return true;
	return false;
}

uint64_t sizes_ran_ns(const struct replay_sizes *sizes)
{
	uint64_t all_ns = 0;

	for (uint32_t i = 0; i < sizes->count; i++)
		all_ns += sizes->sizes[i].busy_ns;
	return all_ns;
}

static bool matters(const struct replay_sizes *sizes, uint32_t size)
{
	return sizes->sizes[size].executions >= LAUNCHES_LEAST &&
	       (double)sizes->sizes[size].busy_ns >= SHARE_LEAST * (double)sizes_ran_ns(sizes);
}

bool sizes_are_known(const struct replay_sizes *sizes)
{
	uint32_t launches = 0;

	for (uint32_t i = 0; i < sizes->count; i++)
		launches += sizes->sizes[i].executions;
	return launches >= ALL_LEAST;
}

static bool is_timed(const struct replay_sizes *sizes, uint32_t size)
{
	return sizes->recovered[size].executions >= OWN_LEAST;
}

bool sizes_are_timed(const struct replay_sizes *sizes)
{
	for (uint32_t i = 0; i < sizes->count; i++)
		if (is_timed(sizes, i) && mean_ns(&sizes->recovered[i]) >= SHORT_NS)
			return true;
	return false;
}

static struct replay_times times_of(const struct replay_sizes *sizes, uint32_t replay)
{
	struct replay_times times = {0, 0, 0};
	uint32_t size;

	if (replay >= sizes->replay_count || !sizes->replays[replay].warm.executions)
		return times;
	times.warm_ns = mean_ns(&sizes->replays[replay].warm);
	if (sizes->replays[replay].cold.executions >= MEAN_LEAST)
		times.cold_ns = mean_ns(&sizes->replays[replay].cold);
	size = size_of_replay(sizes, replay);
	if (sizes->count && is_timed(sizes, size))
		times.own_ns = mean_ns(&sizes->recovered[size]);
	return times;
}

struct replay_times sizes_times(const struct replay_sizes *sizes)
{
	return times_of(sizes, sizes->current);
}

bool sizes_are_longer(const struct replay_times *times)
{
	return pwrtrace_replay_is_longer(times->own_ns, times->warm_ns);
}

bool sizes_are_longer_yet(const struct replay_sizes *sizes)
{
	struct replay_times times = sizes_times(sizes);

	return times.own_ns && sizes->replays[sizes->current].warm.executions >= MEAN_LEAST &&
	       sizes_are_longer(&times);
}

bool sizes_are_slower_cold(const struct replay_times *times)
{
	return times->own_ns ? sizes_are_longer(times) && times->cold_ns > times->warm_ns
			     : times->cold_ns > PWRTRACE_REPLAY_UNLIKE * times->warm_ns;
}

double sizes_cold_share(const struct replay_times *times)
{
	double share;

	if (!times->own_ns || !sizes_are_slower_cold(times))
		return 1;
	share = (times->own_ns - times->warm_ns) / (times->cold_ns - times->warm_ns);
	return share < COLD_MOST ? share : 1;
}

/* Returns the replay of a size that is wanted with a cold cache, too; the number of replays, if
 * there is none. */
static uint32_t wanted_cold(const struct replay_sizes *sizes, uint32_t size)
{
	uint32_t i;

	for (i = 0; i < sizes->replay_count; i++) {
		struct replay_times times = times_of(sizes, i);

		if (size_of_replay(sizes, i) == size && !sizes->replays[i].settled &&
			times.own_ns && sizes_are_longer(&times))
			break;
	}
	return i;
}

static enum size_met met(const struct replay_sizes *sizes, uint32_t size)
{
	if (!sizes_are_known(sizes) || !matters(sizes, size))
		return SIZE_UNWANTED;
	if (!was_replayed(sizes, size))
		return sizes->replay_count < SIZES_REPLAYS_MAX ? SIZE_WANTED : SIZE_UNWANTED;
	return wanted_cold(sizes, size) < sizes->replay_count ? SIZE_WANTED_COLD : SIZE_UNWANTED;
}

/* Returns the busiest size that is wanted; count, if there is none. */
static uint32_t busiest(const struct replay_sizes *sizes)
{
	uint32_t best = sizes->count;

	for (uint32_t i = 0; i < sizes->count; i++)
		if (met(sizes, i) != SIZE_UNWANTED &&
			(best == sizes->count ||
				sizes->sizes[i].busy_ns > sizes->sizes[best].busy_ns))
			best = i;
	return best;
}

uint32_t sizes_wanted(const struct replay_sizes *sizes)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < sizes->count; i++)
		count += met(sizes, i) != SIZE_UNWANTED;
	return count;
}

uint64_t sizes_busy_ns(const struct replay_sizes *sizes)
{
	uint32_t size = busiest(sizes);

	return size < sizes->count ? sizes->sizes[size].busy_ns : 0;
}

uint64_t sizes_longest_ns(const struct replay_sizes *sizes)
{
	double longest_ns = 0;

	for (uint32_t i = 0; i < sizes->count; i++)
		if (mean_ns(&sizes->sizes[i]) > longest_ns)
			longest_ns = mean_ns(&sizes->sizes[i]);
	return (uint64_t)longest_ns;
}

void sizes_begin(struct replay_sizes *sizes, uint64_t each_ns, uint64_t begin_ns)
{
	sizes->current = sizes->replay_count++;
	sizes->replays[sizes->current] = (struct size_replay){.each_ns = each_ns,
		.begin_ns = begin_ns,
		.end_ns = UINT64_MAX,
		.cold_begin_ns = UINT64_MAX};
}

enum size_met sizes_meet(struct replay_sizes *sizes, bool waits)
{
	enum size_met result;
	uint32_t size;

	if (waits && sizes->replays[sizes->current].warm.executions < MEAN_LEAST)
		return SIZE_UNKNOWN;
	size = size_of_replay(sizes, sizes->current);
	/* It is judged by those before it, and stays only if it is wanted. */
	sizes->replay_count--;
	result = met(sizes, size);
	if (result == SIZE_WANTED)
		sizes->replay_count++;
	else if (result == SIZE_WANTED_COLD)
		sizes->current = wanted_cold(sizes, size);
	return result;
}

void sizes_end(struct replay_sizes *sizes, uint64_t end_ns)
{
	if (sizes->replays[sizes->current].end_ns == UINT64_MAX)
		sizes->replays[sizes->current].end_ns = end_ns;
}

void sizes_begin_cold(struct replay_sizes *sizes, uint64_t begin_ns)
{
	sizes->replays[sizes->current].cold_begin_ns = begin_ns;
}

void sizes_settle(struct replay_sizes *sizes)
{
	sizes->replays[sizes->current].settled = true;
}

bool sizes_await_times(const struct replay_sizes *sizes)
{
	const struct size_replay *replay = &sizes->replays[sizes->current];
	const struct replay_busy *busy;

	if (sizes->current >= sizes->replay_count || replay->settled)
		return false;
	busy = replay->cold_begin_ns == UINT64_MAX ? &replay->warm : &replay->cold;
	return busy->executions < MEAN_LEAST;
}

/* A number from 1 to DISTANCE that programs which repeat themselves do not meet (Knuth's
 * multiplicative hash). */
static uint32_t random_distance(uint32_t of)
{
	return (uint32_t)((uint64_t)(of * UINT32_C(2654435761)) * DISTANCE >> 32) + 1;
}

void sizes_try_later(struct replay_sizes *sizes, uint32_t launches)
{
	sizes->missed = 0;
	sizes->next_try = launches + random_distance(launches);
}

static void give_up(struct replay_sizes *sizes)
{
	uint32_t size = busiest(sizes);

	if (size == sizes->count)
		return;
	if (!was_replayed(sizes, size))
		sizes_begin(sizes, (uint64_t)mean_ns(&sizes->sizes[size]), UINT64_MAX);
	for (uint32_t i = 0; i < sizes->replay_count; i++)
		sizes->replays[i].settled |= size_of_replay(sizes, i) == size;
}

void sizes_missed(struct replay_sizes *sizes, uint32_t launches)
{
	uint32_t missed = sizes->missed + 1;

	sizes_try_later(sizes, launches + missed);
	sizes->missed = missed % MISSED_MAX;
	if (!sizes->missed)
		give_up(sizes);
}
