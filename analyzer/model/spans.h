/* SPDX-License-Identifier: MIT */
/* Stretches of time: arrays of struct model_span, disjoint and in their order. */
#ifndef PWRTRACE_SPANS_H
#define PWRTRACE_SPANS_H

#include "analyzer/model/model.h"

/* Puts spans of any kind in order and together. */
void spans_unite(GArray *spans);

/* Leaves of spans what is in the others, too. */
void spans_intersect(GArray *spans, const GArray *others);

/* How much of a time, in ns, they hold. */
uint64_t spans_within(const GArray *spans, uint64_t begin_ns, uint64_t end_ns);

#endif
