/* SPDX-License-Identifier: MIT */
/*
 * How long all replays together may hold the program up, and how fast device memory is copied here,
 * which most of that time may go into.  Any thread may ask; only one at a time copies.
 */
#ifndef PWRTRACE_REPLAY_BUDGET_H
#define PWRTRACE_REPLAY_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Where device memory is saved. */
enum copy_target { COPY_TO_DEVICE, COPY_TO_HOST, COPY_TARGETS };

/* Less than that tells how long a call takes, and not how fast it copies. */
#define BUDGET_SAMPLE_BYTES (UINT64_C(64) << 20)

void budget_start(uint64_t all_ns);
uint64_t budget_all_ns(void);
uint64_t budget_left_ns(void);
void budget_spend(uint64_t ns);

/* So many bytes were copied, one target, in that time. */
void budget_copied(enum copy_target target, uint64_t bytes, uint64_t ns);

/* Whether enough was copied to tell; until then an assumption stands. */
bool budget_is_measured(enum copy_target target);

/* How fast it is, or is assumed to be, in bytes per second; how long a copy one target takes. */
double budget_bytes_per_s(enum copy_target target);
uint64_t budget_copy_ns(enum copy_target target, uint64_t bytes);

#endif
