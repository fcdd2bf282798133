/* SPDX-License-Identifier: MIT */
#include "preload/engine/collector.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/layer.h"
#include "preload/engine/core/device_clock.h"
#include "preload/engine/core/loaded.h"
#include "preload/engine/core/machine.h"
#include "preload/engine/core/submit.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/gpu.h"
#include "preload/engine/gpu/gpu_write.h"
#include "preload/engine/lanes.h"

#define LAST_WAIT_NS (50 * PWRTRACE_NS_PER_MS)
#define SETTLE_WAIT_NS (2 * PWRTRACE_NS_PER_S)
#define GIVE_UP_NS (10 * PWRTRACE_NS_PER_S)
#define BUSY_SLEEP_NS (500000)
#define PAUSE_NS (200000) /* of who waits for a round */
#define IDLE_SLEEP_NS (10 * PWRTRACE_NS_PER_MS)

/* ---- the launching threads' side ---- */

static pthread_once_t prepare_once = PTHREAD_ONCE_INIT;
static bool prepared;
static const struct engine_host *engine_host;
static bool launches_wanted = true;
static bool forked;
static sem_t wake;
static uint32_t flush_wanted, flush_done, rounds;
static bool all_settled; /* after the last round */
static bool ending, end_written;

static void before_fork(void);
static void after_fork_in_parent(void);
static void after_fork_in_child(void);

static void prepare(void)
{
	sem_init(&wake, 0, 0);
	submit_init();
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
	__atomic_store_n(&prepared, true, __ATOMIC_RELEASE);
}

bool gpu_launches_wanted(void)
{
	if (__atomic_load_n(&forked, __ATOMIC_RELAXED) && engine_host) {
		forked = false;
		engine_host->reopen();
	}
	if (!__atomic_load_n(&prepared, __ATOMIC_ACQUIRE))
		pthread_once(&prepare_once, prepare);
	return __atomic_load_n(&launches_wanted, __ATOMIC_RELAXED);
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
	/* The round that goes on may have passed the work by. */
	uint32_t turn = __atomic_load_n(&rounds, __ATOMIC_ACQUIRE) + 2;

	while (((int32_t)(__atomic_load_n(&rounds, __ATOMIC_ACQUIRE) - turn) < 0 ||
		       !__atomic_load_n(&all_settled, __ATOMIC_ACQUIRE)) &&
		!__atomic_load_n(&ending, __ATOMIC_ACQUIRE) && clock_now_ns() < deadline_ns) {
		sem_post(&wake);
		let_a_round_pass();
	}
}

void collector_end(uint64_t deadline_ns)
{
	__atomic_store_n(&ending, true, __ATOMIC_RELEASE);
	flush(deadline_ns);
}

void gpu_waited(void)
{
	if (__atomic_load_n(&ending, __ATOMIC_RELAXED))
		flush(clock_now_ns() + LAST_WAIT_NS);
}

static uint64_t begin_ns; /* of this process, as a GPU's user */

/* Returns false while recording has not quite begun: nothing else must be written then. */
static bool write_process(const struct engine_host *host)
{
	struct machine machine;
	char executable[4096];
	ssize_t length = readlink("/proc/self/exe", executable, sizeof(executable) - 1);

	executable[length > 0 ? length : 0] = 0;
	if (!begin_ns)
		begin_ns = clock_now_ns();
	machine_read(&machine);
	if (!tp_process(&(struct pwrtrace_process){.pid = gpu_pid,
		    .schema = PWRTRACE_SCHEMA,
		    .parent_pid = (uint32_t)getppid(),
		    .begin_ns = begin_ns,
		    .realtime_offset_ns = machine.realtime_offset_ns,
		    .host = machine.host,
		    .boot_id = machine.boot_id,
		    .executable = executable}))
		return false;
	gpu_write_definitions(host, true);
	device_clock_write(gpu_pid);
	end_written = false;
	return true;
}

/* At the first sign of the end: the exit handlers that come after ours, and the GPU runtime's own
 * end, are where processes die.  What work they find to do follows it. */
static void write_end(void)
{
	if (!end_written)
		tp_process_end(
			&(struct pwrtrace_process_end){.pid = gpu_pid, .end_ns = clock_now_ns()});
	end_written = true;
}

static void sleep_ns(uint64_t ns)
{
	uint64_t until_ns = clock_now_ns() + ns;
	struct timespec until = {.tv_sec = (time_t)(until_ns / PWRTRACE_NS_PER_S),
		.tv_nsec = (long)(until_ns % PWRTRACE_NS_PER_S)};

	while (sem_clockwait(&wake, CLOCK_MONOTONIC, &until) && errno == EINTR)
		;
}

/* What never came as far as work. */
static void write_losses(const struct engine_host *host)
{
	const char *why;
	uint64_t refused = submit_refused(&why);

	gpu_write_lost("kernel_launch", why, refused);
	gpu_write_lost("kernel_launch", "they came before the recording was open",
		__atomic_exchange_n(host->launches_missed, 0, __ATOMIC_RELAXED));
	gpu_write_lost("layer_push", "too many layers were open in each other",
		__atomic_exchange_n(&host->layer_lost->too_deep, 0, __ATOMIC_RELAXED));
	gpu_write_lost("layer_push", "the program named too many layers",
		__atomic_exchange_n(&host->layer_lost->too_many, 0, __ATOMIC_RELAXED));
}

/* One round; returns whether anything happened. */
static bool round_trip(const struct engine_host *host)
{
	uint32_t turn = __atomic_load_n(&flush_wanted, __ATOMIC_ACQUIRE);
	bool last = turn != flush_done, any;

	gpu_gather(last);
	any = lanes_fetch();
	gpu_write_definitions(host, false);
	lanes_begin();
	any |= lanes_settle();
	any |= gpu_harvest(host, last);
	write_losses(host);
	if (last) {
		lanes_count_unfinished();
		device_clock_write_last(gpu_pid);
		if (__atomic_load_n(&ending, __ATOMIC_ACQUIRE))
			write_end();
		__atomic_store_n(&flush_done, turn, __ATOMIC_RELEASE);
	}
	return any;
}

void collector_run(const struct engine_host *host)
{
	uint64_t give_up_ns = clock_now_ns() + GIVE_UP_NS;
	uint64_t idle_ns = BUSY_SLEEP_NS;
	bool recording = false, settled = false;

	engine_host = host;
	submit_attach(host);
	gpu_pid = (uint32_t)getpid();
	pthread_once(&prepare_once, prepare);
	for (;;) {
		bool enabled = tp_enabled();

		/* While the process ends, only those who ask may send us into the runtime. */
		while (__atomic_load_n(&ending, __ATOMIC_ACQUIRE) &&
			__atomic_load_n(&flush_wanted, __ATOMIC_ACQUIRE) == flush_done)
			sem_wait(&wake);

		if (enabled && !recording)
			enabled = write_process(host);
		if (!settled && (enabled || clock_now_ns() > give_up_ns)) {
			settled = true;
			host->settled(enabled);
		}
		recording = enabled;
		__atomic_store_n(&launches_wanted, enabled || !settled, __ATOMIC_RELAXED);
		if (enabled && round_trip(host)) {
			idle_ns = BUSY_SLEEP_NS;
		} else if (!enabled) {
			lanes_fetch();
			if (settled)
				lanes_drop();
			__atomic_store_n(&flush_done, flush_wanted, __ATOMIC_RELEASE);
		}
		__atomic_store_n(&all_settled, lanes_empty(), __ATOMIC_RELEASE);
		__atomic_fetch_add(&rounds, 1, __ATOMIC_RELEASE);
		sleep_ns(settled ? idle_ns : BUSY_SLEEP_NS);
		if (idle_ns < IDLE_SLEEP_NS)
			idle_ns *= 2;
	}
}

/* ---- fork: UST stamps the child's events with the parent's pid unless it is told ---- */

/* Exported by liblttng-ust for liblttng-ust-fork.so; no header declares them. */
void lttng_ust_before_fork(sigset_t *signals);
void lttng_ust_after_fork_parent(sigset_t *signals);
void lttng_ust_after_fork_child(sigset_t *signals);

static sigset_t signals_before_fork;

static void before_fork(void)
{
	loaded_before_fork();
	lttng_ust_before_fork(&signals_before_fork);
}

static void after_fork_in_parent(void)
{
	lttng_ust_after_fork_parent(&signals_before_fork);
	loaded_after_fork();
}

static void after_fork_in_child(void)
{
	loaded_after_fork();
	lttng_ust_after_fork_child(&signals_before_fork);
	submit_after_fork();
	lanes_after_fork();
	begin_ns = 0;
	forked = true;
	ending = end_written = false;
	launches_wanted = true;
}
