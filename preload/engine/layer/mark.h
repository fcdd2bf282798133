/* SPDX-License-Identifier: MIT */
/* Marks: moments with a name, an amount and a unit, as 128 tokens. */
#ifndef PWRTRACE_LAYER_MARK_H
#define PWRTRACE_LAYER_MARK_H

#include <stdint.h>

/* Writes a mark of the calling thread.  layer: the id of its innermost layer, 0 for none; time_ns:
 * CLOCK_MONOTONIC.  The strings are copied. */
void mark_write(const char *name, double value, const char *unit, uint32_t layer, uint64_t time_ns);

#endif
