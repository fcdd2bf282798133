/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/hip/hip_records.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "preload/common/clock.h"
#include "preload/engine/core/handles.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/gpu/device_clock.h"
#include "preload/engine/gpu/gpu_calls.h"
#include "preload/engine/gpu/gpu_write.h"
#include "preload/engine/gpu/hip/hip.h"

#define FLUSH_PERIOD_NS (100 * PWRTRACE_NS_PER_MS)
#define LATE_NS (100 * PWRTRACE_NS_PER_MS)
#define LAST_NS (50 * PWRTRACE_NS_PER_MS)
#define DEVICES_MAX 256

static const struct hip_profiler *profiler;
static struct gpu_calls calls = {.unrecorded = "the profiler has no record of it"};

void hip_records_start(const struct hip_profiler *by)
{
	__atomic_store_n(&profiler, by, __ATOMIC_RELEASE);
}

bool hip_records_started(void)
{
	return __atomic_load_n(&profiler, __ATOMIC_ACQUIRE) != NULL;
}

/* ---- batches: from the profiler's threads to the collector's ---- */

static struct hip_batch *newest;

struct hip_batch *hip_batch_new(size_t count)
{
	struct hip_batch *batch = malloc(sizeof(*batch) + count * sizeof(*batch->records));

	if (batch)
		*batch = (struct hip_batch){0};
	return batch;
}

void hip_records_hand_over(struct hip_batch *batch)
{
	batch->next = __atomic_load_n(&newest, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		&newest, &batch->next, batch, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static struct hip_batch *handed_over(void)
{
	struct hip_batch *batch = __atomic_exchange_n(&newest, NULL, __ATOMIC_ACQUIRE);
	struct hip_batch *oldest = NULL;

	while (batch) {
		struct hip_batch *next = batch->next;

		batch->next = oldest;
		oldest = batch;
		batch = next;
	}
	return oldest;
}

/* ---- kernels of records ---- */

static struct handles name_of; /* by kernel id */

void hip_records_name(uint64_t kernel_id, const char *name)
{
	handles_set(&name_of, (void *)(kernel_id + 1), gpu_add_name(name));
}

static uint32_t name_of_record(const struct hip_record *record)
{
	return handles_get(&name_of, (void *)(record->kernel_id + 1));
}

/* Copies and fills may be kernels of the runtime's own (ROCclr, blitcl.cpp).  Returns the kind of
 * memory_exec that this one is, NULL for a kernel of the program's. */
static const char *runtime_does(const struct hip_record *record)
{
	static const struct {
		const char *beginning, *kind;
	} names[] = {{"__amd_rocclr_fill", "fill"}, {"__amd_rocclr_copy", "copy"}};
	const char *name = gpu_name(name_of_record(record));

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(name, names[i].beginning, strlen(names[i].beginning)) == 0)
			return names[i].kind;
	return NULL;
}

static uint32_t class_of(const struct hip_record *record)
{
	struct gpu_kernel class;

	/* Compared byte by byte, so that padding must be zero. */
	memset(&class, 0, sizeof(class));
	memcpy(class.global, record->global, sizeof(class.global));
	memcpy(class.local, record->local, sizeof(class.local));
	class.shared_bytes = record->shared_bytes;
	class.registers = PWRTRACE_UNKNOWN_U32;
	class.api = &hip_api;
	class.name = name_of_record(record);
	return gpu_kernel_class(&class);
}

/* ---- writing ---- */

static bool device_used[DEVICES_MAX];

static struct device_clock_id own_clock(uint32_t device)
{
	return (struct device_clock_id){device, 0};
}

static void read_clocks(void)
{
	struct device_clock_reading at;

	for (uint32_t device = 0; device < DEVICES_MAX; device++)
		if (device_used[device] && device_clock_read(profiler->now_ns, &at))
			device_clock_note(own_clock(device), at.c0_ns, at.c1_ns, at.raw_ns);
}

static struct gpu_times times_of(
	uint32_t device, const struct hip_record *record, struct gpu_times *raw)
{
	*raw = (struct gpu_times){
		PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64, record->begin_ns, record->end_ns};
	if (device < DEVICES_MAX && !device_used[device]) {
		device_used[device] = true;
		read_clocks();
	}
	return device_clock_to_host(own_clock(device), raw);
}

/* The profiler does not say of a graph's node which one it is.  kind: of memory work. */
static void put_place(struct gpu_work *work, uint32_t correlation, const char *kind)
{
	struct gpu_recorded *call = gpu_calls_find(&calls, correlation);
	const struct gpu_kernel *kernel = work->kernel ? gpu_kernel(work->kernel) : NULL;

	graph_put_place(
		work, graph_next_place((uint32_t)call->work.bytes, &call->told, kernel, kind));
}

/* A call for a copy or fill may run kernels of the runtime's own: what counts is what the program
 * has called.  A graph has both. */
static void write_record(const struct hip_record *record, enum gpu_work_kind called)
{
	static const struct gpu_call node = {&hip_api, "graph node", NULL};
	struct gpu_work work;
	struct gpu_times host, raw;
	const char *kind = record->memory ? record->memory : runtime_does(record);
	bool is_kernel = called == GPU_WORK_KERNEL || (called == GPU_WORK_GRAPH && !kind);

	work = gpu_calls_work(
		&calls, &node, is_kernel ? GPU_WORK_KERNEL : GPU_WORK_MEMORY, record->correlation);
	if (called == GPU_WORK_GRAPH) {
		gpu_calls_write_graph(&calls, record->correlation, work.stream);
		work.call = &node;
		work.kernel = is_kernel ? class_of(record) : 0;
		put_place(&work, record->correlation, kind);
		work.bytes = record->memory ? record->bytes : PWRTRACE_UNKNOWN_U64;
	} else if (called == GPU_WORK_MEMORY) {
		/* The call's own kind, but where only the runtime knows which way it goes. */
		if (!kind || strcmp(work.call->kind, "copy") != 0)
			kind = work.call->kind;
		if (record->memory)
			work.bytes = record->bytes;
	}
	gpu_define(work.stream, is_kernel ? work.kernel : 0);
	host = times_of(gpu_stream(work.stream)->device, record, &raw);
	if (is_kernel) {
		gpu_write_launch(&work);
		gpu_write_kernel(&work, &host, &raw);
	} else {
		gpu_write_memory(&work, kind, &host, &raw);
	}
}

/* A launching thread tells of its call after it, and may be interrupted just before: such records
 * wait for their call for a while. */
static struct late {
	uint64_t since_ns;
	struct hip_record record;
} * late;
static size_t late_count, late_room;

static bool set_aside(const struct hip_record *record, uint64_t since_ns)
{
	if (late_count == late_room) {
		size_t room = late_room * 2 + 1024;
		struct late *more = realloc(late, room * sizeof(*late));

		if (!more)
			return false;
		late = more;
		late_room = room;
	}
	late[late_count++] = (struct late){since_ns, *record};
	return true;
}

/* since_ns: when it was first seen; 0: it waits no more. */
static void settle(const struct hip_record *record, uint64_t since_ns)
{
	struct gpu_recorded *call = gpu_calls_find(&calls, record->correlation);

	if (call)
		write_record(record, call->work.kind);
	else if (!record->correlation || !since_ns || !set_aside(record, since_ns))
		lost_write(record->memory ? "memory_exec" : "kernel_exec",
			"no call of HIP's that was seen has started it", 1);
}

static void settle_late(uint64_t now_ns, bool last)
{
	size_t count = late_count;

	late_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct late entry = late[i];
		bool waits = !last && now_ns - entry.since_ns < LATE_NS;

		settle(&entry.record, waits ? entry.since_ns : 0);
	}
}

/* ---- the collector's round ---- */

static struct hip_batch *gathered;

bool hip_records_take(const struct gpu_work *work)
{
	if (work->kind > GPU_WORK_GRAPH || !hip_records_started())
		return false;
	if (work->correlation)
		gpu_calls_remember(&calls, work);
	else
		lost_write(gpu_work_event(work), calls.unrecorded, 1);
	return true;
}

void hip_records_gather(bool last)
{
	static uint64_t flushed_ns;
	uint64_t now_ns = clock_now_ns();

	if (!hip_records_started())
		return;
	if (last || now_ns - flushed_ns > FLUSH_PERIOD_NS) {
		profiler->flush();
		flushed_ns = now_ns;
	}
	gathered = handed_over();
}

static bool settle_batches(uint64_t now_ns)
{
	bool any = gathered != NULL;

	while (gathered) {
		struct hip_batch *next = gathered->next;

		for (size_t i = 0; i < gathered->count; i++)
			settle(&gathered->records[i], now_ns);
		lost_write("kernel_exec", "the profiler had no room for its record",
			gathered->dropped);
		free(gathered);
		gathered = next;
	}
	return any;
}

/* The device may be done a little before its records are. */
static void settle_last(void)
{
	uint64_t deadline_ns = clock_now_ns() + LAST_NS;

	while (calls.pending && clock_now_ns() < deadline_ns) {
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
		profiler->flush();
		gathered = handed_over();
		settle_batches(clock_now_ns());
	}
	settle_late(clock_now_ns(), true);
	gpu_calls_count_unfinished(&calls);
}

bool hip_records_harvest(bool last)
{
	static uint64_t clocks_ns;
	uint64_t now_ns = clock_now_ns();
	bool any;

	if (!hip_records_started())
		return false;
	settle_late(now_ns, false);
	any = settle_batches(now_ns);
	if (any && (last || now_ns - clocks_ns > PWRTRACE_NS_PER_S)) {
		read_clocks();
		clocks_ns = now_ns;
	}
	if (last)
		settle_last();
	return any;
}

void hip_records_forget(void)
{
	handed_over();
	profiler = NULL;
	gathered = NULL;
	calls.calls = NULL;
	calls.pending = 0;
	late_count = 0;
}
