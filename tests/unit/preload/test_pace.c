/* SPDX-License-Identifier: MIT */
/* When a replay pauses, so that the device does not lower its clock. */
#include "preload/engine/replay/pace.h"

#include "preload/common/clock.h"
#include "preload/engine/replay/cache.h"
#include "tests/unit/unit.h"

#define MS PWRTRACE_NS_PER_MS
#define BATCH_NS MS

/* In the first half of a part of a replay. */
static struct replay replay_in(int state)
{
	return (struct replay){.until_ns = UINT64_MAX,
		.each_ns = 10000,
		.cache = {.state = state, .warm_ns = BATCH_NS, .cold_ns = 2 * BATCH_NS}};
}

/* For how long it pauses after a batch that took part as long as the fastest one of its kind. */
static uint64_t pause_ns(struct replay *replay, double part)
{
	uint64_t begin_ns = clock_now_ns();

	pace_keep(replay, (uint64_t)(part * (double)cache_fastest_ns(replay)));
	return clock_now_ns() - begin_ns;
}

static void it_pauses_once_three_batches_were_slow(void **state)
{
	static const int states[] = {CACHE_WARM, CACHE_LEFT_WARM, CACHE_COLD, CACHE_COLD_BETWEEN};

	(void)state;
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		struct replay replay = replay_in(states[i]);
		uint64_t fastest_ns = cache_fastest_ns(&replay);

		assert_int_equal(fastest_ns, i < 2 ? BATCH_NS : 2 * BATCH_NS);
		for (int slow = 1; slow <= 2; slow++) {
			pause_ns(&replay, 1.025);
			assert_int_equal(replay.slow_batches, slow);
		}
		assert_true(pause_ns(&replay, 1.025) >= fastest_ns);
		assert_true(pause_ns(&replay, 1) >= fastest_ns);
	}
}

/* The host may have been busy. */
static void single_slow_batches_do_not_count(void **state)
{
	struct replay replay = replay_in(CACHE_COLD);

	(void)state;
	for (int i = 0; i < 3; i++) {
		pause_ns(&replay, 1.5);
		pause_ns(&replay, 1.015);
		assert_int_equal(replay.slow_batches, 0);
	}
}

/* Nor do those of kernels that the device is done with before the host launches the next one. */
static void batches_of_short_kernels_do_not_count(void **state)
{
	struct replay replay = replay_in(CACHE_COLD);

	(void)state;
	replay.each_ns = 9999;
	for (int i = 0; i < 5; i++)
		pause_ns(&replay, 1.5);
	assert_int_equal(replay.slow_batches, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_pauses_once_three_batches_were_slow),
		cmocka_unit_test(single_slow_batches_do_not_count),
		cmocka_unit_test(batches_of_short_kernels_do_not_count),
	};

	return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
