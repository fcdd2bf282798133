/* SPDX-License-Identifier: MIT */
/* A clock of a device that runs evenly, by its anchors. */
#include "tests/unit/analyzer/clock_truth.h"

static void an_exact_line(void **state)
{
	const struct truth truth = {100 * SECOND, 7 * SECOND, 0};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i < 10; i++)
		add(clock, &truth, truth.host_ns + i * SECOND, 0, 0);
	clock_fit(clock);
	assert_int_equal(worst(clock, &truth, 100 * SECOND, 109 * SECOND), 0);
	assert_in_range(clock_summarize(clock).error_ns, 0, 2);
	assert_int_equal(clock_summarize(clock).cause, CLOCK_BETWEEN);
	assert_int_equal(clock_summarize(clock).anchors, 10);
	clock_free(clock);
}

/* Times in whole nanoseconds are no line. */
static void a_line_to_the_nanosecond(void **state)
{
	const struct truth truth = {100 * SECOND, 7 * SECOND, 1e-5 / 3};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		add(clock, &truth, truth.host_ns + i * SECOND, 0, 0);
	clock_fit(clock);
	assert_in_range(worst(clock, &truth, 100 * SECOND, 199 * SECOND), 0, 1);
	assert_int_equal(clock_summarize(clock).pieces, 1);
	clock_free(clock);
}

static void drift(void **state)
{
	const struct truth truth = {100 * SECOND, 1100 * SECOND, 50e-6};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i < 10; i++)
		add(clock, &truth, truth.host_ns + i * SECOND, 230, 0);
	clock_fit(clock);
	assert_in_range(worst(clock, &truth, 100 * SECOND, 109 * SECOND), 0, 2);
	assert_in_range(clock_summarize(clock).error_ns, 200, 300);
	assert_true(fabs(clock_summarize(clock).drift - 50e-6) < 1e-8);
	assert_int_equal(clock_summarize(clock).pieces, 1);
	/* Before the first and after the last, less is known, and it is said. */
	assert_in_range(worst(clock, &truth, 60 * SECOND, 149 * SECOND), 0, 20);
	assert_in_range(clock_summarize(clock).error_ns, 2000, 3000);
	assert_int_equal(clock_summarize(clock).cause, CLOCK_BEYOND);
	clock_free(clock);
}

static void noise_within_its_bounds(void **state)
{
	const struct truth truth = {100 * SECOND, SECOND / 2, -30e-6};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i < 600; i++) {
		int error_ns = i % 7 ? 500 : 20000;

		add(clock, &truth, truth.host_ns + i * SECOND, (uint64_t)error_ns,
			chance(error_ns));
	}
	clock_fit(clock);
	assert_in_range(worst(clock, &truth, 100 * SECOND, 699 * SECOND), 0, 100);
	assert_in_range(clock_summarize(clock).error_ns, 500, 510);
	assert_int_equal(clock_summarize(clock).pieces, 1);
	assert_int_equal(clock_summarize(clock).steps, 0);
	clock_free(clock);
}

/* Each bracket is true, and all are late by nearly as much as they may be. */
static void brackets_of_one_side(void **state)
{
	const struct truth truth = {100 * SECOND, SECOND, 20e-6};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i < 100; i++) {
		int error_ns = 1000 + 400 * chance(2);

		add(clock, &truth, truth.host_ns + i * SECOND, (uint64_t)error_ns, error_ns - 1);
	}
	clock_fit(clock);
	assert_in_range(worst(clock, &truth, 90 * SECOND, 220 * SECOND), 100, 1000);
	clock_free(clock);
}

/* One that is late by most of its bracket does not weigh more than the others. */
static void a_late_bracket_among_others(void **state)
{
	const struct truth truth = {100 * SECOND, SECOND, 20e-6};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i <= 10; i++)
		add(clock, &truth, truth.host_ns + i * SECOND, 1000, i == 5 ? 900 : 0);
	clock_fit(clock);
	assert_in_range(worst(clock, &truth, 100 * SECOND, 110 * SECOND), 50, 100);
	clock_free(clock);
}

/* Nor may all the others lead past it: they are late by 900 ns, of 1000 that they may be. */
static void no_bracket_is_missed(void **state)
{
	const struct truth truth = {100 * SECOND, SECOND, 20e-6};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i <= 10; i++)
		add(clock, &truth, truth.host_ns + i * SECOND, 1000, i == 5 ? -990 : 900);
	clock_fit(clock);
	assert_in_range(ABS(late(clock, &truth, 105 * SECOND)), 0, 100);
	clock_free(clock);
}

static void one_anchor(void **state)
{
	const struct truth truth = {100 * SECOND, SECOND, 400e-6};
	struct clock *clock = clock_new();

	(void)state;
	add(clock, &truth, truth.host_ns, 100, 30);
	clock_fit(clock);
	assert_int_equal(late(clock, &truth, truth.host_ns), 30);
	assert_in_range(clock_summarize(clock).error_ns, 100, 102);
	assert_in_range(worst(clock, &truth, 99 * SECOND, 101 * SECOND), 399000, 401000);
	assert_in_range(clock_summarize(clock).error_ns, 500000, 501000);
	assert_int_equal(clock_summarize(clock).cause, CLOCK_BEYOND);
	clock_free(clock);
}

/* So short a time says nothing of the rate: 200 ns in a millisecond. */
static void two_anchors_in_a_millisecond(void **state)
{
	const struct truth truth = {100 * SECOND, SECOND, -20e-6};
	struct clock *clock = clock_new();

	(void)state;
	add(clock, &truth, truth.host_ns, 500, 200);
	add(clock, &truth, truth.host_ns + SECOND / 1000, 500, -200);
	clock_fit(clock);
	assert_in_range(worst(clock, &truth, 100 * SECOND, 102 * SECOND), 0, 400000);
	assert_in_range(clock_summarize(clock).error_ns, 900000, 1300000);
	clock_free(clock);
}

static void repeats_and_disorder(void **state)
{
	const struct truth truth = {100 * SECOND, SECOND, 10e-6};
	static const uint64_t order[] = {5, 1, 3, 1, 0, 5, 4, 2, 0, 0};
	struct clock *clock = clock_new();

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(order); i++)
		add(clock, &truth, truth.host_ns + order[i] * SECOND, 300 + 10 * i, 0);
	/* The same reading within another bracket, a tighter one. */
	clock_add(clock, truth.host_ns + 5 * SECOND + 90,
		raw_at(&truth, truth.host_ns + 5 * SECOND), 100);
	clock_add(clock, NOWHERE, 5, 5);
	clock_add(clock, 5, NOWHERE, 5);
	clock_add(clock, 5, 5, NOWHERE);
	clock_fit(clock);
	assert_int_equal(clock_summarize(clock).anchors, 6);
	assert_int_equal(clock_summarize(clock).steps, 0);
	assert_true(clock_summarize(clock).span_s == 5.00000009);
	worst(clock, &truth, 100 * SECOND, 105 * SECOND);
	assert_in_range(clock_summarize(clock).error_ns, 0, 375);
	clock_free(clock);
}

static void no_anchor(void **state)
{
	struct clock *clock = clock_new();

	(void)state;
	clock_add(clock, NOWHERE, 5, 5);
	clock_fit(clock);
	assert_false(clock_is_known(clock));
	assert_int_equal(clock_summarize(clock).error_ns, 0);
	clock_free(clock);
}

static void nothing_moved(void **state)
{
	const struct truth truth = {100 * SECOND, 100 * SECOND, 0};
	struct clock *clock = clock_new();

	(void)state;
	add(clock, &truth, 100 * SECOND, 30, 0);
	add(clock, &truth, 101 * SECOND, 35, 0);
	clock_fit(clock);
	assert_int_equal(clock_summarize(clock).error_ns, 35);
	assert_int_equal(clock_summarize(clock).cause, CLOCK_COMPARED);
	clock_free(clock);
}

/* Around 2^63, and over the end of 64 bits. */
static void a_raw_clock_near_the_end(void **state)
{
	static const uint64_t begins[] = {UINT64_MAX / 2 - 2 * SECOND, UINT64_MAX - 2 * SECOND};

	(void)state;
	for (size_t k = 0; k < G_N_ELEMENTS(begins); k++) {
		const struct truth truth = {100 * SECOND, begins[k], 50e-6};
		struct clock *clock = clock_new();

		for (uint64_t i = 0; i < 5; i++)
			add(clock, &truth, truth.host_ns + i * SECOND, 100, chance(100));
		clock_fit(clock);
		assert_int_equal(clock_summarize(clock).steps, 0);
		assert_in_range(worst(clock, &truth, 100 * SECOND, 104 * SECOND), 0, 150);
		clock_free(clock);
	}
}

/* Three days at one anchor a second keep nanoseconds. */
static void days(void **state)
{
	const struct truth truth = {100 * SECOND, 5, 50e-6};
	struct clock *clock = clock_new();

	(void)state;
	for (uint64_t i = 0; i < 3 * 86400; i++)
		add(clock, &truth, truth.host_ns + i * SECOND, 100, 0);
	clock_fit(clock);
	assert_in_range(worst(clock, &truth, truth.host_ns, 3 * 86400 * SECOND), 0, 1);
	assert_in_range(clock_summarize(clock).error_ns, 100, 110);
	clock_free(clock);
}

static void what_cannot_be_counts(void **state)
{
	const struct truth truth = {100 * SECOND, SECOND, 0};
	struct clock *clock = clock_new();

	(void)state;
	add(clock, &truth, truth.host_ns, 100, 0);
	clock_fit(clock);
	late(clock, &truth, truth.host_ns);
	clock_contradicted(clock, 50);
	assert_in_range(clock_summarize(clock).error_ns, 100, 102);
	clock_contradicted(clock, 5000);
	assert_int_equal(clock_summarize(clock).error_ns, 5000);
	assert_int_equal(clock_summarize(clock).cause, CLOCK_CONTRADICTED);
	assert_int_equal(clock_summarize(clock).contradicted, 2);
	assert_int_equal(clock_summarize(clock).contradiction_ns, 5000);
	clock_free(clock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exact_line),
		cmocka_unit_test(a_line_to_the_nanosecond),
		cmocka_unit_test(drift),
		cmocka_unit_test(noise_within_its_bounds),
		cmocka_unit_test(brackets_of_one_side),
		cmocka_unit_test(a_late_bracket_among_others),
		cmocka_unit_test(no_bracket_is_missed),
		cmocka_unit_test(one_anchor),
		cmocka_unit_test(two_anchors_in_a_millisecond),
		cmocka_unit_test(repeats_and_disorder),
		cmocka_unit_test(no_anchor),
		cmocka_unit_test(nothing_moved),
		cmocka_unit_test(a_raw_clock_near_the_end),
		cmocka_unit_test(days),
		cmocka_unit_test(what_cannot_be_counts),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
