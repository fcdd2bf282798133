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

/* The same by process (its machine's), as arrays of struct model_span.  The caller frees it with
 * g_ptr_array_unref. */
GPtrArray *replays_by_process(const struct model *model);

/* How much of a time no replay held a process up. */
uint64_t replays_left_ns(
	const GPtrArray *by_process, uint32_t process, uint64_t begin_ns, uint64_t end_ns);

/* For how long a replay held up any process. */
uint64_t replays_span_ns(const struct model *model);

/* What became of the replays of a kernel in all processes. */
enum replays_outcome {
	REPLAYS_NONE, /* it was not to be replayed, or its process ended first */
	REPLAYS_LEFT, /* the budget was not enough */
	REPLAYS_DONE  /* it was replayed, or refused: another recording will do no more */
};

/* By name and shape: the id of what a replay names is often another one than that of what ran, of
 * which more is known. */
enum replays_outcome replays_outcome(const struct model *model, const struct model_kernel *kernel);

/* How long replays of a process have held it up, and those for which the budget was not enough
 * would have. */
uint64_t replays_needed_ns(const struct model *model, uint32_t process);

/* To report each reason once: of how many classes a replay has the same reason as replay i (its
 * index in model->replays); 0 where an earlier replay has it too. */
guint replays_alike(const struct model *model, guint i);

#endif
