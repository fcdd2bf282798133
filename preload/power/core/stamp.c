/* SPDX-License-Identifier: MIT */
#include "preload/power/core/stamp.h"

#include "pwrtrace/units.h"

#define SPAN_NS (10 * PWRTRACE_NS_PER_S)

uint64_t stamp_clock_time(struct stamp_clock *clock, uint64_t stamp_ns, uint64_t host_ns)
{
	int64_t offset_ns = (int64_t)(host_ns - stamp_ns);

	if (!clock->begun || stamp_ns < clock->stamp_ns)
		*clock = (struct stamp_clock){.begun = true,
			.since_ns = host_ns,
			.now_ns = offset_ns,
			.before_ns = INT64_MAX};
	if (host_ns - clock->since_ns > SPAN_NS) {
		clock->before_ns = clock->now_ns;
		clock->now_ns = offset_ns;
		clock->since_ns = host_ns;
	}
	if (offset_ns < clock->now_ns)
		clock->now_ns = offset_ns;
	clock->stamp_ns = stamp_ns;
	return stamp_ns +
	       (uint64_t)(clock->now_ns < clock->before_ns ? clock->now_ns : clock->before_ns);
}
