/* SPDX-License-Identifier: MIT */
#include "clients/thread_samples.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { SAMPLES_MAX = 1 << 20 };

static uintptr_t samples[SAMPLES_MAX];
static atomic_size_t count;

static void take(int number, siginfo_t *info, void *context)
{
	size_t place = atomic_fetch_add(&count, 1);

	(void)number;
	(void)info;
	if (place < SAMPLES_MAX)
		samples[place] = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

void thread_samples_begin(void)
{
	struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
	struct itimerspec every = {
		.it_interval.tv_nsec = THREAD_SAMPLES_EVERY_NS,
		.it_value.tv_nsec = THREAD_SAMPLES_EVERY_NS,
	};
	timer_t timer;

	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (sigaction(SIGPROF, &action, NULL) || timer_create(CLOCK_MONOTONIC, &event, &timer) ||
		timer_settime(timer, 0, &every, NULL))
		fail("a timer that samples the thread");
}

void thread_samples_write(const char *path)
{
	size_t taken = atomic_load(&count); /* what is sampled from here on comes behind them */
	FILE *file = fopen(path, "w");
	Dl_info info;

	if (taken > SAMPLES_MAX) {
		fprintf(stderr, "%zu samples do not fit\n", taken);
		exit(1);
	}
	for (size_t i = 0; file && i < taken; i++) {
		if (dladdr((const void *)samples[i], &info) && info.dli_fname)
			fprintf(file, "%s %#lx\n", info.dli_fname,
				samples[i] - (uintptr_t)info.dli_fbase);
		else
			fprintf(file, "? %#lx\n", samples[i]);
	}
	if (!file || fclose(file))
		fail(path);
	atomic_store(&count, 0);
}
