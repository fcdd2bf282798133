/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <math.h>

#include "analyzer/clock/clock.h"
#include "pwrtrace/units.h"
#include "tests/unit/unit.h"

#define SECOND PWRTRACE_NS_PER_S
#define NOWHERE PWRTRACE_UNKNOWN_U64

/* A device's clock that shows raw_ns at host_ns, and is fast by a part. */
struct truth {
	uint64_t host_ns, raw_ns;
	double fast;
};

static uint64_t raw_at(const struct truth *truth, uint64_t host_ns)
{
	uint64_t since_ns = host_ns - truth->host_ns;

	return truth->raw_ns + since_ns +
	       (uint64_t)llround(truth->fast * (double)(int64_t)since_ns);
}

/* An anchor of a bracket whose middle is late by so much. */
static void add(struct clock *clock, const struct truth *truth, uint64_t host_ns, uint64_t error_ns,
	int late_ns)
{
	clock_add(clock, host_ns + (uint64_t)late_ns, raw_at(truth, host_ns), error_ns);
}

/* By how much a time that was moved is late. */
static int64_t late(struct clock *clock, const struct truth *truth, uint64_t host_ns)
{
	return (int64_t)(clock_host_ns(clock, raw_at(truth, host_ns), CLOCK_NO_LIMITS, NOWHERE) -
			 host_ns);
}

/* Moves times from begin to end, and returns by how much the worst is off: no more than is said. */
static uint64_t worst(
	struct clock *clock, const struct truth *truth, uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t most_ns = 0;

	for (int i = 0; i <= 1000; i++) {
		int64_t off_ns = late(clock, truth, begin_ns + (end_ns - begin_ns) / 1000 * i);

		most_ns = MAX(most_ns, (uint64_t)ABS(off_ns));
	}
	assert_in_range(most_ns, 0, clock_summarize(clock).error_ns);
	return most_ns;
}

static struct clock_limits not_before(uint64_t host_ns)
{
	return (struct clock_limits){host_ns, NOWHERE};
}

/* Numbers between -most and most that look like chance and are the same each time. */
static int chance(int most)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (int)((int64_t)state * (2 * most + 1) >> 32) - most;
}

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

/* Twenty seconds of a clock whose rate changes in the middle. */
static struct clock *bent(struct truth *first, struct truth *second)
{
	struct clock *clock = clock_new();

	*first = (struct truth){100 * SECOND, 5, 50e-6};
	*second = (struct truth){110 * SECOND, raw_at(first, 110 * SECOND), -50e-6};
	for (uint64_t i = 0; i < 10; i++)
		add(clock, first, (100 + i) * SECOND + SECOND / 4, 100, chance(100));
	for (uint64_t i = 0; i < 10; i++)
		add(clock, second, (110 + i) * SECOND + SECOND / 4, 100, chance(100));
	clock_fit(clock);
	return clock;
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

/* ---- causality ---- */

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
		cmocka_unit_test(a_bend),
		cmocka_unit_test(wander),
		cmocka_unit_test(a_step),
		cmocka_unit_test(when_it_stepped_may_be_open),
		cmocka_unit_test(a_reset),
		cmocka_unit_test(an_outlier),
		cmocka_unit_test(what_cannot_be_counts),
		cmocka_unit_test(limits_far_from_an_anchor),
		cmocka_unit_test(a_limit_of_one_side),
		cmocka_unit_test(limits_between_loose_anchors),
		cmocka_unit_test(limits_that_cannot_be),
		cmocka_unit_test(limits_at_a_bend),
		cmocka_unit_test(limits_across_a_reset),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
