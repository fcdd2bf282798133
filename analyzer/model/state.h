/* SPDX-License-Identifier: MIT */
/*
 * What devices' clocks were, and whether they were throttled, while something ran.
 *
 * A device_state stands for the time until the next one, the last of a recording for the time until
 * that ends.
 */
#ifndef PWRTRACE_STATE_H
#define PWRTRACE_STATE_H

#include "analyzer/model/model.h"

/* Sums over some time, zero at first. */
struct state_sums {
	double clock_mhz_ns;
	uint64_t clock_ns; /* for how long the clock was known */
	uint64_t throttled_ns;
	uint64_t reasons_ns; /* for how long it was known whether it was throttled */
};

struct states;

/* Returns the states of all devices; free with states_free. */
struct states *states_of(const struct model *model);
void states_free(struct states *states);

/* The states of a device (its index in model->gpus) in the order of time, struct model_state; the
 * last only ends the one before.  NULL for MODEL_NONE. */
const GArray *states_list(const struct states *states, uint32_t gpu);

/* Adds the time from begin_ns to end_ns of a device (its index in model->gpus, or MODEL_NONE). */
void states_add(const struct states *states, struct state_sums *sums, uint32_t gpu,
	uint64_t begin_ns, uint64_t end_ns);

/* The mean clock, and the share of the time in which it was throttled; negative: not known. */
double state_clock_mhz(const struct state_sums *sums);
double state_throttled(const struct state_sums *sums);

#endif
