/* SPDX-License-Identifier: MIT */
/*
 * The states of devices over time: clock rates, limits, and whether and why they were throttled.
 *
 * A state begins before its event device_state, in the mean by half of the time in which the device
 * takes new values and half of that between two readings.  It holds until the next one begins, the
 * last of a recording until that ends.
 */
#ifndef PWRTRACE_STATE_H
#define PWRTRACE_STATE_H

#include "analyzer/model/model.h"

/* Sums over the times that states_add() was given; begin with zeroes. */
struct state_sums {
	double clock_mhz_ns;
	uint64_t clock_ns; /* for how long the clock was known */
	uint64_t throttled_ns;
	uint64_t at_limit_ns; /* the part of it for the limit of its power */
	uint64_t reasons_ns;  /* for how long it was known whether it was throttled */
	double limit_mw_ns;
	uint64_t limit_ns; /* for how long the limit of its power was known */
};

struct states;

/* Returns the states of all devices; free with states_free. */
struct states *states_of(const struct model *model);
void states_free(struct states *states);

/* The states (struct model_state) of a device (its index in model->gpus) in the order of time; the
 * last one is unknown and marks the end.  NULL for MODEL_NONE. */
const GArray *states_list(const struct states *states, uint32_t gpu);

/* The family of the sensor that gave them, by which reasons have names; "" where there is none. */
const char *states_source(const struct states *states, uint32_t gpu);

/* The bits that mean throttling, of the throttle_reasons of a family of sensors; those of
 * states_list() are such bits.  Unknown ones stay unknown. */
uint64_t state_throttle_bits(const char *source, uint64_t throttle_reasons);

/* What a bit of throttle_reasons means, by throttle_reasons.def; NULL: not known. */
const char *state_reason_name(const char *source, unsigned bit);

/* The lowest and the highest clock that was sampled of a device, in MHz, from the last sample
 * before begin_ns to the last one before end_ns.  Returns false where one is unknown, or there is
 * none. */
bool states_clock_range(const struct states *states, uint32_t gpu, uint64_t begin_ns,
	uint64_t end_ns, double range_mhz[2]);

/* A number of a state. */
struct state_quantity {
	const char *name, *key; /* for people and for programs */
	size_t member;          /* of struct model_state, a uint32_t */
	double scale;           /* by which that is multiplied to have the unit */
	const char *unit;
};

/* All of them, ended by a NULL name. */
extern const struct state_quantity state_quantities[];

/* The least and the most that a quantity was in states (struct model_state), in its unit.  Returns
 * false where it was never known. */
bool state_range(const GArray *states, const struct state_quantity *quantity, double range[2]);

/* How many states of a family of sensors have a bit of throttle_reasons that means throttling. */
guint state_throttled_count(const GArray *states, const char *source, unsigned bit);

/* Adds the states of a device (its index in model->gpus, or MODEL_NONE) from begin_ns to end_ns to
 * sums. */
void states_add(const struct states *states, struct state_sums *sums, uint32_t gpu,
	uint64_t begin_ns, uint64_t end_ns);

/* The mean clock rate, and the fraction of the time that was throttled; negative: not known. */
double state_clock_mhz(const struct state_sums *sums);
double state_throttled(const struct state_sums *sums);

/* The fraction of the time that was throttled by the limit of power, and the mean of that limit;
 * negative: not known. */
double state_at_limit(const struct state_sums *sums);
double state_limit_w(const struct state_sums *sums);

#endif
