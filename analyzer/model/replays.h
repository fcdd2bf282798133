/* SPDX-License-Identifier: MIT */
/*
 * Replays: kernels that the recording launched again, alone and many times, to learn their power
 * (record --replay).  Attribution treats them as it does other executions; reports keep them apart
 * from the program's.
 */
#ifndef PWRTRACE_REPLAYS_H
#define PWRTRACE_REPLAYS_H

#include "analyzer/model/model.h"

/* The name of the row, and of the layer, that replays have in reports. */
#define REPLAYS_NAME "(replays)"

/* When a replay held up any process (struct model_span, disjoint and in order).  The caller frees
 * the array. */
GArray *replays_spans(const struct model *model);

/* The sum of those spans. */
uint64_t replays_span_ns(const struct model *model);

/* To report each reason once: how many replays have the same reason as replay i (its index in
 * model->replays); 0 where an earlier replay has it too. */
guint replays_alike(const struct model *model, guint i);

#endif
