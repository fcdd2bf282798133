/* SPDX-License-Identifier: MIT */
#include "preload/device_clock.h"

#include <stddef.h>

#include "preload/clock.h"
#include "preload/tp_emit.h"

#define DEVICES_MAX 256

struct anchor {
	uint64_t host_ns;
	uint64_t raw_ns;
	uint64_t error_ns;
	bool known;
};

static struct device_clock {
	struct anchor current;
	struct anchor best; /* of what came since current */
} clocks[DEVICES_MAX];

static void write_anchor(uint32_t pid, uint32_t device, const struct anchor *anchor)
{
	if (!anchor->known)
		return;
	tp_clock_sync(&(struct pwrtrace_clock_sync){.pid = pid,
		.device = device,
		.host_ns = anchor->host_ns,
		.raw_ns = anchor->raw_ns,
		.error_ns = anchor->error_ns});
}

void device_clock_note(uint32_t pid, uint32_t device, uint64_t c0_ns, uint64_t c1_ns, uint64_t g_ns)
{
	struct anchor next = {c0_ns + (c1_ns - c0_ns) / 2, g_ns, (c1_ns - c0_ns + 1) / 2, true};
	struct device_clock *clock;

	if (device >= DEVICES_MAX || g_ns == PWRTRACE_UNKNOWN_U64)
		return;
	clock = &clocks[device];
	if (!clock->current.known || next.error_ns < clock->current.error_ns) {
		clock->current = next;
	} else {
		if (!clock->best.known || next.error_ns < clock->best.error_ns)
			clock->best = next;
		if (next.host_ns < clock->current.host_ns + PWRTRACE_NS_PER_S)
			return;
		clock->current = clock->best;
	}
	clock->best.known = false;
	write_anchor(pid, device, &clock->current);
}

bool device_clock_read(uint64_t (*now_ns)(void), struct device_clock_reading *tightest)
{
	enum { TRIES = 16 };
	bool any = false;

	for (int i = 0; i < TRIES; i++) {
		struct device_clock_reading at;

		at.c0_ns = clock_now_ns();
		at.raw_ns = now_ns();
		at.c1_ns = clock_now_ns();
		if (at.raw_ns == PWRTRACE_UNKNOWN_U64 ||
			(any && at.c1_ns - at.c0_ns >= tightest->c1_ns - tightest->c0_ns))
			continue;
		*tightest = at;
		any = true;
	}
	return any;
}

static uint64_t moved(const struct device_clock *clock, uint64_t raw_ns)
{
	if (!clock->current.known || raw_ns == PWRTRACE_UNKNOWN_U64)
		return PWRTRACE_UNKNOWN_U64;
	return clock->current.host_ns + (raw_ns - clock->current.raw_ns);
}

struct gpu_times device_clock_to_host(uint32_t device, const struct gpu_times *raw)
{
	static const struct device_clock none;
	const struct device_clock *clock = device < DEVICES_MAX ? &clocks[device] : &none;

	return (struct gpu_times){moved(clock, raw->queued_ns), moved(clock, raw->submit_ns),
		moved(clock, raw->begin_ns), moved(clock, raw->end_ns)};
}

void device_clock_write(uint32_t pid)
{
	for (uint32_t device = 0; device < DEVICES_MAX; device++)
		write_anchor(pid, device, &clocks[device].current);
}

void device_clock_write_last(uint32_t pid)
{
	for (uint32_t device = 0; device < DEVICES_MAX; device++)
		write_anchor(pid, device, &clocks[device].best);
}
