/* SPDX-License-Identifier: MIT */
/* The functions of libc that virtual time replaces (virtual_time.c). */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tests/simgpu/virtual_parts.h"

#define EXPORT __attribute__((visibility("default")))
#define NS_PER_US UINT64_C(1000)
#define NS_PER_S UINT64_C(1000000000)

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found) {
		fprintf(stderr, "virtual time: no %s\n", name);
		abort();
	}
	return found;
}

/* ---- clocks ---- */

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){
		.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
}

static uint64_t ns_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

/* By how much a clock is ahead of CLOCK_MONOTONIC, or NEVER for a clock that stays real.
 * CLOCK_BOOTTIME stays real because pwrtrace makes names of it, which must be new in each run. */
static uint64_t ahead_ns(clockid_t clock)
{
	switch (clock) {
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
		return 0;
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
		return VIRTUAL_REALTIME_AHEAD_NS;
	default:
		return NEVER;
	}
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time)
{
	uint64_t ahead = ahead_ns(clock);

	if (ahead == NEVER)
		return (int)syscall(SYS_clock_gettime, clock, time);
	*time = timespec_of(virtual_now_ns() + ahead);
	return 0;
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
	uint64_t ns = virtual_now_ns() + VIRTUAL_REALTIME_AHEAD_NS;

	(void)zone;
	*time = (struct timeval){.tv_sec = (time_t)(ns / NS_PER_S),
		.tv_usec = (suseconds_t)(ns % NS_PER_S / NS_PER_US)};
	return 0;
}

EXPORT time_t time(time_t *place)
{
	time_t seconds = (time_t)((virtual_now_ns() + VIRTUAL_REALTIME_AHEAD_NS) / NS_PER_S);

	if (place)
		*place = seconds;
	return seconds;
}

/* The processor's counter stays real, so pwrtrace must not find that time is told by it
 * (launch_clock.c). */
EXPORT int open(const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode = 0;

	if (strstr(path, "/current_clocksource")) {
		errno = ENOENT;
		return -1;
	}
	if (flags & (O_CREAT | __O_TMPFILE)) {
		va_start(rest, flags);
		mode = va_arg(rest, mode_t);
		va_end(rest);
	}
	return openat(AT_FDCWD, path, flags, mode);
}

/* ---- sleeping ---- */

EXPORT int clock_nanosleep(
	clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
	uint64_t ahead = ahead_ns(clock), ns = ns_of(time);

	if (!virtual_takes_part() || ahead == NEVER)
		return syscall(SYS_clock_nanosleep, clock, flags, time, rest) ? errno : 0;
	virtual_sleep_until(flags & TIMER_ABSTIME ? ns - ahead : virtual_now_ns() + ns);
	return 0;
}

EXPORT int nanosleep(const struct timespec *length, struct timespec *rest)
{
	errno = clock_nanosleep(CLOCK_MONOTONIC, 0, length, rest);
	return errno ? -1 : 0;
}

EXPORT int usleep(useconds_t us)
{
	struct timespec length = timespec_of(us * NS_PER_US);

	return nanosleep(&length, NULL);
}

EXPORT unsigned sleep(unsigned seconds)
{
	return nanosleep(&(struct timespec){.tv_sec = seconds}, NULL) ? seconds : 0;
}

/* ---- semaphores and conditions ---- */

EXPORT int sem_post(sem_t *semaphore)
{
	int result = REAL(sem_post)(semaphore);

	virtual_wake(semaphore, false);
	return result;
}

EXPORT int sem_wait(sem_t *semaphore)
{
	if (!virtual_runs())
		return REAL(sem_wait)(semaphore);
	while (sem_trywait(semaphore))
		virtual_wait_until(NEVER, semaphore);
	return 0;
}

EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	if (!virtual_takes_part())
		return REAL(sem_clockwait)(semaphore, clock, until);
	if (sem_trywait(semaphore) == 0)
		return 0;
	virtual_wait_until(ns_of(until) - ahead_ns(clock), semaphore);
	if (sem_trywait(semaphore) == 0)
		return 0;
	errno = ETIMEDOUT;
	return -1;
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict condition,
	pthread_mutex_t *restrict mutex, const struct timespec *restrict until)
{
	bool woken;

	if (!virtual_takes_part())
		return REAL(pthread_cond_timedwait)(condition, mutex, until);
	pthread_mutex_unlock(mutex);
	woken = virtual_wait_until(ns_of(until), condition);
	pthread_mutex_lock(mutex);
	return woken ? 0 : ETIMEDOUT;
}

EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
	virtual_wake(condition, false);
	return REAL(pthread_cond_signal)(condition);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
	virtual_wake(condition, true);
	return REAL(pthread_cond_broadcast)(condition);
}

/* ---- threads ---- */

struct start {
	void *(*routine)(void *);
	void *argument;
	struct participant *participant;
};

static void *run(void *argument)
{
	struct start start = *(struct start *)argument;
	void *result;

	free(argument);
	virtual_begin(start.participant);
	result = start.routine(start.argument);
	virtual_leave(start.participant);
	return result;
}

static bool is_pwrtrace(void *(*routine)(void *))
{
	Dl_info info;

	return dladdr((void *)routine, &info) && strstr(info.dli_fname, "/libpwrtrace");
}

EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
	void *(*routine)(void *), void *restrict argument)
{
	struct participant *participant;
	struct start *start;
	int error;

	if (!is_pwrtrace(routine))
		return REAL(pthread_create)(thread, attributes, routine, argument);
	participant = virtual_join();
	start = malloc(sizeof(*start));
	*start = (struct start){routine, argument, participant};
	error = REAL(pthread_create)(thread, attributes, run, start);
	if (error)
		virtual_leave(participant);
	else
		virtual_name(participant, *thread);
	return error;
}

EXPORT int pthread_join(pthread_t thread, void **result)
{
	if (virtual_runs())
		virtual_await(thread);
	return REAL(pthread_join)(thread, result);
}
