/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/apportion.h"
#include "tests/unit/unit.h"

static void shares_are_exact_where_they_divide(void **state)
{
	const uint64_t weights[] = {1, 2, 3, 0};
	uint64_t parts[4];

	(void)state;
	apportion(600, weights, 4, parts);
	assert_int_equal(parts[0], 100);
	assert_int_equal(parts[1], 200);
	assert_int_equal(parts[2], 300);
	assert_int_equal(parts[3], 0);
}

static void the_largest_remainder_gets_what_is_left(void **state)
{
	const uint64_t weights[] = {30, 25, 45};
	uint64_t parts[3];

	(void)state;
	/* 0.9, 0.75 and 1.35 */
	apportion(3, weights, 3, parts);
	assert_int_equal(parts[0], 1);
	assert_int_equal(parts[1], 1);
	assert_int_equal(parts[2], 1);
	/* equal remainders: the first */
	apportion(1, (const uint64_t[]){7, 7, 7}, 3, parts);
	assert_int_equal(parts[0], 1);
	assert_int_equal(parts[1], 0);
}

static void scaled_weights_fit(void **state)
{
	static const double weights[] = {3e30, 1e30, 1, 0};
	uint64_t scaled[4], parts[4];
	double whole = 0;

	(void)state;
	for (int i = 0; i < 4; i++)
		whole += weights[i];
	for (int i = 0; i < 4; i++)
		scaled[i] = (uint64_t)(weights[i] * apportion_scale(whole));
	apportion(4000000, scaled, 4, parts);
	assert_int_equal(parts[0], 3000000);
	assert_int_equal(parts[1], 1000000);
	assert_int_equal(parts[2], 0);
	assert_int_equal(parts[3], 0);
}

static void parts_add_up_and_are_less_than_one_off(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		enum { COUNT = 17 };
		uint64_t weights[COUNT], parts[COUNT], whole = 0, sum = 0, amount;

		for (int i = 0; i < COUNT; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			weights[i] = seed >> 30;
			whole += weights[i];
		}
		amount = seed >> (round % 64);
		apportion(amount, weights, COUNT, parts);
		for (int i = 0; i < COUNT; i++) {
			__int128 scaled = (__int128)amount * weights[i];
			__int128 off = scaled - (__int128)parts[i] * whole;

			assert_true(off < (__int128)whole && -off < (__int128)whole);
			sum += parts[i];
		}
		assert_true(sum == amount);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_exact_where_they_divide),
		cmocka_unit_test(the_largest_remainder_gets_what_is_left),
		cmocka_unit_test(scaled_weights_fit),
		cmocka_unit_test(parts_add_up_and_are_less_than_one_off),
	};

	return cmocka_run_group_tests_name("apportion", tests, NULL, NULL);
}
