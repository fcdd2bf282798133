/* SPDX-License-Identifier: MIT */
/* On a device whose events tell times as CUDA's do, in floats of milliseconds, and by a clock of
 * the test's. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/event_pairs.h"
#include "tests/unit/unit.h"

#define HOUR_NS (3600 * PWRTRACE_NS_PER_S)
#define LAUNCH_NS 5000 /* what a call of the host takes */
#define KERNEL_NS 10000
#define DRIFT_PPM 10 /* of the device's clock against the host's */

static uint64_t now_ns = 1000 * PWRTRACE_NS_PER_S;

/* Replaces libc's: time passes only with calls. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	now_ns += 100;
	now->tv_sec = (time_t)(now_ns / PWRTRACE_NS_PER_S);
	now->tv_nsec = (long)(now_ns % PWRTRACE_NS_PER_S);
	return 0;
}

/* Replaces the tracepoint. */
bool tp_clock_sync(const struct pwrtrace_clock_sync *event)
{
	(void)event;
	return true;
}

/* ---- the device ---- */

struct event {
	uint64_t host_ns;
};

static int created; /* events */

static void *create(struct event_home home)
{
	(void)home;
	created++;
	return calloc(1, sizeof(struct event));
}

static bool record(void *event, void *stream)
{
	(void)stream;
	((struct event *)event)->host_ns = now_ns;
	return true;
}

static enum gpu_progress query(void *event)
{
	return ((struct event *)event)->host_ns <= now_ns ? GPU_FINISHED : GPU_RUNNING;
}

static int elapsed_ms(float *ms, void *begin, void *end)
{
	int64_t ns = (int64_t)(((struct event *)end)->host_ns - ((struct event *)begin)->host_ns);

	*ms = (float)((double)ns * (1 + DRIFT_PPM * 1e-6) * 1e-6);
	return 0;
}

static bool enter(struct event_home home)
{
	return home.handle;
}

static void leave(void)
{
}

static void *new_stream(void)
{
	return leave;
}

static int exchange_capture_mode(int mode)
{
	return mode;
}

static const struct event_api api = {
	.name = "test",
	.create = create,
	.destroy = free,
	.record = record,
	.query = query,
	.elapsed_ms = elapsed_ms,
	.enter = enter,
	.leave = leave,
	.new_stream = new_stream,
	.exchange_capture_mode = exchange_capture_mode,
};

/* ---- launches ---- */

struct launch {
	uint64_t begin_ns, end_ns; /* by the host's clock */
	struct gpu_span seen;
};

static const struct device_clock_id clock_id = {1, 1};

static struct event_pair *begin(void)
{
	static char context;
	struct event_pair *pair = event_pair_begin(
		&api, (struct event_home){&context, 1}, NULL, clock_id, now_ns - LAUNCH_NS);

	assert_non_null(pair);
	return pair;
}

/* A kernel that is launched, runs and is looked at. */
static struct launch run(uint64_t kernel_ns)
{
	struct event_pair *pair = begin();
	struct launch launch;
	struct gpu_times times;

	launch.begin_ns = now_ns;
	now_ns += kernel_ns;
	assert_true(event_pair_end(pair, NULL, true));
	launch.end_ns = now_ns;
	now_ns += LAUNCH_NS;
	assert_int_equal(event_pair_poll(pair, &times), GPU_FINISHED);
	event_pair_release(pair);
	launch.seen = device_clock_to_host(clock_id, times.begin_ns, times.end_ns);
	return launch;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* To the resolution of events; and to the drift of a second, with what a comparison of the clocks
 * leaves open. */
static void is_true(struct launch launch)
{
	assert_in_range(distance(launch.seen.end_ns - launch.seen.begin_ns,
				launch.end_ns - launch.begin_ns),
		0, 200);
	assert_in_range(distance(launch.seen.begin_ns, launch.begin_ns), 0, 15000);
}

static void times_are_true_after_a_pause(void **state)
{
	(void)state;
	is_true(run(KERNEL_NS));
	for (uint64_t hours = 1; hours < 100; hours *= 3) {
		now_ns += hours * HOUR_NS;
		for (int i = 0; i < 10; i++)
			is_true(run(KERNEL_NS));
	}
}

static void times_are_true_while_kernels_follow(void **state)
{
	(void)state;
	for (int i = 0; i < 100000; i++)
		is_true(run(KERNEL_NS * 4));
}

/* ---- threads ---- */

static void *run_on_a_thread(void *unused)
{
	is_true(run(KERNEL_NS));
	return unused;
}

static void *leave_in_flight(void *unused)
{
	(void)unused;
	return begin();
}

static pthread_key_t launches_at_end;

static void launch_at_end(void *unused)
{
	run_on_a_thread(unused);
}

static void *end_with_a_launch(void *unused)
{
	pthread_setspecific(launches_at_end, &launches_at_end);
	return run_on_a_thread(unused);
}

/* As a server has one for each request. */
static int created_by_threads(void *(*work)(void *))
{
	pthread_t thread;

	created = 0;
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(pthread_create(&thread, NULL, work, NULL), 0);
		pthread_join(thread, NULL);
	}
	return created;
}

static void threads_that_end_leave_their_events(void **state)
{
	(void)state;
	assert_in_range(created_by_threads(run_on_a_thread), 0, 4);
}

static void threads_that_launch_as_they_end_do_too(void **state)
{
	(void)state;
	assert_int_equal(pthread_key_create(&launches_at_end, launch_at_end), 0);
	assert_in_range(created_by_threads(end_with_a_launch), 0, 4);
}

/* The collector gives back what a thread has left in flight to the one that has its events now. */
static void events_come_back_after_their_thread(void **state)
{
	struct event_pair *left;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, leave_in_flight, NULL), 0);
	pthread_join(thread, (void **)&left);
	created_by_threads(run_on_a_thread);
	event_pair_release(left);
	assert_int_equal(created_by_threads(run_on_a_thread), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_true_after_a_pause),
		cmocka_unit_test(times_are_true_while_kernels_follow),
		cmocka_unit_test(threads_that_end_leave_their_events),
		cmocka_unit_test(threads_that_launch_as_they_end_do_too),
		cmocka_unit_test(events_come_back_after_their_thread),
	};

	return cmocka_run_group_tests_name("event_pairs", tests, NULL, NULL);
}
