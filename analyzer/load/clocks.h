/* SPDX-License-Identifier: MIT */
/* The clocks of devices, each as one process compared it with the host's (clock_sync). */
#ifndef PWRTRACE_CLOCKS_H
#define PWRTRACE_CLOCKS_H

#include "analyzer/clock/clock.h"
#include "pwrtrace/events.h"

struct device_clock {
	uint32_t process; /* index in model->processes */
	uint32_t device;  /* process-local */
	uint32_t id;      /* process-local; 0: the device's own */
	struct clock *clock;
};

struct clocks;

struct clocks *clocks_new(void);
void clocks_free(struct clocks *clocks);

/* Notes a comparison.  Those of CLOCK_REALTIME, which is device 0, and of ids that no table has
 * tell nothing of a device. */
void clocks_add(struct clocks *clocks, uint32_t process, const struct pwrtrace_clock_sync *e);

/* The clock of that id, or, where it is 0, the device's own; NULL where it was never compared. */
struct clock *clocks_find(
	const struct clocks *clocks, uint32_t process, uint32_t device, uint32_t id);

/* All of them (struct device_clock *): by process, in each devices' own ones first, then by id. */
const GPtrArray *clocks_in_order(struct clocks *clocks);

#endif
