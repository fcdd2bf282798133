/* SPDX-License-Identifier: MIT */
/* What CUPTI's activity records say, joined with the calls that the callbacks told of; all on the
 * collector's thread. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/clock.h"
#include "preload/engine/core/handles.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/cuda/cuda.h"
#include "preload/engine/gpu/cuda/cupti.h"
#include "preload/engine/gpu/definitions.h"
#include "preload/engine/gpu/device_clock.h"
#include "preload/engine/gpu/gpu_calls.h"
#include "preload/engine/gpu/gpu_write.h"

#define FLUSH_PERIOD_NS (100 * PWRTRACE_NS_PER_MS)
#define DEVICES_MAX 64

static struct gpu_calls calls = {.unrecorded = "CUPTI has no record of it"};

bool cupti_records_take(const struct gpu_work *work)
{
	if (work->kind == GPU_WORK_NODE)
		cupti_nodes_take(work);
	else
		gpu_calls_remember(&calls, work);
	return true;
}

/* ---- what records share ---- */

static struct handles streams;
static bool device_used[DEVICES_MAX];

static void *key(uint32_t context, uint32_t id)
{
	return (void *)((uint64_t)(context + 1) << 32 | id);
}

uint32_t cupti_stream(uint32_t device, uint32_t context, uint32_t stream)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	uint32_t id = handles_get(&streams, key(context, stream));

	if (id)
		return id;
	pthread_mutex_lock(&lock);
	id = handles_get(&streams, key(context, stream));
	if (!id) {
		id = gpu_add_stream(&(struct gpu_stream){
			.context = context, .device = cuda_device((CUdevice)device)});
		handles_set(&streams, key(context, stream), id);
		if (device < DEVICES_MAX)
			device_used[device] = true;
	}
	pthread_mutex_unlock(&lock);
	return id;
}

static void place_node(struct gpu_work *work, uint64_t node, uint32_t correlation)
{
	if (!node)
		return;
	gpu_calls_write_graph(&calls, correlation, work->stream);
	graph_put_place(work, cupti_nodes_place(node, correlation));
}

/* ---- clocks ---- */

/* How much earlier than its launch something seemed to begin: no clock error can be less. */
static uint64_t causality_error_ns;

/* Returns whether any device was there to be read. */
static bool write_clocks(void)
{
	bool any = false;

	for (uint32_t device = 0; device < DEVICES_MAX; device++) {
		struct device_clock_reading at;

		if (!device_used[device] || !device_clock_read(cupti_now_ns, &at))
			continue;
		any = true;
		if (!cupti_clock_is_ours())
			device_clock_note(
				(struct device_clock_id){cuda_device((CUdevice)device), 0},
				at.c0_ns, at.c1_ns, at.raw_ns);
		else
			tp_clock_sync(&(struct pwrtrace_clock_sync){.pid = process_pid,
				.device = cuda_device((CUdevice)device),
				.host_ns = at.c0_ns + (at.c1_ns - at.c0_ns) / 2,
				.raw_ns = at.raw_ns,
				.error_ns = (at.c1_ns - at.c0_ns + 1) / 2 + causality_error_ns});
	}
	return any;
}

static struct gpu_times times_of(
	const struct gpu_work *work, uint64_t begin_ns, uint64_t end_ns, struct gpu_times *raw)
{
	struct device_clock_id clock = {gpu_stream(work->stream)->device, 0};
	struct gpu_times host;

	*raw = (struct gpu_times){PWRTRACE_UNKNOWN_U64, PWRTRACE_UNKNOWN_U64, begin_ns, end_ns};
	host = cupti_clock_is_ours() ? *raw : device_clock_to_host(clock, raw);
	if (host.begin_ns == PWRTRACE_UNKNOWN_U64) {
		write_clocks();
		host = device_clock_to_host(clock, raw);
	}
	if (work->enqueue_ns != PWRTRACE_UNKNOWN_U64 && host.begin_ns < work->enqueue_ns &&
		work->enqueue_ns - host.begin_ns > causality_error_ns)
		causality_error_ns = work->enqueue_ns - host.begin_ns;
	return host;
}

/* ---- one function per kind of record ---- */

static const struct gpu_call unseen = {&cupti_api, "", NULL};

static uint32_t class_of(const struct cupti_kernel *record, const char *name)
{
	const unsigned grid[] = {
		(unsigned)record->gridX, (unsigned)record->gridY, (unsigned)record->gridZ};
	const unsigned block[] = {
		(unsigned)record->blockX, (unsigned)record->blockY, (unsigned)record->blockZ};

	return cuda_kernel_class(grid, block,
		(unsigned)record->staticSharedMemory + (unsigned)record->dynamicSharedMemory,
		record->registersPerThread, name);
}

static void write_kernel(const void *data)
{
	const struct cupti_kernel *record = data;
	struct gpu_work work =
		gpu_calls_work(&calls, &unseen, GPU_WORK_KERNEL, record->correlationId);
	const char *name = record->name ? record->name : "";
	struct gpu_times host, raw;

	work.stream = cupti_stream(record->deviceId, record->contextId, record->streamId);
	if (work.kernel && !record->graphNodeId)
		name = gpu_name(work.kernel);
	work.kernel = class_of(record, name);
	gpu_define(work.stream, work.kernel);
	place_node(&work, record->graphNodeId, record->correlationId);
	host = times_of(&work, record->start, record->end, &raw);
	gpu_write_launch(&work);
	gpu_write_kernel(&work, &host, &raw);
}

struct memory {
	uint64_t bytes, begin_ns, end_ns, node;
	uint32_t device, context, stream, correlation;
	const char *kind;
};

static void write_memory(const struct memory *memory)
{
	static const struct gpu_call node = {&cupti_api, "graph node", NULL};
	struct gpu_work work =
		gpu_calls_work(&calls, &unseen, GPU_WORK_MEMORY, memory->correlation);
	struct gpu_times host, raw;

	work.stream = cupti_stream(memory->device, memory->context, memory->stream);
	work.bytes = memory->bytes;
	gpu_define(work.stream, 0);
	if (memory->node)
		work.call = &node;
	place_node(&work, memory->node, memory->correlation);
	host = times_of(&work, memory->begin_ns, memory->end_ns, &raw);
	gpu_write_memory(&work, memory->kind, &host, &raw);
}

static const char *copy_kind(uint8_t kind)
{
	switch (kind) {
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
		return "write";
	case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
	case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
		return "read";
	default:
		return "copy";
	}
}

#define MEMORY_OF(record, kind_)                                                                   \
	&(struct memory)                                                                           \
	{                                                                                          \
		(record)->bytes, (record)->start, (record)->end, (record)->graphNodeId,            \
			(record)->deviceId, (record)->contextId, (record)->streamId,               \
			(record)->correlationId, kind_                                             \
	}

static void write_copy(const void *data)
{
	const struct cupti_memcpy *record = data;

	write_memory(MEMORY_OF(record, copy_kind(record->copyKind)));
}

static void write_peer_copy(const void *data)
{
	const struct cupti_memcpy2 *record = data;

	write_memory(MEMORY_OF(record, "copy"));
}

static void write_fill(const void *data)
{
	const struct cupti_memset *record = data;

	write_memory(MEMORY_OF(record, "fill"));
}

static void write_graph(const void *data)
{
	const struct cupti_graph_trace *record = data;
	struct gpu_work work =
		gpu_calls_work(&calls, &unseen, GPU_WORK_GRAPH, record->correlationId);
	struct gpu_times host, raw;

	work.stream = cupti_stream(record->deviceId, record->contextId, record->streamId);
	gpu_define(work.stream, 0);
	host = times_of(&work, record->start, record->end, &raw);
	gpu_write_graph(&work, work.kernel, &host, &raw);
}

/* ---- all kinds ---- */

static const struct kind {
	void (*write)(const void *record);
	size_t bytes;
	size_t correlation; /* offsets of the fields */
	size_t end;
} kinds[] = {
#define KIND(kind, type, write, end)                                                               \
	[kind] = {write, sizeof(type), offsetof(type, correlationId), end}
	KIND(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, struct cupti_kernel, write_kernel,
		offsetof(struct cupti_kernel, end)),
	KIND(CUPTI_ACTIVITY_KIND_MEMCPY, struct cupti_memcpy, write_copy,
		offsetof(struct cupti_memcpy, end)),
	KIND(CUPTI_ACTIVITY_KIND_MEMCPY2, struct cupti_memcpy2, write_peer_copy,
		offsetof(struct cupti_memcpy2, end)),
	KIND(CUPTI_ACTIVITY_KIND_MEMSET, struct cupti_memset, write_fill,
		offsetof(struct cupti_memset, end)),
	KIND(CUPTI_ACTIVITY_KIND_GRAPH_TRACE, struct cupti_graph_trace, write_graph,
		offsetof(struct cupti_graph_trace, end)),
#undef KIND
};

/* A launching thread tells of its call after it, and may be interrupted just before: such records
 * wait for their call for a while. */
#define LATE_MAX (1 << 15)
#define LATE_NS (100 * PWRTRACE_NS_PER_MS)
#define RECORD_BYTES_MAX sizeof(struct cupti_kernel)

static struct late {
	uint64_t since_ns;
	_Alignas(8) char record[RECORD_BYTES_MAX];
} * late;
static uint32_t late_count;

static bool set_aside(const void *record, size_t bytes, uint64_t since_ns)
{
	if (!late)
		late = malloc(LATE_MAX * sizeof(*late));
	if (!late || late_count == LATE_MAX)
		return false;
	late[late_count].since_ns = since_ns;
	memmove(late[late_count++].record, record, bytes);
	return true;
}

/* since_ns: when the record was first seen; 0: it waits no more. */
static void write_record(const void *record, uint64_t since_ns)
{
	uint32_t number = ((const CUpti_Activity *)record)->kind;
	const struct kind *kind = number < sizeof(kinds) / sizeof(*kinds) ? &kinds[number] : NULL;
	uint32_t correlation;

	if (!kind || !kind->write)
		return;
	/* Work that a forced flush found unfinished has no end. */
	if (!*(const uint64_t *)((const char *)record + kind->end))
		return;
	correlation = *(const uint32_t *)((const char *)record + kind->correlation);
	if (since_ns && !gpu_calls_find(&calls, correlation) &&
		set_aside(record, kind->bytes, since_ns))
		return;
	kind->write(record);
}

static bool write_late(uint64_t now_ns, bool last)
{
	uint32_t count = late_count;

	late_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct late entry = late[i];
		bool waits = !last && now_ns - entry.since_ns < LATE_NS;

		write_record(entry.record, waits ? entry.since_ns : 0);
	}
	return late_count < count;
}

/* ---- the collector's round ---- */

static struct cupti_buffer *gathered;

void cupti_records_gather(bool last)
{
	static uint64_t flushed_ns;
	uint64_t now_ns = clock_now_ns();

	if (cuda_timing == CUDA_BY_CUPTI && (last || now_ns - flushed_ns > FLUSH_PERIOD_NS)) {
		cupti_flush(last);
		flushed_ns = now_ns;
	}
	gathered = cupti_filled();
}

bool cupti_records_harvest(bool last)
{
	static uint64_t clocks_ns;
	uint64_t now_ns = clock_now_ns();
	bool any;

	any = write_late(now_ns, last);
	while (gathered) {
		struct cupti_buffer *next = gathered->next;

		for (const CUpti_Activity *record = NULL; (record = cupti_next(gathered, record));)
			write_record(record, last ? 0 : now_ns);
		cupti_recycle(gathered);
		gathered = next;
		any = true;
	}
	/* The first records may all wait for their calls: no device is known by then.  Where events
	 * time in CUPTI's place, the device's clock is theirs. */
	if (cuda_timing == CUDA_BY_CUPTI && (any || !clocks_ns) &&
		(last || now_ns - clocks_ns > PWRTRACE_NS_PER_S) && write_clocks())
		clocks_ns = now_ns;
	lost_write("kernel_exec", "CUPTI had no room for its record", cupti_dropped());
	if (last)
		gpu_calls_count_unfinished(&calls);
	return any;
}

void cupti_records_forget(void)
{
	cupti_filled();
	gathered = NULL;
	calls.calls = NULL;
	calls.pending = 0;
	late_count = 0;
}
