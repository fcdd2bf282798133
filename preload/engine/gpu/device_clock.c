/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/device_clock.h"

#include <stddef.h>

#include "preload/common/clock.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"

#define CLOCKS_MAX 256

struct anchor {
	uint64_t host_ns;
	uint64_t raw_ns;
	uint64_t error_ns;
	uint32_t number; /* 0: it is not known */
};

static struct device_clock {
	struct device_clock_id id;
	struct anchor current;
	struct anchor best; /* of what came since current */
} clocks[CLOCKS_MAX];
static uint32_t clock_count;
static uint32_t last_anchor;

static struct device_clock *find(struct device_clock_id id)
{
	for (uint32_t i = 0; i < clock_count; i++)
		if (clocks[i].id.device == id.device && clocks[i].id.number == id.number)
			return &clocks[i];
	return NULL;
}

/* If there are too many clocks, the new one replaces that with the oldest anchor, which is probably
 * that of a destroyed context. */
static struct device_clock *make(struct device_clock_id id)
{
	struct device_clock *clock = &clocks[0];

	if (clock_count < CLOCKS_MAX)
		clock = &clocks[clock_count++];
	for (uint32_t i = 0; i < clock_count && clock_count == CLOCKS_MAX; i++)
		if (clocks[i].current.host_ns < clock->current.host_ns)
			clock = &clocks[i];
	*clock = (struct device_clock){.id = id};
	return clock;
}

static void write_anchor(struct device_clock_id id, const struct anchor *anchor)
{
	if (!anchor->number)
		return;
	tp_clock_sync(&(struct pwrtrace_clock_sync){.process = process_number,
		.device = id.device,
		.clock = id.number,
		.host_ns = anchor->host_ns,
		.raw_ns = anchor->raw_ns,
		.error_ns = anchor->error_ns,
		.anchor = anchor->number});
}

void device_clock_note(struct device_clock_id id, uint64_t c0_ns, uint64_t c1_ns, uint64_t g_ns)
{
	struct anchor next = {c0_ns + (c1_ns - c0_ns) / 2, g_ns, (c1_ns - c0_ns + 1) / 2, 0};
	struct device_clock *clock;

	if (g_ns == PWRTRACE_UNKNOWN_U64 || c1_ns < c0_ns)
		return;
	next.number = ++last_anchor;
	clock = find(id);
	if (!clock)
		clock = make(id);
	if (!clock->current.number || next.error_ns < clock->current.error_ns) {
		clock->current = next;
	} else {
		/* After a pause, the one from before it is too old. */
		if (!clock->best.number || next.error_ns < clock->best.error_ns ||
			next.host_ns >= clock->best.host_ns + PWRTRACE_NS_PER_S)
			clock->best = next;
		if (next.host_ns < clock->current.host_ns + PWRTRACE_NS_PER_S)
			return;
		clock->current = clock->best;
	}
	clock->best.number = 0;
	write_anchor(id, &clock->current);
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

struct gpu_span device_clock_to_host(
	struct device_clock_id id, uint64_t raw_begin_ns, uint64_t raw_end_ns)
{
	const struct device_clock *clock = find(id);
	const struct anchor *anchor = clock ? &clock->current : NULL;

	if (!anchor || !anchor->number)
		return (struct gpu_span){raw_begin_ns, raw_end_ns, PWRTRACE_UNKNOWN_U32};
	return (struct gpu_span){anchor->host_ns + (raw_begin_ns - anchor->raw_ns),
		anchor->host_ns + (raw_end_ns - anchor->raw_ns), anchor->number};
}

void device_clock_write(void)
{
	for (uint32_t i = 0; i < clock_count; i++)
		write_anchor(clocks[i].id, &clocks[i].current);
}

void device_clock_write_last(void)
{
	for (uint32_t i = 0; i < clock_count; i++)
		write_anchor(clocks[i].id, &clocks[i].best);
}
