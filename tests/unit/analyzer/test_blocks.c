/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/blocks.h"

#include "tests/unit/unit.h"

static struct blocks blocks_of_span(double span_ns)
{
	const struct power_reading readings[] = {
		{.time_ns = 5e9}, {.time_ns = 6e9}, {.time_ns = 5e9 + span_ns}};

	return blocks_of(readings, G_N_ELEMENTS(readings));
}

static void blocks_are_dealt_in_turn(void **state)
{
	struct blocks blocks = blocks_of_span(24e9);

	(void)state;
	assert_int_equal((int)blocks.length_ns, 2000000000);
	for (guint i = 0; i < 12; i++) {
		assert_int_equal(blocks_at(&blocks, 5e9 + (i + 0.5) * 2e9), i);
		assert_int_equal(blocks_fold(&blocks, 5e9 + (i + 0.5) * 2e9), i % BLOCKS_FOLDS);
	}
	assert_int_equal(blocks_at(&blocks, 0), 0);
	assert_int_equal(blocks_at(&blocks, 1e12), blocks_at(&blocks, 29e9));
}

/* However long it is: where it idles at both ends, some fold has seen that. */
static void the_first_and_the_last_are_of_different_folds(void **state)
{
	(void)state;
	for (double span_ns = 1e8; span_ns < 100e9; span_ns += 3e8) {
		struct blocks blocks = blocks_of_span(span_ns);

		assert_true(blocks_fold(&blocks, 5e9) != blocks_fold(&blocks, 5e9 + span_ns));
		assert_true(blocks_at(&blocks, 5e9 + span_ns) >= BLOCKS_FOLDS);
	}
}

static void long_recordings_have_longer_ones(void **state)
{
	struct blocks blocks = blocks_of_span(86400e9);

	(void)state;
	assert_int_equal(blocks_at(&blocks, 5e9 + 86400e9), 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_dealt_in_turn),
		cmocka_unit_test(the_first_and_the_last_are_of_different_folds),
		cmocka_unit_test(long_recordings_have_longer_ones),
	};

	return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
