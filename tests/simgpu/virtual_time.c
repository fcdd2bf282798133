/* SPDX-License-Identifier: MIT */
/*
 * A library to be preloaded: in its process, time is that of a discrete-event simulation.  A minute
 * takes seconds, and what happens when is the same in each run.
 *
 * The participants are the main thread and the threads that libpwrtrace*.so make: the collector
 * and, in an LTTng session of the user's own, the sampler.  That is why the tests record in such a
 * session: client, collector and sampler are then one process, and its events need no clock that
 * processes share.  At most one participant runs at a time.  When all of them wait, time moves on
 * to the earliest deadline, and the thread that set it runs; of equals, the one that is the longest
 * there.  Code takes no time, and what waits for something else than time (a lock, a socket, room
 * in LTTng's buffers) lets it stand still.
 *
 * To begin with, time stands at VIRTUAL_BEGIN_NS and waits are real: a recording is opened by other
 * processes, which live in real time.  It begins to move when the main thread first sleeps, once
 * the others have nothing left to do.  A program must therefore use its GPU before it sleeps.
 *
 * Only calls that go through a symbol can be seen, and only those are that the client, the
 * collector and the sampler use: libc reads the clock for pthread_cond_timedwait and sem_clockwait
 * itself, so that these are replaced whole.  Conditions' timeouts are CLOCK_MONOTONIC, as all of
 * theirs are. LTTng-UST goes on in real time: its threads are no participants, and the times of its
 * headers come from real_clock.c.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tests/simgpu/virtual_time.h"

#define EXPORT __attribute__((visibility("default")))
#define NS_PER_US UINT64_C(1000)
#define NS_PER_S UINT64_C(1000000000)
#define NEVER UINT64_MAX
#define REAL_PAUSE_NS (200 * NS_PER_US)
#define PARTICIPANTS_MAX 16

/* A thread has nothing left to do while time stands where it has asked so often for the same. */
#define SETTLED 4

struct participant {
	bool there, waits;
	pthread_t thread;
	uint64_t due_ns;
	const void *on; /* what ends its waiting before */
	bool woken;     /* by that */
	uint32_t turn;  /* futex: 1 as soon as it may run */
	uint64_t asked_ns;
	int asked; /* how often, one after the other, since time began to move */
};

static struct participant participants[PARTICIPANTS_MAX] = {{.there = true}}; /* main is first */
static __thread struct participant *self;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum { STANDS, STARTS, RUNS } state;
static uint64_t now_ns = VIRTUAL_BEGIN_NS;

static uint64_t now(void)
{
	return __atomic_load_n(&now_ns, __ATOMIC_RELAXED);
}

/* ---- what is replaced ---- */

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

__attribute__((constructor)) static void take_main_thread(void)
{
	self = &participants[0];
}

static void really_sleep(uint64_t ns)
{
	struct timespec length = {
		.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &length, NULL);
}

/* ---- whose turn it is: all with the lock held ---- */

static void let_run(struct participant *participant)
{
	participant->waits = false;
	__atomic_store_n(&participant->turn, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &participant->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void go_on(void)
{
	struct participant *first = NULL;

	for (struct participant *p = participants; p < participants + PARTICIPANTS_MAX; p++) {
		if (!p->there)
			continue;
		if (!p->waits)
			return;
		if (!first || p->due_ns < first->due_ns)
			first = p;
	}
	if (!first)
		return;
	if (first->due_ns == NEVER) {
		fputs("virtual time: everybody waits for ever\n", stderr);
		abort();
	}
	state = RUNS;
	if (first->due_ns > now())
		__atomic_store_n(&now_ns, first->due_ns, __ATOMIC_RELAXED);
	let_run(first);
}

/* Gives the lock back.  Returns whether something else than time ended the waiting. */
static bool wait_for_turn(uint64_t due_ns, const void *on)
{
	self->due_ns = due_ns;
	self->on = on;
	self->woken = false;
	self->waits = true;
	go_on();
	pthread_mutex_unlock(&lock);
	while (!__atomic_load_n(&self->turn, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &self->turn, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	self->turn = 0;
	return self->woken;
}

static void wake(const void *on, bool all)
{
	for (struct participant *p = participants; p < participants + PARTICIPANTS_MAX; p++) {
		if (!p->there || !p->waits || p->on != on)
			continue;
		p->due_ns = now();
		p->woken = true;
		p->on = NULL;
		if (!all)
			return;
	}
}

static void wake_on(const void *on, bool all)
{
	pthread_mutex_lock(&lock);
	wake(on, all);
	pthread_mutex_unlock(&lock);
}

/* ---- waiting: takes the lock itself ---- */

/* While time stands, the thread may have to do with other processes: it waits in real time. */
static bool has_more_to_do(uint64_t due_ns)
{
	if (state == RUNS)
		return false;
	self->asked = state == STARTS && due_ns == self->asked_ns ? self->asked + 1 : 0;
	self->asked_ns = due_ns;
	return self->asked < SETTLED;
}

static bool wait_until(uint64_t due_ns, const void *on)
{
	pthread_mutex_lock(&lock);
	if (!has_more_to_do(due_ns))
		return wait_for_turn(due_ns, on);
	pthread_mutex_unlock(&lock);
	really_sleep(REAL_PAUSE_NS);
	return false;
}

static void sleep_until(uint64_t due_ns)
{
	pthread_mutex_lock(&lock);
	if (self == participants && state == STANDS)
		state = STARTS;
	if (self == participants || state == RUNS) {
		wait_for_turn(due_ns, NULL);
		return;
	}
	pthread_mutex_unlock(&lock);
	really_sleep(due_ns - now());
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

/* By how much clock is ahead of CLOCK_MONOTONIC, or NEVER for one that is not ours.  Of
 * CLOCK_BOOTTIME pwrtrace makes names that must be new in each run. */
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
	*time = timespec_of(now() + ahead);
	return 0;
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
	uint64_t ns = now() + VIRTUAL_REALTIME_AHEAD_NS;

	(void)zone;
	*time = (struct timeval){.tv_sec = (time_t)(ns / NS_PER_S),
		.tv_usec = (suseconds_t)(ns % NS_PER_S / NS_PER_US)};
	return 0;
}

EXPORT time_t time(time_t *place)
{
	time_t seconds = (time_t)((now() + VIRTUAL_REALTIME_AHEAD_NS) / NS_PER_S);

	if (place)
		*place = seconds;
	return seconds;
}

/* ---- sleeping ---- */

EXPORT int clock_nanosleep(
	clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
	uint64_t ahead = ahead_ns(clock), ns = ns_of(time);

	if (!self || ahead == NEVER)
		return syscall(SYS_clock_nanosleep, clock, flags, time, rest) ? errno : 0;
	sleep_until(flags & TIMER_ABSTIME ? ns - ahead : now() + ns);
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

	wake_on(semaphore, false);
	return result;
}

EXPORT int sem_wait(sem_t *semaphore)
{
	if (!self || state != RUNS)
		return REAL(sem_wait)(semaphore);
	while (sem_trywait(semaphore))
		wait_until(NEVER, semaphore);
	return 0;
}

EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	if (!self)
		return REAL(sem_clockwait)(semaphore, clock, until);
	if (sem_trywait(semaphore) == 0)
		return 0;
	wait_until(ns_of(until) - ahead_ns(clock), semaphore);
	if (sem_trywait(semaphore) == 0)
		return 0;
	errno = ETIMEDOUT;
	return -1;
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict condition,
	pthread_mutex_t *restrict mutex, const struct timespec *restrict until)
{
	bool woken;

	if (!self)
		return REAL(pthread_cond_timedwait)(condition, mutex, until);
	pthread_mutex_unlock(mutex);
	woken = wait_until(ns_of(until), condition);
	pthread_mutex_lock(mutex);
	return woken ? 0 : ETIMEDOUT;
}

EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
	wake_on(condition, false);
	return REAL(pthread_cond_signal)(condition);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
	wake_on(condition, true);
	return REAL(pthread_cond_broadcast)(condition);
}

/* ---- threads ---- */

struct start {
	void *(*routine)(void *);
	void *argument;
	struct participant *participant;
};

static struct participant *new_participant(void)
{
	struct participant *p = participants;

	pthread_mutex_lock(&lock);
	while (p < participants + PARTICIPANTS_MAX && p->there)
		p++;
	if (p == participants + PARTICIPANTS_MAX) {
		fputs("virtual time: too many threads\n", stderr);
		abort();
	}
	*p = (struct participant){.there = true};
	pthread_mutex_unlock(&lock);
	return p;
}

static void leave(struct participant *participant)
{
	pthread_mutex_lock(&lock);
	participant->there = false;
	wake(participant, true);
	go_on();
	pthread_mutex_unlock(&lock);
}

static void *run(void *argument)
{
	struct start start = *(struct start *)argument;
	void *result;

	free(argument);
	self = start.participant;
	result = start.routine(start.argument);
	leave(self);
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
	participant = new_participant();
	start = malloc(sizeof(*start));
	*start = (struct start){routine, argument, participant};
	error = REAL(pthread_create)(thread, attributes, run, start);
	if (error)
		leave(participant);
	else
		participant->thread = *thread;
	return error;
}

EXPORT int pthread_join(pthread_t thread, void **result)
{
	for (struct participant *p = participants + 1; p < participants + PARTICIPANTS_MAX; p++) {
		pthread_mutex_lock(&lock);
		if (self && state == RUNS && p->there && pthread_equal(p->thread, thread))
			wait_for_turn(NEVER, p);
		else
			pthread_mutex_unlock(&lock);
	}
	return REAL(pthread_join)(thread, result);
}
