/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/launch_clock.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define TRIES 3
#define TIGHT_NS 200 /* a wider bracket, as of a thread that was interrupted, is no comparison */
#define VALID_NS (200 * PWRTRACE_NS_PER_MS)
#define SLOPE_NS (100 * PWRTRACE_NS_PER_MS) /* over at least which the slope is taken */
/* Of a counter of 0.5 to 16 GHz.  Anything else means that it was set, as by a move of the virtual
 * machine to another host. */
#define SCALE_MIN (1ULL << 28)
#define SCALE_MAX (1ULL << 33)

struct launch_clock launch_clock;

static bool usable;
static bool begun;                       /* there is a reading */
static struct launch_clock_reading from; /* where the slope begins */
static uint64_t scale;                   /* 0: unknown */

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

static void publish(const struct launch_clock_reading *reading, uint32_t valid_ticks)
{
	/* Another thread may have been writing it when this process was forked. */
	uint32_t turn = launch_clock.turn & ~1U;

	__atomic_store_n(&launch_clock.turn, turn + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&launch_clock.valid_ticks, valid_ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&launch_clock.scale, scale, __ATOMIC_RELAXED);
	__atomic_store_n(&launch_clock.ticks, reading->ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&launch_clock.now_ns, reading->now_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&launch_clock.turn, turn + 2, __ATOMIC_RELEASE);
}

void launch_clock_start(void)
{
	usable = *LAUNCH_CLOCK_SOURCE && kernel_uses_it();
	begun = false;
	scale = 0;
	publish(&from, 0);
}

void launch_clock_go_on(const struct launch_clock_reading *reading)
{
	uint64_t past_ns = reading->now_ns - from.now_ns, ticks = reading->ticks - from.ticks;
	uint64_t line = ticks ? (uint64_t)(((unsigned __int128)past_ns << 32) / ticks) : 0;

	if (!begun || line < SCALE_MIN || line > SCALE_MAX) {
		begun = true;
		scale = 0;
		from = *reading;
	} else if (past_ns >= SLOPE_NS) {
		scale = line;
		from = *reading;
	}
	publish(reading, scale ? (uint32_t)((VALID_NS << 32) / scale) : 0);
}

void launch_clock_compare(void)
{
	struct launch_clock_reading tightest;
	uint64_t tightest_ns = UINT64_MAX;

	if (!usable)
		return;
	for (int i = 0; i < TRIES; i++) {
		uint64_t before_ns = clock_now_ns();
		uint64_t ticks = launch_clock_ticks();
		uint64_t width_ns = clock_now_ns() - before_ns;

		if (width_ns < tightest_ns) {
			tightest = (struct launch_clock_reading){ticks, before_ns + width_ns / 2};
			tightest_ns = width_ns;
		}
	}
	if (tightest_ns <= TIGHT_NS)
		launch_clock_go_on(&tightest);
}
