/* SPDX-License-Identifier: MIT */
/* The clocks of all devices: one for each process that compared it with the host's (clock_sync). */
#ifndef PWRTRACE_CLOCKS_H
#define PWRTRACE_CLOCKS_H

#include <stdbool.h>

#include "analyzer/clock/clock.h"
#include "pwrtrace/events.h"

struct device_clock {
	uint32_t process; /* index in model->processes */
	uint32_t device;  /* process-local */
	uint32_t id;      /* process-local; 0: the device's own clock */
	struct clock *clock;
};

struct clocks;

struct clocks *clocks_new(void);
void clocks_free(struct clocks *clocks);

/*
 * Conversions: how the times of an execution were made of the device's own while recording, as host
 * time = raw time + offset.  They have numbers; these are the first:
 */
enum {
	CLOCKS_UNCONVERTED, /* the device's clock is that of the trace: offset 0 */
	CLOCKS_RAW,         /* the clock was not compared yet, and the times are raw: offset 0 */
};

/* The number of the conversion by an anchor of a process, as executions name it; by an offset. */
uint32_t clocks_conversion(struct clocks *clocks, uint32_t process, uint32_t anchor);
uint32_t clocks_conversion_of(struct clocks *clocks, uint64_t offset_ns);

/* The offset of a conversion, in *offset_ns.  Returns false where its anchor is not in the trace.
 */
bool clocks_offset(const struct clocks *clocks, uint32_t conversion, uint64_t *offset_ns);

/* Adds a comparison.  Those with ids beyond TABLE_LIMIT are ignored. */
void clocks_add(struct clocks *clocks, uint32_t process, const struct pwrtrace_clock_sync *e);

/* The clock of an id, or the device's own clock where id is 0; NULL where it was never compared. */
struct clock *clocks_find(
	const struct clocks *clocks, uint32_t process, uint32_t device, uint32_t id);

/* All clocks (struct device_clock *), by process, and within each the devices' own clocks first.
 * The array belongs to clocks. */
const GPtrArray *clocks_in_order(struct clocks *clocks);

#endif
