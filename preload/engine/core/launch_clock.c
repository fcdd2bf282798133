/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/launch_clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define TRIES 3
#define TIGHT_NS 200 /* a wider bracket, as of a thread that was interrupted, is no comparison */
/* Over at least which the slope is taken: a call that waited for a minute began at a time that is
 * then known to some microseconds. */
#define SLOPE_NS PWRTRACE_NS_PER_S
/* Of a counter of 0.5 to 16 GHz.  Anything else means that it was set, as by a move of the virtual
 * machine to another host. */
#define SCALE_MIN (1ULL << 28)
#define SCALE_MAX (1ULL << 33)

READ_AT_LAUNCH bool launch_clock_counts = false;

static struct launch_clock_reading from, last; /* where the slope begins; the last one */
static uint64_t scale;                         /* 2^32 times the ns of a tick; 0: unknown */
static bool steady;                            /* it was taken over SLOPE_NS */
static bool was_set;                           /* the counter, before the last reading */

/* Whether the kernel has found the counter good enough for its own clock: steady, and the same on
 * all processors. */
static bool kernel_uses_it(void)
{
	char name[16] = "";
	int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
		O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, name, sizeof(name) - 1);

	if (fd >= 0)
		close(fd);
	return length > 1 && strcspn(name, "\n") == strlen(LAUNCH_CLOCK_SOURCE) &&
	       memcmp(name, LAUNCH_CLOCK_SOURCE, strlen(LAUNCH_CLOCK_SOURCE)) == 0;
}

/* The tightest of a few readings, between two of CLOCK_MONOTONIC that are *width_ns apart. */
static struct launch_clock_reading read_both(uint64_t *width_ns)
{
	struct launch_clock_reading tightest = {0};

	*width_ns = UINT64_MAX;
	for (int i = 0; i < TRIES; i++) {
		uint64_t before_ns = clock_now_ns();
		uint64_t ticks = launch_clock_ticks();
		uint64_t between_ns = clock_now_ns() - before_ns;

		if (between_ns < *width_ns) {
			tightest = (struct launch_clock_reading){ticks, before_ns + between_ns / 2};
			*width_ns = between_ns;
		}
	}
	return tightest;
}

void launch_clock_start(void)
{
	uint64_t width_ns;

	launch_clock_counts = *LAUNCH_CLOCK_SOURCE && kernel_uses_it();
	from = last = read_both(&width_ns);
	scale = 0;
	steady = was_set = false;
}

void launch_clock_go_on(const struct launch_clock_reading *reading)
{
	uint64_t past_ns = reading->now_ns - from.now_ns, ticks = reading->ticks - from.ticks;
	uint64_t line = ticks ? (uint64_t)(((unsigned __int128)past_ns << 32) / ticks) : 0;
	bool is_long = past_ns >= SLOPE_NS;

	last = *reading;
	was_set = line < SCALE_MIN || line > SCALE_MAX;
	if (was_set) {
		steady = false;
	} else if (is_long || !steady) {
		scale = line;
		steady = is_long;
	}
	if (was_set || is_long)
		from = *reading;
}

void launch_clock_compare(void)
{
	uint64_t width_ns;
	struct launch_clock_reading reading;

	if (!launch_clock_counts)
		return;
	reading = read_both(&width_ns);
	if (width_ns <= TIGHT_NS || !scale || reading.now_ns - last.now_ns > SLOPE_NS)
		launch_clock_go_on(&reading);
}

uint64_t launch_clock_ns(uint64_t stamp)
{
	int64_t past;

	if (!(stamp & LAUNCH_CLOCK_COUNTED) || stamp == PWRTRACE_UNKNOWN_U64)
		return stamp;
	if (was_set)
		return last.now_ns;
	past = (int64_t)((stamp & ~LAUNCH_CLOCK_COUNTED) - last.ticks);
	return last.now_ns + (uint64_t)((__int128)past * scale >> 32);
}
