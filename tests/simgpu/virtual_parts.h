/* SPDX-License-Identifier: MIT */
/*
 * What the parts of libvirtual-time.so share.
 *
 * virtual_time.c   whose turn it is, and when
 * virtual_calls.c  the functions of libc that are replaced
 */
#ifndef SIMGPU_VIRTUAL_PARTS_H
#define SIMGPU_VIRTUAL_PARTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/simgpu/virtual_time.h"

#define NEVER UINT64_MAX

struct participant;

uint64_t virtual_now_ns(void);

/* Whether the calling thread is a participant; and whether it is and time moves. */
bool virtual_takes_part(void);
bool virtual_runs(void);

/* Waits for its turn at due_ns, or before when virtual_wake is called for on; then returns true.
 * While time stands, waits for a moment in real time where the thread may have more to do. */
bool virtual_wait_until(uint64_t due_ns, const void *on);
void virtual_wake(const void *on, bool all);

/* Sleeps, and has time begin to move where the main thread does. */
void virtual_sleep_until(uint64_t due_ns);

/* A thread that is about to be made takes part from here on; it calls virtual_begin, and
 * virtual_leave as its last.  Its creator names it. */
struct participant *virtual_join(void);
void virtual_name(struct participant *participant, pthread_t thread);
void virtual_begin(struct participant *participant);
void virtual_leave(struct participant *participant);

/* Waits until thread has left, if it takes part. */
void virtual_await(pthread_t thread);

#endif
