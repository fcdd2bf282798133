/* SPDX-License-Identifier: MIT */
/* A clock of a device that changes its rate, steps, is reset, or is read wrongly. */
#include "tests/unit/analyzer/clock_truth.h"

static struct clock_limits not_before(uint64_t host_ns)
{
	return (struct clock_limits){host_ns, NOWHERE};
}

/* Temperature, or NTP, changes the rate: brackets tell, and no step is made of it. */
static void a_bend(void **state)
{
	struct truth first, second;
	struct clock *clock = bent(&first, &second);

	(void)state;
	assert_int_equal(clock_summarize(clock).steps, 0);
	assert_in_range(worst(clock, &first, 101 * SECOND, 109 * SECOND), 0, 200);
	assert_in_range(clock_summarize(clock).error_ns, 100, 400);
	/* Just where it bends, the error is what the anchors on both sides leave open. */
	assert_in_range(worst(clock, &first, 109 * SECOND, 110 * SECOND), 15000, 25000);
	assert_in_range(worst(clock, &second, 110 * SECOND, 119 * SECOND), 15000, 25000);
	clock_free(clock);
}

/* A clock that wanders like those of real machines, slowly and for long: whatever the lines, times
 * are as exact as is said. */
static void wander(void **state)
{
	double fast = 10e-6;
	struct truth truth[600] = {{100 * SECOND, 5, fast}};
	struct clock *clock = clock_new();

	(void)state;
	for (int i = 1; i < 600; i++) {
		fast += chance(100) * 0.5e-9;
		truth[i] = (struct truth){truth[i - 1].host_ns + SECOND,
			raw_at(&truth[i - 1], truth[i - 1].host_ns + SECOND), fast};
	}
	for (int i = 0; i < 600; i++)
		add(clock, &truth[i], truth[i].host_ns, 200, chance(200));
	clock_fit(clock);
	assert_int_equal(clock_summarize(clock).steps, 0);
	assert_in_range(clock_summarize(clock).pieces, 2, 200);
	for (int i = 0; i < 599; i++)
		assert_in_range(
			worst(clock, &truth[i], truth[i].host_ns, truth[i + 1].host_ns), 0, 1000);
	assert_in_range(clock_summarize(clock).error_ns, 200, 2000);
	clock_free(clock);
}

/* The device's clock gains 3 s, or loses them, between two anchors. */
static void a_step(void **state)
{
	static const int64_t steps[] = {3000000000, -3000000000, 200000000, -200000000};

	(void)state;
	for (size_t k = 0; k < G_N_ELEMENTS(steps); k++) {
		const struct truth first = {100 * SECOND, 50 * SECOND, 50e-6};
		const struct truth second = {
			110 * SECOND, raw_at(&first, 110 * SECOND) + (uint64_t)steps[k], 50e-6};
		struct clock *clock = clock_new();
		struct clock_summary summary;

		for (uint64_t i = 0; i < 10; i++)
			add(clock, &first, (100 + i) * SECOND, 100, chance(100));
		for (uint64_t i = 0; i < 10; i++)
			add(clock, &second, (110 + i) * SECOND, 100, chance(100));
		clock_fit(clock);
		assert_in_range(worst(clock, &first, 100 * SECOND, 105 * SECOND), 0, 150);
		assert_in_range(worst(clock, &second, 114 * SECOND, 119 * SECOND), 0, 150);
		summary = clock_summarize(clock);
		assert_int_equal(summary.steps, 1);
		assert_int_equal(summary.pieces, 2);
		assert_in_range(ABS(summary.step_ns - steps[k]), 0, 200000);
		assert_in_range(summary.error_ns, 100, 300);
		clock_free(clock);
	}
}

/* A step by less than the time between two anchors: one side or the other, and it is said. */
static void when_it_stepped_may_be_open(void **state)
{
	const struct truth first = {100 * SECOND, 50 * SECOND, 0};
	const struct truth second = {110 * SECOND, raw_at(&first, 110 * SECOND) + SECOND / 5, 0};
	struct clock *clock = clock_new();

	(void)state;
	add(clock, &first, 109 * SECOND, 100, 0);
	add(clock, &second, 110 * SECOND, 100, 0);
	clock_fit(clock);
	worst(clock, &first, 109 * SECOND, 110 * SECOND);
	assert_in_range(clock_summarize(clock).error_ns, SECOND / 5, SECOND / 5 + 1000);
	assert_int_equal(clock_summarize(clock).cause, CLOCK_AT_STEP);
	clock_free(clock);
}

/* A device that was reset counts from 0 again: what it reads, it has read before. */
static void a_reset(void **state)
{
	const struct truth first = {100 * SECOND, 0, 50e-6}, second = {200 * SECOND, 0, 50e-6};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i < 50; i++) {
		add(clock, &first, (100 + i) * SECOND, 100, chance(100));
		add(clock, &second, (200 + i) * SECOND, 100, chance(100));
	}
	clock_fit(clock);
	assert_int_equal(clock_summarize(clock).steps, 1);
	for (uint64_t i = 0; i < 49; i++) {
		uint64_t before_ns = (100 + i) * SECOND, after_ns = (200 + i) * SECOND;
		uint64_t raw_ns = raw_at(&first, before_ns);

		/* By the launch, however little before, and by what was said while recording. */
		assert_in_range(clock_host_ns(clock, raw_ns, not_before(before_ns + 50), before_ns),
			before_ns - 150, before_ns + 150);
		assert_in_range(clock_host_ns(clock, raw_ns, not_before(after_ns + 50), before_ns),
			after_ns - 150, after_ns + 150);
		assert_in_range(clock_host_ns(clock, raw_ns, CLOCK_NO_LIMITS, after_ns),
			after_ns - 150, after_ns + 150);
	}
	assert_in_range(clock_summarize(clock).error_ns, 100, 300);
	clock_free(clock);
}

static void an_outlier(void **state)
{
	const struct truth truth = {100 * SECOND, 50 * SECOND, 50e-6};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i < 10; i++)
		add(clock, &truth, (100 + i) * SECOND, 100, i == 4 ? 5000000 : chance(100));
	/* This one is true and says little. */
	add(clock, &truth, 105 * SECOND + SECOND / 2, 40000000, 30000000);
	clock_fit(clock);
	assert_in_range(worst(clock, &truth, 100 * SECOND, 109 * SECOND), 0, 150);
	assert_int_equal(clock_summarize(clock).wrong, 1);
	assert_int_equal(clock_summarize(clock).steps, 0);
	assert_in_range(clock_summarize(clock).error_ns, 100, 300);
	clock_free(clock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bend),
		cmocka_unit_test(wander),
		cmocka_unit_test(a_step),
		cmocka_unit_test(when_it_stepped_may_be_open),
		cmocka_unit_test(a_reset),
		cmocka_unit_test(an_outlier),
	};

	return cmocka_run_group_tests_name("clock breaks", tests, NULL, NULL);
}
