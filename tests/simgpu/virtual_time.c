/* SPDX-License-Identifier: MIT */
/*
 * A library to be preloaded: in its process, time is that of a discrete-event simulation.  A minute
 * takes seconds, and what happens when is the same in each run.
 *
 * The participants are the main thread and the threads that libpwrtrace*.so make: the collector
 * and, in an LTTng session of the user's own, the sampler.  That is why the tests record in such a
 * session: client, collector and sampler are then one process, and its events need no clock that
 * processes share.  At most one participant runs at a time.  When all of them wait, time moves on
 * to the earliest deadline, and the thread that set it runs; of equal ones, the thread that has
 * existed longest.  Code takes no time, and what waits for something else than time (a lock, a
 * socket, room in LTTng's buffers) lets it stand still.
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
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/simgpu/virtual_parts.h"

#define NS_PER_US UINT64_C(1000)
#define NS_PER_S UINT64_C(1000000000)
#define REAL_PAUSE_NS (200 * NS_PER_US)
#define PARTICIPANTS_MAX 16

/* While time stands, a thread that has waited so often for the same thing has nothing left to do.
 */
#define SETTLED 4

struct participant {
	bool there, waits;
	pthread_t thread;
	uint64_t due_ns;
	const void *on; /* the object that may wake the thread before its deadline */
	bool woken;     /* that object did */
	uint32_t turn;  /* futex: 1 as soon as it may run */
	uint64_t asked_ns;
	int asked; /* how often, one after the other, since time began to move */
};

static struct participant participants[PARTICIPANTS_MAX] = {{.there = true}}; /* main is first */
static __thread struct participant *self;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum { STANDS, STARTS, RUNS } state;
static uint64_t now_ns = VIRTUAL_BEGIN_NS;

uint64_t virtual_now_ns(void)
{
	return __atomic_load_n(&now_ns, __ATOMIC_RELAXED);
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

bool virtual_takes_part(void)
{
	return self != NULL;
}

bool virtual_runs(void)
{
	return self && state == RUNS;
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
	if (first->due_ns > virtual_now_ns())
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
		p->due_ns = virtual_now_ns();
		p->woken = true;
		p->on = NULL;
		if (!all)
			return;
	}
}

void virtual_wake(const void *on, bool all)
{
	pthread_mutex_lock(&lock);
	wake(on, all);
	pthread_mutex_unlock(&lock);
}

/* ---- waiting: takes the lock itself ---- */

/* While time stands, the thread may have to deal with other processes: it waits in real time. */
static bool has_more_to_do(uint64_t due_ns)
{
	if (state == RUNS)
		return false;
	self->asked = state == STARTS && due_ns == self->asked_ns ? self->asked + 1 : 0;
	self->asked_ns = due_ns;
	return self->asked < SETTLED;
}

bool virtual_wait_until(uint64_t due_ns, const void *on)
{
	pthread_mutex_lock(&lock);
	if (!has_more_to_do(due_ns))
		return wait_for_turn(due_ns, on);
	pthread_mutex_unlock(&lock);
	really_sleep(REAL_PAUSE_NS);
	return false;
}

void virtual_sleep_until(uint64_t due_ns)
{
	pthread_mutex_lock(&lock);
	if (self == participants && state == STANDS)
		state = STARTS;
	if (self == participants || state == RUNS) {
		wait_for_turn(due_ns, NULL);
		return;
	}
	pthread_mutex_unlock(&lock);
	really_sleep(due_ns - virtual_now_ns());
}

/* ---- threads come and go ---- */

struct participant *virtual_join(void)
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

void virtual_name(struct participant *participant, pthread_t thread)
{
	participant->thread = thread;
}

void virtual_begin(struct participant *participant)
{
	self = participant;
}

void virtual_leave(struct participant *participant)
{
	pthread_mutex_lock(&lock);
	participant->there = false;
	wake(participant, true);
	go_on();
	pthread_mutex_unlock(&lock);
}

void virtual_await(pthread_t thread)
{
	for (struct participant *p = participants + 1; p < participants + PARTICIPANTS_MAX; p++) {
		pthread_mutex_lock(&lock);
		if (p->there && pthread_equal(p->thread, thread))
			wait_for_turn(NEVER, p);
		else
			pthread_mutex_unlock(&lock);
	}
}
