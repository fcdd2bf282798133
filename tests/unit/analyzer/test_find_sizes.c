/* SPDX-License-Identifier: MIT */
/* Of which size the executions of a kernel are, by their durations. */
#include "analyzer/load/find_sizes.h"

#include <string.h>

#include "tests/unit/analyzer/one_gpu.h"

#define US 1e3
#define SPACE_US 100

/* Kernel "a" runs as often as told for 10 us ('a') or b_us ('b'), 3 % more or less, as the loop
 * says again and again.  Returns how many executions were found to be of another size than the
 * letter says. */
static unsigned mistaken(const char *loop, double b_us, unsigned executions)
{
	struct one_gpu gpu;
	unsigned mistakes = 0;

	one_gpu_begin(&gpu, 1e6, executions * SPACE_US * US, 1);
	for (unsigned i = 0; i < executions; i++)
		one_gpu_runs(&gpu, 0, i * SPACE_US * US,
			(i * SPACE_US + (loop[i % strlen(loop)] == 'b' ? b_us : 10) *
						(0.97 + i * 7919 % 61 * 0.001)) *
				US);
	find_sizes(&gpu.model);
	for (unsigned i = 0; i < executions; i++)
		mistakes += model_origin_of(&gpu.model, one_gpu_execution(&gpu, i))->size !=
			    (loop[i % strlen(loop)] == 'b');
	one_gpu_set_source(&gpu);
	one_gpu_end(&gpu);
	return mistakes;
}

/* More executions than are looked at: every other one, or every fourth, is of one size alone. */
static void sizes_of_a_loop_are_told_apart(void **state)
{
	(void)state;
	assert_int_equal(mistaken("ab", 30, 100), 0);
	assert_int_equal(mistaken("ab", 30, 10000), 0);
	assert_int_equal(mistaken("aabb", 30, 10000), 0);
	assert_int_equal(mistaken("abbbbbbb", 30, 20000), 0);
	assert_int_equal(mistaken("a", 30, 10000), 0);
	assert_int_equal(mistaken("ab", 12, 10000), 0);
}

/* 'b' takes 8 % longer, as at another clock. */
static void one_size_at_two_clocks_is_one(void **state)
{
	(void)state;
	assert_int_equal(mistaken("ab", 10.8, 10000), 5000);
}

/* How many sizes are found of a kernel that takes 10 and 14 us in turn in the program.  Of the 20
 * executions of its replay, so many take long_us and the others short_us, and the part `cold` of
 * them follows a read of other memory. */
static unsigned sizes_beside_a_replay_of(
	double short_us, double long_us, unsigned longer, double cold)
{
	struct model_replay replay = {
		.span = {(uint64_t)(60 * SPACE_US * US), (uint64_t)(80 * SPACE_US * US)},
		.reason = "",
		.cold = cold};
	struct one_gpu gpu;
	unsigned sizes = 0;

	one_gpu_begin(&gpu, 1e6, 100 * SPACE_US * US, 1);
	gpu.model.replays = g_array_new(FALSE, FALSE, sizeof(struct model_replay));
	g_array_append_val(gpu.model.replays, replay);
	for (unsigned i = 0; i < 80; i++)
		one_gpu_runs_for(&gpu, i < 60 ? MODEL_OF_PROGRAM : MODEL_REPLAYED, 0,
			i * SPACE_US * US,
			(i * SPACE_US + (i < 60                   ? (i % 2 ? 14 : 10)
						: i - 60 < longer ? long_us
								  : short_us)) *
				US);
	find_sizes(&gpu.model);
	for (unsigned i = 0; i < 60; i++)
		sizes = MAX(
			sizes, model_origin_of(&gpu.model, one_gpu_execution(&gpu, i))->size + 1);
	g_array_free(gpu.model.replays, TRUE);
	one_gpu_set_source(&gpu);
	one_gpu_end(&gpu);
	return sizes;
}

static unsigned sizes_beside_a_replay(unsigned longer, double cold)
{
	return sizes_beside_a_replay_of(10, 14, longer, cold);
}

static void what_the_cache_makes_longer_is_of_one_size(void **state)
{
	(void)state;
	assert_int_equal(sizes_beside_a_replay(10, 0.5), 1);
	assert_int_equal(sizes_beside_a_replay(20, 0.5), 2);
	assert_int_equal(sizes_beside_a_replay(0, 0), 2);
	assert_int_equal(sizes_beside_a_replay(10, 1), 2);
	assert_int_equal(sizes_beside_a_replay_of(9.5, 12, 10, 0.5), 2);
	assert_int_equal(sizes_beside_a_replay_of(11.9, 15, 10, 0.5), 2);
}

/* The program's executions take 10.2 to 12.6 us, mostly the former, or 15; a replay's warm_us in
 * one part of it and cold_us in the other.  Returns of which size both are; 2: of two. */
static unsigned size_of_replay(double warm_us, double cold_us)
{
	static const double shorter_us[] = {10.2, 10.2, 10.2, 10.2, 10.2, 10.2, 11, 11, 11.8, 12.6};
	struct one_gpu gpu;
	unsigned sizes[2];

	one_gpu_begin(&gpu, 1e6, 402 * SPACE_US * US, 1);
	gpu.model.replays = g_array_new(FALSE, FALSE, sizeof(struct model_replay));
	for (unsigned i = 400; i < 402; i++) {
		struct model_replay part = {.span = {(uint64_t)(i * SPACE_US * US),
						    (uint64_t)((i + 1) * SPACE_US * US)},
			.reason = "",
			.cold = i - 400};

		g_array_append_val(gpu.model.replays, part);
	}
	for (unsigned i = 0; i < 402; i++)
		one_gpu_runs_for(&gpu, i < 400 ? MODEL_OF_PROGRAM : MODEL_REPLAYED, 0,
			i * SPACE_US * US,
			(i * SPACE_US + (i == 401          ? cold_us
						: i == 400 ? warm_us
						: i % 2    ? 15
							   : shorter_us[i / 2 % 10])) *
				US);
	find_sizes(&gpu.model);
	for (unsigned i = 0; i < 2; i++)
		sizes[i] = model_origin_of(&gpu.model, one_gpu_execution(&gpu, 400 + i))->size;
	g_array_free(gpu.model.replays, TRUE);
	one_gpu_set_source(&gpu);
	one_gpu_end(&gpu);
	return sizes[0] == sizes[1] ? sizes[0] : 2;
}

/* Repetitions take less time with a warm cache than the program's executions of their size, and
 * more with a cold one. */
static void a_replay_is_of_the_size_that_its_parts_are_nearest_to(void **state)
{
	(void)state;
	assert_int_equal(size_of_replay(8, 9), 0);
	assert_int_equal(size_of_replay(11, 12), 0);
	assert_int_equal(size_of_replay(13, 14), 1);
	assert_int_equal(size_of_replay(16, 17), 1);
	assert_int_equal(size_of_replay(9, 13.9), 0);
	assert_int_equal(size_of_replay(11.5, 17), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_of_a_loop_are_told_apart),
		cmocka_unit_test(one_size_at_two_clocks_is_one),
		cmocka_unit_test(what_the_cache_makes_longer_is_of_one_size),
		cmocka_unit_test(a_replay_is_of_the_size_that_its_parts_are_nearest_to)};

	return cmocka_run_group_tests_name("find sizes", tests, NULL, NULL);
}
