/* SPDX-License-Identifier: MIT */
#include "preload/collector.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/clock.h"
#include "preload/device_clock.h"
#include "preload/gpu/gpu.h"
#include "preload/gpu/gpu_write.h"
#include "preload/handles.h"
#include "preload/layer/stack.h"
#include "preload/machine.h"
#include "preload/ring.h"
#include "preload/tp_emit.h"

#define RING_ENTRIES (1 << 17)
#define LAST_WAIT_NS (50 * PWRTRACE_NS_PER_MS)
#define SETTLE_WAIT_NS (2 * PWRTRACE_NS_PER_S)
#define GIVE_UP_NS (10 * PWRTRACE_NS_PER_S)
#define BUSY_SLEEP_NS (500000)
#define IDLE_SLEEP_NS (10 * PWRTRACE_NS_PER_MS)

/* ---- the launching threads' side ---- */

static struct ring ring;
static pthread_once_t ring_once = PTHREAD_ONCE_INIT;
static const struct engine_host *engine_host;
static bool launches_wanted = true;
static bool forked;
static uint64_t launches_without_room;
static sem_t wake;
static uint32_t flush_wanted, flush_done, rounds;
static bool all_settled; /* after the last round */
static bool ending, end_written;

static void before_fork(void);
static void after_fork_in_parent(void);
static void after_fork_in_child(void);

static void make_ring(void)
{
	sem_init(&wake, 0, 0);
	if (!ring_init(&ring, sizeof(struct gpu_work), RING_ENTRIES))
		launches_wanted = false;
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

bool gpu_launches_wanted(void)
{
	if (__atomic_load_n(&forked, __ATOMIC_RELAXED) && engine_host) {
		forked = false;
		engine_host->reopen();
	}
	if (!ring.slots)
		pthread_once(&ring_once, make_ring);
	return __atomic_load_n(&launches_wanted, __ATOMIC_RELAXED);
}

uint32_t gpu_new_correlation(void)
{
	static uint32_t last;

	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

static __thread uint32_t tid;

uint32_t gpu_tid(void)
{
	if (!tid)
		tid = (uint32_t)gettid();
	return tid;
}

static void give_back(const struct gpu_work *work)
{
	if (work->kind <= GPU_WORK_GRAPH && work->call->api->release)
		work->call->api->release(work->token);
	else if (work->kind == GPU_WORK_LAST)
		work->call->api->release_stream(work->token);
}

void gpu_submit(const struct gpu_work *work)
{
	if (ring_push(&ring, work))
		return;
	__atomic_fetch_add(&launches_without_room, 1, __ATOMIC_RELAXED);
	give_back(work);
}

static void submit_range(enum gpu_work_kind kind, uint32_t layer, uint64_t time_ns, double payload)
{
	static const struct gpu_api no_api = {.name = ""};
	static const struct gpu_call range = {&no_api, "", NULL};

	gpu_submit(&(struct gpu_work){.kind = kind,
		.tid = gpu_tid(),
		.layer = layer,
		.enqueue_ns = time_ns,
		.payload = payload,
		.call = &range});
}

uint32_t gpu_current_layer(void)
{
	struct layer_stack *stack = engine_host ? engine_host->layer_stack() : NULL;
	unsigned depth = stack ? stack->depth : 0;

	if (!depth)
		return 0;
	for (unsigned i = 0; i < depth; i++) {
		struct layer_frame *frame = &stack->frames[i];

		if (frame->written)
			continue;
		frame->written = true;
		submit_range(GPU_WORK_PUSH, frame->layer, frame->begin_ns, frame->payload);
	}
	return stack->frames[depth - 1].layer;
}

void collector_layer_popped(uint32_t layer, uint64_t end_ns)
{
	submit_range(GPU_WORK_POP, layer, end_ns, 0);
}

static void flush(uint64_t deadline_ns)
{
	uint32_t turn = __atomic_add_fetch(&flush_wanted, 1, __ATOMIC_ACQ_REL);

	sem_post(&wake);
	while ((int32_t)(__atomic_load_n(&flush_done, __ATOMIC_ACQUIRE) - turn) < 0 &&
		clock_now_ns() < deadline_ns)
		nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
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
		nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
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

/* ---- the collector's own side: one thread, no locks ---- */

/* Work that the device has not finished, or that nobody records yet. */
struct pending {
	struct pending *next;
	struct gpu_work work;
	bool given_up;
};

struct lane {
	struct pending *first;
	struct pending **last;
};

static struct lane *lanes; /* by stream id */
static uint32_t lane_count;
static struct lane inbox;
static struct pending *spare;
static struct handles correlation_of; /* by token, in the order of the ring */

static void append(struct lane *lane, struct pending *pending)
{
	if (!lane->last)
		lane->last = &lane->first;
	pending->next = NULL;
	*lane->last = pending;
	lane->last = &pending->next;
}

static struct pending *take(struct lane *lane, struct pending **at)
{
	struct pending *pending = *at;

	*at = pending->next;
	if (lane->last == &pending->next)
		lane->last = at;
	return pending;
}

static struct pending *new_pending(void)
{
	struct pending *pending = spare;

	if (!pending)
		return malloc(sizeof(*pending));
	spare = pending->next;
	return pending;
}

static void recycle(struct pending *pending)
{
	pending->next = spare;
	spare = pending;
}

static struct lane *lane_of(uint32_t stream)
{
	if (stream >= lane_count) {
		uint32_t count = stream * 2 + 64;
		struct lane *more = calloc(count, sizeof(*more));

		if (!more)
			return NULL;
		for (uint32_t i = 0; i < lane_count; i++)
			while (lanes[i].first)
				append(&more[i], take(&lanes[i], &lanes[i].first));
		free(lanes);
		lanes = more;
		lane_count = count;
	}
	return &lanes[stream];
}

static void write_execution(const struct gpu_work *work, const struct gpu_times *raw)
{
	uint32_t device = gpu_stream(work->stream)->device;
	struct gpu_times host;

	device_clock_note(gpu_pid, device, work->enqueue_ns, work->return_ns, raw->queued_ns);
	host = device_clock_to_host(device, raw);
	if (work->kind == GPU_WORK_KERNEL)
		gpu_write_kernel(work, &host, raw);
	else if (work->kind == GPU_WORK_MEMORY)
		gpu_write_memory(work, work->call->kind, &host, raw);
	else
		gpu_write_graph(work, work->kernel, &host, raw);
}

/* Returns whether the work is done with. */
static bool settle(const struct gpu_work *work)
{
	struct gpu_times times;

	if (work->kind == GPU_WORK_LAST) {
		give_back(work);
		return true;
	}
	switch (work->call->api->poll(work->token, &times)) {
	case GPU_RUNNING:
		return false;
	case GPU_FINISHED:
		write_execution(work, &times);
		break;
	case GPU_UNTIMED:
		write_execution(work, &gpu_times_unknown);
		break;
	case GPU_FAILED:
		gpu_write_lost(gpu_work_event(work), "failed on the device", 1);
		break;
	case GPU_GONE:
		gpu_write_lost(gpu_work_event(work),
			"the program destroyed its context before the time was read", 1);
		break;
	}
	give_back(work);
	return true;
}

static bool settle_lane(struct lane *lane, bool in_order)
{
	bool any = false;

	for (struct pending **at = &lane->first; *at;) {
		bool last = (*at)->work.kind == GPU_WORK_LAST;

		if ((!last || at == &lane->first) && settle(&(*at)->work)) {
			recycle(take(lane, at));
			any = true;
		} else if (in_order) {
			break;
		} else {
			at = &(*at)->next;
		}
	}
	return any;
}

static bool settle_all(void)
{
	bool any = false;

	for (uint32_t stream = 1; stream < lane_count; stream++)
		if (lanes[stream].first)
			any |= settle_lane(&lanes[stream], !gpu_stream(stream)->out_of_order);
	return any;
}

static bool nothing_pending(void)
{
	if (inbox.first)
		return false;
	for (uint32_t stream = 1; stream < lane_count; stream++)
		if (lanes[stream].first)
			return false;
	return true;
}

static void remember(const struct gpu_work *work)
{
	if (work->token)
		handles_set(&correlation_of, work->token, work->correlation);
}

/* Writes what is known of work at its launch.  Returns whether it stays pending. */
static bool begin(const struct gpu_work *work)
{
	if (work->call->api->take && work->call->api->take(work))
		return false;
	switch (work->kind) {
	case GPU_WORK_KERNEL:
		remember(work);
		gpu_write_launch(work);
		return true;
	case GPU_WORK_MEMORY:
	case GPU_WORK_GRAPH:
		remember(work);
		return true;
	case GPU_WORK_SYNC:
		remember(work);
		gpu_write_sync(work);
		return false;
	case GPU_WORK_AFTER:
		gpu_write_dependency(work->correlation, handles_get(&correlation_of, work->token),
			work->call->kind);
		return false;
	case GPU_WORK_PUSH:
		tp_layer_push(&(struct pwrtrace_layer_push){.pid = gpu_pid,
			.tid = work->tid,
			.layer = work->layer,
			.begin_ns = work->enqueue_ns,
			.payload = work->payload});
		return false;
	case GPU_WORK_POP:
		tp_layer_pop(&(struct pwrtrace_layer_pop){.pid = gpu_pid,
			.tid = work->tid,
			.layer = work->layer,
			.end_ns = work->enqueue_ns});
		return false;
	case GPU_WORK_LAST:
		return true;
	case GPU_WORK_NODE:
		return false;
	}
	return false;
}

static bool fetch(void)
{
	bool any = false;

	for (int i = 0; i < RING_ENTRIES; i++) {
		struct pending *pending = new_pending();

		if (!pending)
			break;
		pending->given_up = false;
		if (!ring_pop(&ring, &pending->work)) {
			recycle(pending);
			break;
		}
		append(&inbox, pending);
		any = true;
	}
	return any;
}

static void begin_all(void)
{
	while (inbox.first) {
		struct pending *pending = take(&inbox, &inbox.first);
		struct lane *lane;

		if (!begin(&pending->work) || !(lane = lane_of(pending->work.stream)))
			recycle(pending);
		else
			append(lane, pending);
	}
}

static void drop_all(void)
{
	while (inbox.first) {
		struct pending *pending = take(&inbox, &inbox.first);

		give_back(&pending->work);
		recycle(pending);
	}
}

static void count_unfinished(void)
{
	for (uint32_t stream = 1; stream < lane_count; stream++) {
		for (struct pending *p = lanes[stream].first; p; p = p->next) {
			if (!p->given_up && p->work.kind != GPU_WORK_LAST)
				gpu_write_lost(gpu_work_event(&p->work),
					"unfinished at the end of the process", 1);
			p->given_up = true;
		}
	}
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
	return true;
}

static void sleep_ns(uint64_t ns)
{
	uint64_t until_ns = clock_now_ns() + ns;
	struct timespec until = {.tv_sec = (time_t)(until_ns / PWRTRACE_NS_PER_S),
		.tv_nsec = (long)(until_ns % PWRTRACE_NS_PER_S)};

	while (sem_clockwait(&wake, CLOCK_MONOTONIC, &until) && errno == EINTR)
		;
}

/* One round; returns whether anything happened. */
static bool round_trip(const struct engine_host *host)
{
	uint32_t turn = __atomic_load_n(&flush_wanted, __ATOMIC_ACQUIRE);
	bool last = turn != flush_done, any;

	gpu_gather(last);
	any = fetch();
	gpu_write_definitions(host, false);
	begin_all();
	any |= settle_all();
	any |= gpu_harvest(host, last);
	gpu_write_lost("kernel_launch", "the launching threads were faster than the collector",
		__atomic_exchange_n(&launches_without_room, 0, __ATOMIC_RELAXED));
	gpu_write_lost("kernel_launch", "they came before the recording was open",
		__atomic_exchange_n(host->launches_missed, 0, __ATOMIC_RELAXED));
	gpu_write_lost("layer_push", "too many layers were open in each other",
		__atomic_exchange_n(&host->layer_lost->too_deep, 0, __ATOMIC_RELAXED));
	gpu_write_lost("layer_push", "the program named too many layers",
		__atomic_exchange_n(&host->layer_lost->too_many, 0, __ATOMIC_RELAXED));
	if (last) {
		count_unfinished();
		device_clock_write_last(gpu_pid);
		if (__atomic_load_n(&ending, __ATOMIC_ACQUIRE) && (any || !end_written))
			end_written = tp_process_end(&(struct pwrtrace_process_end){
				.pid = gpu_pid, .end_ns = clock_now_ns()});
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
	gpu_pid = (uint32_t)getpid();
	pthread_once(&ring_once, make_ring);
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
			fetch();
			if (settled)
				drop_all();
			__atomic_store_n(&flush_done, flush_wanted, __ATOMIC_RELEASE);
		}
		__atomic_store_n(&all_settled, nothing_pending(), __ATOMIC_RELEASE);
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
	lttng_ust_before_fork(&signals_before_fork);
}

static void after_fork_in_parent(void)
{
	lttng_ust_after_fork_parent(&signals_before_fork);
}

static void after_fork_in_child(void)
{
	lttng_ust_after_fork_child(&signals_before_fork);
	ring_reset(&ring);
	tid = 0;
	lanes = NULL;
	lane_count = 0;
	inbox = (struct lane){NULL, NULL};
	begin_ns = 0;
	forked = true;
	ending = end_written = false;
	launches_wanted = true;
}
