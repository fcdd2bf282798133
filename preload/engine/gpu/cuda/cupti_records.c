/* SPDX-License-Identifier: MIT */
/* CUPTI's activity records, joined with the calls that the callbacks reported; on the collector's
 * thread. */
#include <pthread.h>

#include "preload/common/clock.h"
#include "preload/engine/core/handles.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/cuda/cuda.h"
#include "preload/engine/gpu/cuda/cupti.h"
#include "preload/engine/gpu/definitions.h"
#include "preload/engine/gpu/device_clock.h"
#include "preload/engine/gpu/gpu_write.h"
#include "preload/engine/gpu/records.h"
#include "preload/engine/gpu/rounds.h"

#define DEVICES_MAX 64

static void write_record(const struct gpu_record *record, struct gpu_launch *launch);

static struct gpu_records records = {
	.unrecorded = "CUPTI has no record of it", .write = write_record};

bool cupti_records_take(const struct gpu_work *work)
{
	if (work->kind == GPU_WORK_NODE)
		cupti_nodes_take(work);
	else
		gpu_records_expect(&records, work);
	return true;
}

/* ---- streams ---- */

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

/* ---- clocks ---- */

/* How much earlier than its launch work seemed to begin, at most: the least error of the clocks. */
static uint64_t causality_error_ns;

/* Returns whether any clock was read. */
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
			tp_clock_sync(&(struct pwrtrace_clock_sync){.process = process_number,
				.device = cuda_device((CUdevice)device),
				.host_ns = at.c0_ns + (at.c1_ns - at.c0_ns) / 2,
				.raw_ns = at.raw_ns,
				.error_ns = (at.c1_ns - at.c0_ns + 1) / 2 + causality_error_ns});
	}
	return any;
}

static struct gpu_span span_of(const struct gpu_work *work, const struct gpu_record *record)
{
	struct device_clock_id clock = {gpu_stream(work->stream)->device, 0};
	struct gpu_span span = {record->begin_ns, record->end_ns, 0};

	if (!cupti_clock_is_ours()) {
		span = device_clock_to_host(clock, record->begin_ns, record->end_ns);
		if (span.anchor == PWRTRACE_UNKNOWN_U32 && write_clocks())
			span = device_clock_to_host(clock, record->begin_ns, record->end_ns);
	}
	if (work->enqueue_ns != PWRTRACE_UNKNOWN_U64 && span.begin_ns < work->enqueue_ns &&
		work->enqueue_ns - span.begin_ns > causality_error_ns)
		causality_error_ns = work->enqueue_ns - span.begin_ns;
	return span;
}

/* ---- writing ---- */

/* Returns the kernel's class, with the name that the call knows if the record's may be wrong. */
static uint32_t kernel_of(const struct gpu_record *record, const struct gpu_launch *launch)
{
	struct gpu_kernel kernel = record->kernel;

	if (launch && launch->work.kind == GPU_WORK_KERNEL && launch->work.kernel.name)
		kernel.name = launch->work.kernel.name;
	return gpu_kernel_class(&kernel);
}

static void write_record(const struct gpu_record *record, struct gpu_launch *launch)
{
	static const struct gpu_call unseen = {&cupti_api, .name = ""};
	static const struct gpu_call node = {&cupti_api, .name = "graph node"};
	struct gpu_work work = gpu_records_work(record, launch, &unseen);
	struct gpu_span span;

	if (record->kind == GPU_WORK_KERNEL) {
		work.kernel.id = kernel_of(record, launch);
	} else if (record->kind == GPU_WORK_MEMORY) {
		work.memory.kind = record->memory.kind;
		work.memory.bytes = record->memory.bytes;
	}
	gpu_define(work.stream, record->kind == GPU_WORK_KERNEL ? work.kernel.id : 0);
	if (record->node) {
		work.call = &node;
		gpu_records_write_graph(launch, work.stream);
		graph_put_place(&work, cupti_nodes_place(record->node, record->correlation));
	}
	span = span_of(&work, record);
	gpu_write_execution(&work, &span);
}

/* ---- one function per kind of record ---- */

/* The members that all of CUPTI's structs have. */
#define RECORD(of, kind_, node_, ...)                                                              \
	(struct gpu_record)                                                                        \
	{                                                                                          \
		.kind = kind_, .correlation = (of)->correlationId,                                 \
		.stream = cupti_stream((of)->deviceId, (of)->contextId, (of)->streamId),           \
		.node = node_, .begin_ns = (of)->start, .end_ns = (of)->end, __VA_ARGS__           \
	}

static struct gpu_record read_kernel(const void *data)
{
	const struct cupti_kernel *from = data;

	return RECORD(from, GPU_WORK_KERNEL, from->graphNodeId,
		.kernel = cuda_kernel((unsigned[]){(unsigned)from->gridX, (unsigned)from->gridY,
					      (unsigned)from->gridZ},
			(unsigned[]){(unsigned)from->blockX, (unsigned)from->blockY,
				(unsigned)from->blockZ},
			(unsigned)from->staticSharedMemory + (unsigned)from->dynamicSharedMemory,
			from->registersPerThread, from->name ? from->name : ""));
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

static struct gpu_record read_copy(const void *data)
{
	const struct cupti_memcpy *from = data;

	return RECORD(from, GPU_WORK_MEMORY, from->graphNodeId,
		.memory = {copy_kind(from->copyKind), from->bytes});
}

static struct gpu_record read_peer_copy(const void *data)
{
	const struct cupti_memcpy2 *from = data;

	return RECORD(from, GPU_WORK_MEMORY, from->graphNodeId, .memory = {"copy", from->bytes});
}

static struct gpu_record read_fill(const void *data)
{
	const struct cupti_memset *from = data;

	return RECORD(from, GPU_WORK_MEMORY, from->graphNodeId, .memory = {"fill", from->bytes});
}

static struct gpu_record read_graph(const void *data)
{
	const struct cupti_graph_trace *from = data;

	return RECORD(from, GPU_WORK_GRAPH, 0, );
}

/* since_ns: as gpu_records_settle. */
static void settle(const CUpti_Activity *from, uint64_t since_ns)
{
	static struct gpu_record (*const readers[])(const void *from) = {
		[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL] = read_kernel,
		[CUPTI_ACTIVITY_KIND_MEMCPY] = read_copy,
		[CUPTI_ACTIVITY_KIND_MEMCPY2] = read_peer_copy,
		[CUPTI_ACTIVITY_KIND_MEMSET] = read_fill,
		[CUPTI_ACTIVITY_KIND_GRAPH_TRACE] = read_graph,
	};
	struct gpu_record record;

	if (from->kind >= sizeof(readers) / sizeof(*readers) || !readers[from->kind])
		return;
	record = readers[from->kind](from);
	/* Without an end, the work was unfinished at a forced flush. */
	if (record.end_ns)
		gpu_records_settle(&records, &record, since_ns);
}

/* ---- the collector's round ---- */

static struct cupti_buffer *gathered;

void cupti_records_gather(const struct round *round)
{
	if (cuda_timing == CUDA_BY_CUPTI && round->records_due)
		cupti_flush(round->last);
	gathered = cupti_filled();
}

bool cupti_records_harvest(bool last)
{
	static uint64_t clocks_ns;
	uint64_t now_ns = clock_now_ns();
	bool any;

	any = gpu_records_settle_late(&records, now_ns, last);
	while (gathered) {
		struct cupti_buffer *next = gathered->next;

		for (const CUpti_Activity *record = NULL; (record = cupti_next(gathered, record));)
			settle(record, last ? 0 : now_ns);
		cupti_recycle(gathered);
		gathered = next;
		any = true;
	}
	/* While no clock was read, this is tried again: no device is known if the first records
	 * wait for their calls.  If work is timed by events, they read the device's clock. */
	if (cuda_timing == CUDA_BY_CUPTI && (any || !clocks_ns) &&
		(last || now_ns - clocks_ns > PWRTRACE_NS_PER_S) && write_clocks())
		clocks_ns = now_ns;
	lost_write("kernel_exec", "CUPTI had no room for its record", cupti_dropped());
	if (last)
		gpu_records_write_unfinished(&records);
	return any;
}

void cupti_records_forget(void)
{
	cupti_filled();
	gathered = NULL;
	gpu_records_forget(&records);
}
