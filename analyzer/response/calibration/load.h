/* SPDX-License-Identifier: MIT */
/* A load of two levels: when a device ran it, and when something else. */
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
	GArray *others;     /* when something else ran: power is then not known */
};

struct load *load_new(uint64_t origin_ns);
void load_free(struct load *load);

double load_seconds(const struct load *load, uint64_t time_ns);

void load_add(struct load *load, bool on, uint64_t begin_ns, uint64_t end_ns);

/* When all has been added: gaps shorter than join_s are none. */
void load_finish(struct load *load, double join_s);

/* Whether something else ran between the two times. */
bool load_is_spoiled(const struct load *load, double begin_s, double end_s);

/* The index of the last of the spans that begins before time_s, or -1. */
int load_last_before(const GArray *spans, double time_s);

#endif
