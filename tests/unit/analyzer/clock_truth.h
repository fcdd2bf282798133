/* SPDX-License-Identifier: MIT */
/* Clocks of devices whose truth is known, for the tests of clock.h. */
#ifndef PWRTRACE_TESTS_CLOCK_TRUTH_H
#define PWRTRACE_TESTS_CLOCK_TRUTH_H

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

static inline uint64_t raw_at(const struct truth *truth, uint64_t host_ns)
{
	uint64_t since_ns = host_ns - truth->host_ns;

	return truth->raw_ns + since_ns +
	       (uint64_t)llround(truth->fast * (double)(int64_t)since_ns);
}

/* An anchor of a bracket whose middle is late by so much. */
static inline void add(struct clock *clock, const struct truth *truth, uint64_t host_ns,
	uint64_t error_ns, int late_ns)
{
	clock_add(clock, host_ns + (uint64_t)late_ns, raw_at(truth, host_ns), error_ns);
}

/* By how much a time that was moved is late. */
static inline int64_t late(struct clock *clock, const struct truth *truth, uint64_t host_ns)
{
	return (int64_t)(clock_host_ns(clock, raw_at(truth, host_ns), CLOCK_NO_LIMITS, NOWHERE) -
			 host_ns);
}

/* Moves times from begin to end, and returns by how much the worst is off: no more than is said. */
static inline uint64_t worst(
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

/* Numbers between -most and most that look like chance and are the same each time. */
static inline int chance(int most)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (int)((int64_t)state * (2 * most + 1) >> 32) - most;
}

/* Twenty seconds of a clock whose rate changes in the middle. */
static inline struct clock *bent(struct truth *first, struct truth *second)
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

#endif
