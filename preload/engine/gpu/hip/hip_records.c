/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/hip/hip_records.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "preload/common/clock.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/gpu/device_clock.h"
#include "preload/engine/gpu/gpu_write.h"
#include "preload/engine/gpu/hip/hip.h"
#include "preload/engine/gpu/rounds.h"

#define LAST_NS (50 * PWRTRACE_NS_PER_MS)
#define DEVICES_MAX 256

static const struct hip_profiler *profiler;
static void write_record(const struct gpu_record *record, struct gpu_launch *launch);

static struct gpu_records records = {
	.unrecorded = "the profiler has no record of it", .write = write_record};

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

/* ---- writing ---- */

/* The runtime may make copies and fills by kernels of its own (ROCclr, blitcl.cpp).  Returns the
 * kind of memory_exec of a record, NULL for a kernel of the program's. */
static const char *kind_of_memory(const struct gpu_record *record)
{
	static const struct {
		const char *beginning, *kind;
	} names[] = {{"__amd_rocclr_fill", "fill"}, {"__amd_rocclr_copy", "copy"}};
	const char *name;

	if (record->kind == GPU_WORK_MEMORY)
		return record->memory.kind;
	name = gpu_name(record->kernel.name);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(name, names[i].beginning, strlen(names[i].beginning)) == 0)
			return names[i].kind;
	return NULL;
}

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

static struct gpu_span span_of(uint32_t device, const struct gpu_record *record)
{
	if (device < DEVICES_MAX && !device_used[device]) {
		device_used[device] = true;
		read_clocks();
	}
	return device_clock_to_host(own_clock(device), record->begin_ns, record->end_ns);
}

/* Fills in the work of a graph's node; the profiler does not say which one.  kind: of memory work,
 * or NULL. */
static void fill_in_node(struct gpu_work *work, const struct gpu_record *record,
	struct gpu_launch *launch, const char *kind)
{
	static const struct gpu_call node = {&hip_api, .name = "graph node"};
	const struct gpu_kernel *kernel = kind ? NULL : &record->kernel;

	gpu_records_write_graph(launch, work->stream);
	work->call = &node;
	graph_put_place(
		work, graph_next_place(launch->work.graph.nodes, &launch->matches, kernel, kind));
	if (kernel) {
		work->kernel.id = gpu_kernel_class(kernel);
		return;
	}
	work->memory.kind = kind;
	work->memory.bytes =
		record->kind == GPU_WORK_MEMORY ? record->memory.bytes : PWRTRACE_UNKNOWN_U64;
}

/* Fills in a copy or fill that the program has called. */
static void fill_in_memory(struct gpu_work *work, const struct gpu_record *record, const char *kind)
{
	/* The call's own kind, unless only the runtime knows the direction. */
	if (kind && strcmp(work->memory.kind, "copy") == 0)
		work->memory.kind = kind;
	if (record->kind == GPU_WORK_MEMORY)
		work->memory.bytes = record->memory.bytes;
}

/* Because a copy or fill may run kernels of the runtime's own, the kind of work is that of the
 * program's call; in a graph, that of the record. */
static void write_record(const struct gpu_record *record, struct gpu_launch *launch)
{
	struct gpu_work work;
	struct gpu_span span;
	const char *kind = kind_of_memory(record);

	if (!launch) {
		lost_write(gpu_execution_event(record->kind),
			"no call of HIP's that was seen has started it", 1);
		return;
	}
	work = gpu_records_work(record, launch, NULL);
	work.kind = launch->work.kind;
	if (work.kind == GPU_WORK_GRAPH) {
		work.kind = kind ? GPU_WORK_MEMORY : GPU_WORK_KERNEL;
		fill_in_node(&work, record, launch, kind);
	} else if (work.kind == GPU_WORK_MEMORY) {
		fill_in_memory(&work, record, kind);
	}
	gpu_define(work.stream, work.kind == GPU_WORK_KERNEL ? work.kernel.id : 0);
	span = span_of(gpu_stream(work.stream)->device, record);
	gpu_write_execution(&work, &span);
}

/* ---- the collector's round ---- */

static struct hip_batch *gathered;

bool hip_records_take(const struct gpu_work *work)
{
	if (!gpu_is_device_work(work->kind) || !hip_records_started())
		return false;
	if (work->correlation)
		gpu_records_expect(&records, work);
	else
		lost_write(gpu_execution_event(work->kind), records.unrecorded, 1);
	return true;
}

void hip_records_gather(const struct round *round)
{
	if (!hip_records_started())
		return;
	if (round->records_due)
		profiler->flush();
	gathered = handed_over();
}

static bool settle_batches(uint64_t now_ns)
{
	bool any = gathered != NULL;

	while (gathered) {
		struct hip_batch *next = gathered->next;

		for (size_t i = 0; i < gathered->count; i++)
			gpu_records_settle(&records, &gathered->records[i], now_ns);
		lost_write("kernel_exec", "the profiler had no room for its record",
			gathered->dropped);
		free(gathered);
		gathered = next;
	}
	return any;
}

/* Waits for the last records, which may come a little after the work has finished. */
static void settle_last(void)
{
	uint64_t deadline_ns = clock_now_ns() + LAST_NS;

	while (gpu_records_in_flight() && clock_now_ns() < deadline_ns) {
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
		profiler->flush();
		gathered = handed_over();
		settle_batches(clock_now_ns());
	}
	gpu_records_settle_late(&records, clock_now_ns(), true);
	gpu_records_write_unfinished(&records);
}

bool hip_records_harvest(bool last)
{
	static uint64_t clocks_ns;
	uint64_t now_ns = clock_now_ns();
	bool any;

	if (!hip_records_started())
		return false;
	gpu_records_settle_late(&records, now_ns, false);
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
	gpu_records_forget(&records);
}
