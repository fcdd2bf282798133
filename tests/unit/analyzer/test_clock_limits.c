/* SPDX-License-Identifier: MIT */
/* What launches and waits say of a clock of a device, beside its anchors. */
#include "tests/unit/analyzer/clock_truth.h"

/* Something happened at host_ns; that is known to be so much later than one time of the host's, and
 * so much earlier than another.  Less than 0: it is not known. */
static void limit(struct clock *clock, const struct truth *truth, uint64_t host_ns,
	int64_t later_ns, int64_t earlier_ns)
{
	clock_limit(clock, raw_at(truth, host_ns),
		(struct clock_limits){later_ns < 0 ? NOWHERE : host_ns - (uint64_t)later_ns,
			earlier_ns < 0 ? NOWHERE : host_ns + (uint64_t)earlier_ns});
}

/* One anchor tells nothing of the rate: launches and waits of the next minute do. */
static void limits_far_from_an_anchor(void **state)
{
	static const double fasts[] = {400e-6, 50e-6, 0, -50e-6, -400e-6};

	(void)state;
	for (size_t k = 0; k < G_N_ELEMENTS(fasts); k++) {
		const struct truth truth = {100 * SECOND, SECOND, fasts[k]};
		struct clock *clock = clock_new();

		add(clock, &truth, truth.host_ns, 1000, 0);
		clock_fit(clock);
		for (uint64_t i = 1; i <= 60; i++) {
			limit(clock, &truth, (100 + i) * SECOND, 4000, -1);
			limit(clock, &truth, (100 + i) * SECOND + SECOND / 2, -1, 9000);
		}
		clock_settle(clock);
		assert_in_range(worst(clock, &truth, 100 * SECOND, 160 * SECOND), 0, 11000);
		assert_in_range(clock_summarize(clock).error_ns, 1000, 15000);
		assert_true(fabs(clock_summarize(clock).drift - fasts[k]) < 1e-6);
		assert_int_equal(clock_summarize(clock).contradicted, 0);
		clock_free(clock);
	}
}

/* What one side tells is taken up, and the other side is as far as it was. */
static void a_limit_of_one_side(void **state)
{
	const struct truth truth = {100 * SECOND, SECOND, 80e-6};
	struct clock *clock = clock_new();

	(void)state;
	add(clock, &truth, truth.host_ns, 100, 0);
	clock_fit(clock);
	limit(clock, &truth, 160 * SECOND, -1, 5000);
	clock_settle(clock);
	assert_in_range(worst(clock, &truth, 100 * SECOND, 160 * SECOND), 0, 5200);
	/* 500 - 80 parts in a million of a minute. */
	assert_in_range(clock_summarize(clock).error_ns, 25100000, 25300000);
	clock_free(clock);
}

static void limits_between_loose_anchors(void **state)
{
	const struct truth truth = {100 * SECOND, SECOND, 30e-6};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i <= 20; i++)
		add(clock, &truth, (100 + i) * SECOND, 40000, 35000);
	clock_fit(clock);
	assert_in_range(worst(clock, &truth, 100 * SECOND, 120 * SECOND), 34000, 36000);
	for (uint64_t i = 0; i < 20; i++)
		limit(clock, &truth, (100 + i) * SECOND + SECOND / 2, 3000, 5000);
	clock_settle(clock);
	for (int i = 0; i <= 1000; i++)
		assert_in_range(
			late(clock, &truth, 100 * SECOND + SECOND / 50 * i) + 4200, 0, 10400);
	clock_free(clock);
}

/* Anchors were compared; what they leave no line for is no reason to leave them. */
static void limits_that_cannot_be(void **state)
{
	const struct truth truth = {100 * SECOND, SECOND, 30e-6};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i <= 20; i++)
		add(clock, &truth, (100 + i) * SECOND, 200, chance(200));
	clock_fit(clock);
	clock_limit(clock, raw_at(&truth, 110 * SECOND),
		(struct clock_limits){110 * SECOND + 50000, NOWHERE});
	clock_limit(clock, raw_at(&truth, 112 * SECOND),
		(struct clock_limits){NOWHERE, 112 * SECOND - 50000});
	clock_settle(clock);
	assert_in_range(worst(clock, &truth, 100 * SECOND, 120 * SECOND), 0, 200);
	clock_free(clock);
}

/* Between the anchors around a bend, a limit must not draw a line off either side's. */
static void limits_at_a_bend(void **state)
{
	struct truth first, second;
	struct clock *clock = bent(&first, &second);

	(void)state;
	for (uint64_t ms = 0; ms < 10000; ms += 20) {
		limit(clock, &first, 100 * SECOND + ms * 1000000, 2000, 2000);
		limit(clock, &second, 110 * SECOND + ms * 1000000, 2000, 2000);
	}
	clock_settle(clock);
	assert_in_range(worst(clock, &first, 101 * SECOND, 109 * SECOND), 0, 200);
	assert_in_range(worst(clock, &second, 111 * SECOND, 119 * SECOND), 0, 20000);
	worst(clock, &first, 109 * SECOND, 110 * SECOND);
	worst(clock, &second, 110 * SECOND, 111 * SECOND);
	clock_free(clock);
}

/* A device that was reset reads the same again: an end that was seen tells which time it was. */
static void limits_across_a_reset(void **state)
{
	const struct truth first = {100 * SECOND, 0, 50e-6}, second = {200 * SECOND, 0, 50e-6};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i < 50; i += 49) {
		add(clock, &first, (100 + i) * SECOND, 100, 0);
		add(clock, &second, (200 + i) * SECOND, 100, 0);
	}
	clock_fit(clock);
	/* These may be of both; what follows of one. */
	limit(clock, &first, 120 * SECOND, 100 * SECOND, -1);
	limit(clock, &second, 220 * SECOND, -1, 100 * SECOND);
	limit(clock, &first, 130 * SECOND, -1, 50);
	limit(clock, &second, 230 * SECOND, 50, -1);
	clock_settle(clock);
	assert_in_range(clock_host_ns(clock, raw_at(&first, 120 * SECOND),
				(struct clock_limits){NOWHERE, 120 * SECOND + 50}, NOWHERE),
		120 * SECOND - 100, 120 * SECOND + 100);
	assert_in_range(clock_host_ns(clock, raw_at(&second, 220 * SECOND),
				(struct clock_limits){NOWHERE, 220 * SECOND + 50}, 220 * SECOND),
		220 * SECOND - 100, 220 * SECOND + 100);
	clock_free(clock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_far_from_an_anchor),
		cmocka_unit_test(a_limit_of_one_side),
		cmocka_unit_test(limits_between_loose_anchors),
		cmocka_unit_test(limits_that_cannot_be),
		cmocka_unit_test(limits_at_a_bend),
		cmocka_unit_test(limits_across_a_reset),
	};

	return cmocka_run_group_tests_name("clock limits", tests, NULL, NULL);
}
