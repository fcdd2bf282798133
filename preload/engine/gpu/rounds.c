/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/rounds.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include "preload/common/clock.h"
#include "preload/common/launch_path.h"
#include "preload/engine/core/loaded_modules.h"
#include "preload/engine/gpu/submit.h"

#define LAST_WAIT_NS (50 * PWRTRACE_NS_PER_MS)
#define SETTLE_WAIT_NS (2 * PWRTRACE_NS_PER_S)
#define PAUSE_NS (200000) /* between two looks of a thread that waits for a round */
#define RECORDS_NS (100 * PWRTRACE_NS_PER_MS) /* between two requests to profilers, at most */

static pthread_once_t prepare_once = PTHREAD_ONCE_INIT;
static const struct engine_host *engine_host;
READ_AT_LAUNCH bool rounds_take_launches = false;
static bool forked; /* and nothing collects yet */
static sem_t wake;
static uint32_t flush_wanted, flush_done, rounds;
static bool times_wanted;
static bool all_settled; /* after the last round */
static bool ending;

/* ---- fork: LTTng-UST must be told, or the child's events carry the parent's pid ---- */

/* Exported by liblttng-ust for liblttng-ust-fork.so; no header declares them. */
void lttng_ust_before_fork(sigset_t *signals);
void lttng_ust_after_fork_parent(sigset_t *signals);
void lttng_ust_after_fork_child(sigset_t *signals);

static sigset_t signals_before_fork;

static void before_fork(void)
{
	loaded_modules_before_fork();
	lttng_ust_before_fork(&signals_before_fork);
}

static void after_fork_in_parent(void)
{
	lttng_ust_after_fork_parent(&signals_before_fork);
	loaded_modules_after_fork();
}

static void after_fork_in_child(void)
{
	loaded_modules_after_fork();
	lttng_ust_after_fork_child(&signals_before_fork);
	submit_after_fork();
	forked = engine_host != NULL;
	rounds_take_launches = !forked;
	ending = false;
	flush_done = flush_wanted;
}

static void prepare(void)
{
	sem_init(&wake, 0, 0);
	submit_init();
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
	__atomic_store_n(&rounds_take_launches, true, __ATOMIC_RELEASE);
}

/* ---- launching threads ---- */

bool rounds_open(void)
{
	if (__atomic_load_n(&forked, __ATOMIC_RELAXED)) {
		forked = false;
		rounds_take_launches = true;
		engine_host->reopen();
	}
	pthread_once(&prepare_once, prepare);
	return __atomic_load_n(&rounds_take_launches, __ATOMIC_RELAXED);
}

/* On a thread of the program's, which keeps its errno. */
static void let_a_round_pass(void)
{
	int saved_errno = errno;

	nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
	errno = saved_errno;
}

static void flush(uint64_t deadline_ns)
{
	uint32_t turn = __atomic_add_fetch(&flush_wanted, 1, __ATOMIC_ACQ_REL);

	sem_post(&wake);
	while ((int32_t)(__atomic_load_n(&flush_done, __ATOMIC_ACQUIRE) - turn) < 0 &&
		clock_now_ns() < deadline_ns)
		let_a_round_pass();
}

void gpu_wait_for_all(void)
{
	uint64_t deadline_ns = clock_now_ns() + SETTLE_WAIT_NS;
	/* The current round may already have passed the work. */
	uint32_t turn = __atomic_load_n(&rounds, __ATOMIC_ACQUIRE) + 2;

	while (((int32_t)(__atomic_load_n(&rounds, __ATOMIC_ACQUIRE) - turn) < 0 ||
		       !__atomic_load_n(&all_settled, __ATOMIC_ACQUIRE)) &&
		!__atomic_load_n(&ending, __ATOMIC_ACQUIRE) && clock_now_ns() < deadline_ns) {
		sem_post(&wake);
		let_a_round_pass();
	}
}

void gpu_want_times(void)
{
	__atomic_store_n(&times_wanted, true, __ATOMIC_RELEASE);
	sem_post(&wake);
}

void gpu_after_wait(void)
{
	if (__atomic_load_n(&ending, __ATOMIC_RELAXED))
		flush(clock_now_ns() + LAST_WAIT_NS);
}

void rounds_end(uint64_t deadline_ns)
{
	__atomic_store_n(&ending, true, __ATOMIC_RELEASE);
	flush(deadline_ns);
}

/* ---- the collector ---- */

void rounds_start(const struct engine_host *host)
{
	engine_host = host;
	pthread_once(&prepare_once, prepare);
}

static bool are_records_due(void)
{
	static uint64_t asked_ns;
	uint64_t now_ns = clock_now_ns();
	bool wanted = __atomic_exchange_n(&times_wanted, false, __ATOMIC_ACQUIRE);

	if (!wanted && now_ns - asked_ns <= RECORDS_NS)
		return false;
	asked_ns = now_ns;
	return true;
}

struct round round_begin(void)
{
	uint32_t wanted;
	bool last;

	while ((wanted = __atomic_load_n(&flush_wanted, __ATOMIC_ACQUIRE)) == flush_done &&
		__atomic_load_n(&ending, __ATOMIC_ACQUIRE))
		sem_wait(&wake);
	last = wanted != flush_done;
	return (struct round){
		.flush = wanted, .last = last, .records_due = are_records_due() || last};
}

void round_end(const struct round *round, bool wanted, bool empty)
{
	__atomic_store_n(&rounds_take_launches, wanted, __ATOMIC_RELAXED);
	__atomic_store_n(&flush_done, round->flush, __ATOMIC_RELEASE);
	__atomic_store_n(&all_settled, empty, __ATOMIC_RELEASE);
	__atomic_fetch_add(&rounds, 1, __ATOMIC_RELEASE);
}

void round_sleep(uint64_t ns)
{
	uint64_t until_ns = clock_now_ns() + ns;
	struct timespec until = clock_timespec(until_ns);

	while (sem_clockwait(&wake, CLOCK_MONOTONIC, &until) && errno == EINTR)
		;
}
