/* SPDX-License-Identifier: MIT */
/*
 * Replays: kernels that the recording itself launched, alone and often, to learn what power they
 * draw.  They are executions like others to an attribution, and none of the program's to a report.
 */
#ifndef PWRTRACE_REPLAYS_H
#define PWRTRACE_REPLAYS_H

#include "analyzer/model/model.h"

/* The name of what replays are shown as, where rows are of what the program did. */
#define REPLAYS_NAME "(replays)"

/* When any process was held up by a replay: struct model_span, in order and apart.  Free it. */
GArray *replays_spans(const struct model *model);

/* For how long. */
uint64_t replays_span_ns(const struct model *model);

/* How many have the reason of this one, "" being one too; 0: an earlier one stands for them. */
guint replays_alike(const struct model *model, guint i);

#endif
