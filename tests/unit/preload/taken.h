/* SPDX-License-Identifier: MIT */
/* The readings that a power source hands over when one of its sensors is read. */
#ifndef PWRTRACE_TESTS_TAKEN_H
#define PWRTRACE_TESTS_TAKEN_H

#include <stdbool.h>

#include "preload/power/core/power.h"
#include "tests/unit/unit.h"

static char why[POWER_WHY_MAX];

/* What was handed over at the last reading. */
static unsigned int taken;
static uint64_t taken_ns, taken_value;
static struct pwrtrace_device_state taken_state;

static inline void take(const struct power_sink *sink, uint64_t time_ns, uint64_t value)
{
	(void)sink;
	assert_true(time_ns > 0);
	taken_ns = time_ns;
	taken_value = value;
	taken++;
}

static inline void take_state(
	const struct power_sink *sink, const struct pwrtrace_device_state *device_state)
{
	(void)sink;
	taken_state = *device_state;
	taken++;
}

/* Returns whether the sensor had a value. */
static inline bool read_sensor(const struct power_ops *source, void *opened, size_t i)
{
	struct power_sink sink = {.value = take, .state = take_state};

	taken = 0;
	source->read(opened, i);
	source->write(opened, i, &sink);
	return taken == 1;
}

static inline void is_sensor(const struct power_sensor *sensor, const char *domain,
	const char *part_of, const char *quantity)
{
	assert_string_equal(sensor->domain, domain);
	assert_string_equal(sensor->part_of, part_of);
	assert_string_equal(sensor->quantity, quantity);
	assert_null(sensor->problem);
}

#endif
