/* SPDX-License-Identifier: MIT */
/* Sets of times: arrays of struct model_span, disjoint and in order. */
#ifndef PWRTRACE_SPANS_H
#define PWRTRACE_SPANS_H

#include "analyzer/model/model.h"

/* Makes a set of spans in any order, which may overlap: sorts and merges them. */
void spans_unite(GArray *spans);

/* Replaces spans by their intersection with others. */
void spans_intersect(GArray *spans, const GArray *others);

/* Removes from spans the times that are in others. */
void spans_subtract(GArray *spans, const GArray *others);

/* The sum of their lengths, in ns. */
uint64_t spans_length_ns(const GArray *spans);

/* How many nanoseconds from begin_ns to end_ns are in spans. */
uint64_t spans_within(const GArray *spans, uint64_t begin_ns, uint64_t end_ns);

#endif
