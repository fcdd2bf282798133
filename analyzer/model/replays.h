/* SPDX-License-Identifier: MIT */
/*
 * Replays: kernels that the recording launched again, alone and many times, to learn their power
 * (record --replay).  The estimator learns from them as from other executions.  They are none of
 * the program's: what was drawn for them, and while they held the program up, is the balance's
 * alone, and their times are no time of the program's.
 */
#ifndef PWRTRACE_REPLAYS_H
#define PWRTRACE_REPLAYS_H

#include "analyzer/model/model.h"

/* When a replay held up any process of a machine, or of all machines (NULL): spans.h.  The caller
 * frees the array. */
GArray *replays_spans(const struct model *model, const char *machine);

/* For how long a replay held up any process. */
uint64_t replays_span_ns(const struct model *model);

/* To report each reason once: of how many classes a replay has the same reason as replay i (its
 * index in model->replays); 0 where an earlier replay has it too. */
guint replays_alike(const struct model *model, guint i);

#endif
