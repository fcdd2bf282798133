/* SPDX-License-Identifier: MIT */
/*
 * The budget: for how long all replays together may delay the program; and the measured speed of
 * copying device memory, which may take most of that time.  Any thread; only one copies at a time.
 */
#ifndef PWRTRACE_REPLAY_BUDGET_H
#define PWRTRACE_REPLAY_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Where device memory is copied to when it is saved. */
enum copy_target { COPY_TO_DEVICE, COPY_TO_HOST, COPY_TARGETS };

/* The least bytes by which the speed is measured: of smaller copies, the time of the call
 * dominates. */
#define BUDGET_SAMPLE_BYTES (UINT64_C(64) << 20)

/* Of a long run, a tenth is no more of a burden than 60 s are of a shorter one. */
#define BUDGET_GROWS UINT64_MAX

/* Sets the whole budget, once.  BUDGET_GROWS: 60 s, or a tenth of the time since this call if that
 * is more. */
void budget_start(uint64_t all_ns);

/* Returns the whole budget by now; what is left of it, never less than 0; what replays have taken.
 */
uint64_t budget_all_ns(void);
uint64_t budget_left_ns(void);
uint64_t budget_spent_ns(void);

/* Adds to what they have taken. */
void budget_spend(uint64_t ns);

/* Notes that copying so many bytes in one direction took ns. */
void budget_copied(enum copy_target target, uint64_t bytes, uint64_t ns);

/* Returns whether enough was copied to know the speed; until then it is an assumption. */
bool budget_is_measured(enum copy_target target);

/* Return the measured or assumed speed, in bytes per second, and how long copying so many bytes in
 * one direction takes. */
double budget_bytes_per_s(enum copy_target target);
uint64_t budget_copy_ns(enum copy_target target, uint64_t bytes);

#endif
