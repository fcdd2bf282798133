/* SPDX-License-Identifier: MIT */
/* Marks: something happened, so much of it. */
#ifndef PWRTRACE_LAYER_MARK_H
#define PWRTRACE_LAYER_MARK_H

#include <stdint.h>

/* Writes a mark of the calling thread. */
void mark_write(const char *name, double value, const char *unit, uint32_t layer, uint64_t time_ns);

#endif
