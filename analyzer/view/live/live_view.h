/* SPDX-License-Identifier: MIT */
/* What pwrtrace top shows of recordings under way. */
#ifndef PWRTRACE_LIVE_VIEW_H
#define PWRTRACE_LIVE_VIEW_H

#include <stdio.h>

#include "analyzer/live/live.h"

/* By what kernels are ordered, the most first; names in the order of the alphabet. */
enum live_order { LIVE_BY_ENERGY, LIVE_BY_TIME, LIVE_BY_EXECUTIONS, LIVE_BY_NAME, LIVE_ORDERS };

/* The name of an order, as "energy"; NULL: there is no such one. */
const char *live_order_name(size_t order);

/* Writes a frame: head, sensors, and as many kernels as rows allow (0: all). */
void live_put_text(FILE *out, const struct live *live, enum live_order order, guint rows);

/* Writes the same in one line, without a newline: power, energy, and the first kernels. */
void live_put_line(FILE *out, const struct live *live);

#endif
