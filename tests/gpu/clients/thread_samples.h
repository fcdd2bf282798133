/* SPDX-License-Identifier: MIT */
/*
 * libthread_samples.so: where threads spend their time, by timers that interrupt them.  What a
 * library of ours adds to a call of some microseconds, or to a step of a program that waits in
 * other places, is told so within one run, where two runs differ by more than that.
 *
 * A failure ends the program with a line that says why.
 */
#ifndef THREAD_SAMPLES_H
#define THREAD_SAMPLES_H

#ifdef __cplusplus
extern "C" {
#endif

/* How often each thread is interrupted.  No divisor of what programs do regularly. */
enum { THREAD_SAMPLES_EVERY_NS = 97000 };

/* Begins to sample the calling thread, until the end of the process; waiting counts as work. */
void thread_samples_begin(void);

/* Writes a line of each sample so far and forgets them: the library's file, and the address within
 * it. */
void thread_samples_write(const char *path);

#ifdef __cplusplus
}
#endif

#endif
