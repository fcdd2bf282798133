/* SPDX-License-Identifier: MIT */
/* A load of two levels: when a device ran it, and when it ran something else.  Times are in seconds
 * since the load's origin. */
#ifndef PWRTRACE_SENSOR_LOAD_H
#define PWRTRACE_SENSOR_LOAD_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct load_span {
	double begin_s; /* since the load's origin */
	double end_s;
};

struct load {
	uint64_t origin_ns; /* CLOCK_MONOTONIC */
	GArray *on;         /* struct load_span; after load_finish in order and disjoint */
	GArray *others;     /* struct load_span: when something else ran, whose power is unknown */
};

struct load *load_new(uint64_t origin_ns);
void load_free(struct load *load);

double load_seconds(const struct load *load, uint64_t time_ns);

void load_add(struct load *load, bool on, uint64_t begin_ns, uint64_t end_ns);

/* Sorts and joins what was added, also over gaps shorter than join_s. */
void load_finish(struct load *load, double join_s);

/* Whether something other than the load ran between two times. */
bool load_is_spoiled(const struct load *load, double begin_s, double end_s);

/* The index of the last of the spans that begins before time_s, or -1. */
int load_last_before(const GArray *spans, double time_s);

#endif
