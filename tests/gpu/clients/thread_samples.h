/* SPDX-License-Identifier: MIT */
/*
 * Where a thread spends its time, by a timer that interrupts it.  What a library of ours adds to a
 * call of some microseconds is told so within one run, where two runs differ by more than that.
 */
#ifndef THREAD_SAMPLES_H
#define THREAD_SAMPLES_H

#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREAD_SAMPLES_MAX = 1 << 20, THREAD_SAMPLES_EVERY_NS = 97000 };

static uintptr_t *thread_samples;
static volatile size_t thread_sample_count;

static void thread_samples_take(int, siginfo_t *, void *context)
{
	if (thread_sample_count < THREAD_SAMPLES_MAX)
		thread_samples[thread_sample_count++] =
			(uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

/* Begins to sample the calling thread, which must not sleep: waiting would count as work. */
static void thread_samples_begin(void)
{
	struct sigaction action = {};
	struct sigevent event = {};
	struct itimerspec every = {};
	timer_t timer;

	thread_samples = (uintptr_t *)calloc(THREAD_SAMPLES_MAX, sizeof(*thread_samples));
	action.sa_sigaction = thread_samples_take;
	action.sa_flags = SA_SIGINFO | SA_RESTART;
	event.sigev_notify = SIGEV_THREAD_ID;
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	event.sigev_signo = SIGPROF;
	every.it_interval.tv_nsec = every.it_value.tv_nsec = THREAD_SAMPLES_EVERY_NS;
	if (!thread_samples || sigaction(SIGPROF, &action, NULL) ||
		timer_create(CLOCK_MONOTONIC, &event, &timer) ||
		timer_settime(timer, 0, &every, NULL)) {
		perror("a timer that samples the thread");
		exit(1);
	}
}

/* Writes a line of each sample: the library's file, and the address within it. */
static void thread_samples_write(const char *path)
{
	FILE *file = fopen(path, "w");
	Dl_info info;

	for (size_t i = 0; file && i < thread_sample_count; i++) {
		const void *at = (const void *)thread_samples[i];

		if (dladdr(at, &info) && info.dli_fname)
			fprintf(file, "%s %#lx\n", info.dli_fname,
				thread_samples[i] - (uintptr_t)info.dli_fbase);
		else
			fprintf(file, "? %#lx\n", thread_samples[i]);
	}
	if (!file || fclose(file)) {
		perror(path);
		exit(1);
	}
}

#endif
