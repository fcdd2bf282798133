/* SPDX-License-Identifier: MIT */
#include "preload/power/core/counter.h"

#include "pwrtrace/units.h"

static bool plausible(const struct counter *counter, uint64_t gained, uint64_t time_ns)
{
	/* A second is added to the time that passed: how old the values are is not known. */
	unsigned __int128 passed_ns = time_ns - counter->time_ns + PWRTRACE_NS_PER_S;

	return !counter->fastest || gained <= passed_ns * counter->fastest / PWRTRACE_NS_PER_S;
}

void counter_read(struct counter *counter, uint64_t value, uint64_t time_ns)
{
	uint64_t gained = value - counter->value;

	if (!counter->time_ns)
		gained = 0;
	else if (value < counter->value && counter->range)
		gained = counter->range - counter->value + value;
	if (counter->time_ns && value < counter->value &&
		(!counter->range || counter->value > counter->range ||
			!plausible(counter, gained, time_ns)))
		counter->total = 0;
	else
		counter->total += gained;
	counter->value = value;
	counter->time_ns = time_ns;
}
