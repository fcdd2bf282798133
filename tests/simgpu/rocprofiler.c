/* SPDX-License-Identifier: MIT */
/*
 * A simulated librocprofiler-sdk.so.1 on top of the simulated HIP: buffered records of kernels and
 * copies, and the kernels of code objects.  It has a clock of its own, 500 s ahead.  A record
 * exists when its work is done; a flush hands it out, on the calling thread.
 *
 *   SIMGPU_ROCPROFILER_REFUSES=1   no buffer can be had
 *   SIMGPU_ROCPROFILER_VERSION=N   10000 for 1.0.0; before that callbacks' records are shorter
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/engine/gpu/hip/rocprofiler_abi.h"
#include "tests/simgpu/hip_parts.h"

#define AHEAD_NS (500 * NS_PER_S)
#define RECORDS_MAX (1 << 16)

#pragma GCC visibility push(default)
#define FUNCTION(name, params) rocprofiler_status_t name params;
#include "preload/engine/gpu/hip/rocprofiler.def"
void simgpu_rocprofiler_start(rocprofiler_tool_configure_result_t *(*configure)(
	uint32_t, const char *, uint32_t, rocprofiler_client_id_t *));
#pragma GCC visibility pop

enum { ERROR = 1, LOCKED = 10 };

static rocprofiler_external_request *request;
static rocprofiler_callback *on_code_object;
static rocprofiler_buffer_callback *on_buffer;
static bool locked, running;
static bool kinds[32];

/* ---- records ---- */

union record {
	struct rocprofiler_record record;
	struct rocprofiler_dispatch dispatch;
	struct rocprofiler_copy copy;
	char room[256];
};

static union record records[RECORDS_MAX];
static size_t record_count;
static uint64_t dropped;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int used_in; /* process id */

static uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint32_t version(void)
{
	const char *text = getenv("SIMGPU_ROCPROFILER_VERSION");

	return text ? (uint32_t)atoi(text) : 10000;
}

/* The kernels of a code object are reported when it is loaded; here, when one is first used. */
static uint64_t kernel_id(const struct sim_record *of)
{
	enum { KERNELS_MAX = 256 };
	static const char *known[KERNELS_MAX];
	bool old = version() < 10000;
	struct rocprofiler_symbol symbol = {.size = sizeof(symbol), .arch_vgpr_count = REGISTERS};
	struct rocprofiler_callback_tail tail = {ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT,
		ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER,
		ROCPROFILER_CALLBACK_PHASE_LOAD, &symbol};
	rocprofiler_callback_record record = {0};
	char name[256];
	int id = 0;

	while (id < KERNELS_MAX && known[id] && strcmp(known[id], of->name) != 0)
		id++;
	if (id == KERNELS_MAX)
		abort();
	if (known[id])
		return (uint64_t)id;
	known[id] = strdup(of->name);
	snprintf(name, sizeof(name), "%s.kd", of->name);
	symbol.kernel_id = (uint64_t)id;
	symbol.kernel_name = name;
	if (old)
		record.until_1 = tail;
	else
		record.since_1.tail = tail;
	on_code_object(record, &(rocprofiler_user_data_t){0}, NULL);
	return (uint64_t)id;
}

static void fill_in(union record *record, const struct sim_record *of)
{
	static __thread uint64_t thread_id;
	bool is_kernel = of->kind == SIM_KERNEL;

	if (!thread_id)
		thread_id = (uint64_t)gettid();

	*record = (union record){
		.record = {.kind = is_kernel ? ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH
					     : ROCPROFILER_BUFFER_TRACING_MEMORY_COPY,
			.internal = of->correlation,
			.thread_id = thread_id,
			.start_timestamp = of->begin_ns + AHEAD_NS,
			.end_timestamp = of->end_ns + AHEAD_NS}};
	if (request(record->record.thread_id, (rocprofiler_context_id_t){1}, record->record.kind, 0,
		    of->correlation, &record->record.external, NULL))
		record->record.external.value = 0;
	if (!is_kernel) {
		record->record.size = sizeof(record->copy);
		record->record.operation =
			strcmp(of->name, "write") == 0  ? ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE
			: strcmp(of->name, "read") == 0 ? ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST
							: 4;
		record->copy.bytes = of->bytes;
		return;
	}
	record->record.size = sizeof(record->dispatch);
	record->dispatch.kernel_id = kernel_id(of);
	record->dispatch.group_segment_size = of->shared_bytes + STATIC_SHARED_BYTES;
	record->dispatch.workgroup_size = (rocprofiler_dim3_t){
		(uint32_t)of->block[0], (uint32_t)of->block[1], (uint32_t)of->block[2]};
	record->dispatch.grid_size = (rocprofiler_dim3_t){(uint32_t)(of->grid[0] * of->block[0]),
		(uint32_t)(of->grid[1] * of->block[1]), (uint32_t)(of->grid[2] * of->block[2])};
}

/* A fill is a kernel of the runtime's own. */
static void on_record(const struct sim_record *of)
{
	struct sim_record seen = *of;

	if (!running || of->kind == SIM_GRAPH)
		return;
	if (of->kind == SIM_MEMORY && strcmp(of->name, "fill") == 0) {
		seen.kind = SIM_KERNEL;
		seen.name = "__amd_rocclr_fillBufferAligned";
		seen.grid[0] = seen.grid[1] = seen.grid[2] = 1;
		seen.block[0] = 256;
		seen.block[1] = seen.block[2] = 1;
	}
	if (!kinds[seen.kind == SIM_KERNEL ? ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH
					   : ROCPROFILER_BUFFER_TRACING_MEMORY_COPY])
		return;
	pthread_mutex_lock(&lock);
	if (record_count < RECORDS_MAX)
		fill_in(&records[record_count++], &seen);
	else
		dropped++;
	pthread_mutex_unlock(&lock);
}

static void on_call(struct sim_call *call)
{
	(void)call;
}

static void on_resource(uint32_t cbid, CUcontext context, const void *descriptor)
{
	(void)cbid, (void)context, (void)descriptor;
}

static bool whole_graphs(void)
{
	return false;
}

/* ---- entry points ---- */

rocprofiler_status_t rocprofiler_create_context(rocprofiler_context_id_t *context)
{
	context->handle = 1;
	return locked ? LOCKED : ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_create_buffer(rocprofiler_context_id_t context, size_t bytes,
	size_t watermark, int policy, rocprofiler_buffer_callback *callback, void *data,
	rocprofiler_buffer_id_t *buffer)
{
	(void)context, (void)data;
	if (getenv("SIMGPU_ROCPROFILER_REFUSES") || watermark > bytes ||
		policy != ROCPROFILER_BUFFER_POLICY_DISCARD)
		return ERROR;
	on_buffer = callback;
	buffer->handle = 1;
	return locked ? LOCKED : ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_configure_buffer_tracing_service(rocprofiler_context_id_t context,
	int kind, const int32_t *operations, size_t count, rocprofiler_buffer_id_t buffer)
{
	(void)operations, (void)count;
	kinds[kind] = true;
	return locked ? LOCKED : context.handle != 1 || buffer.handle != 1;
}

rocprofiler_status_t rocprofiler_configure_callback_tracing_service(
	rocprofiler_context_id_t context, int kind, const int32_t *operations, size_t count,
	rocprofiler_callback *callback, void *data)
{
	(void)context, (void)operations, (void)count, (void)data;
	on_code_object = callback;
	return locked ? LOCKED : kind != ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT;
}

rocprofiler_status_t rocprofiler_configure_external_correlation_id_request_service(
	rocprofiler_context_id_t context, const int *of, size_t count,
	rocprofiler_external_request *callback, void *data)
{
	(void)context, (void)of, (void)data;
	request = callback;
	return locked ? LOCKED : count != 2;
}

rocprofiler_status_t rocprofiler_start_context(rocprofiler_context_id_t context)
{
	running = context.handle == 1 && on_buffer && on_code_object && request;
	return !running;
}

/* In the child of a process that has used the profiler, this hangs for ever. */
rocprofiler_status_t rocprofiler_flush_buffer(rocprofiler_buffer_id_t buffer)
{
	static union record done[RECORDS_MAX];
	static rocprofiler_record_header_t headers[RECORDS_MAX], *pointers[RECORDS_MAX];
	uint64_t now_ns = monotonic_ns() + AHEAD_NS, lost;
	size_t count = 0, kept = 0;

	if (getpid() != used_in) {
		fputs("simgpu: rocprofiler was flushed in a forked child\n", stderr);
		abort();
	}
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < record_count; i++) {
		if (records[i].record.end_timestamp > now_ns) {
			records[kept++] = records[i];
			continue;
		}
		done[count] = records[i];
		headers[count] = (rocprofiler_record_header_t){ROCPROFILER_BUFFER_CATEGORY_TRACING,
			(uint32_t)records[i].record.kind, &done[count]};
		pointers[count] = &headers[count];
		count++;
	}
	record_count = kept;
	lost = dropped;
	dropped = 0;
	pthread_mutex_unlock(&lock);
	if (count || lost)
		on_buffer((rocprofiler_context_id_t){1}, buffer, pointers, count, NULL, lost);
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_get_timestamp(uint64_t *timestamp)
{
	*timestamp = monotonic_ns() + AHEAD_NS;
	return ROCPROFILER_STATUS_SUCCESS;
}

/* When the runtime is initialized, the tool configures its services; later it cannot change them.
 */
void simgpu_rocprofiler_start(rocprofiler_tool_configure_result_t *(*configure)(
	uint32_t, const char *, uint32_t, rocprofiler_client_id_t *))
{
	static const struct sim_observer observer = {
		on_call, on_call, on_resource, on_record, whole_graphs};
	static rocprofiler_client_id_t client = {"", 1};
	rocprofiler_tool_configure_result_t *tool = configure(version(), "simulated", 0, &client);
	void *runtime = dlopen("libamdhip64.so.6", RTLD_LAZY | RTLD_NOLOAD);
	__typeof__(simgpu_observe) *observe = runtime ? dlsym(runtime, "simgpu_observe") : NULL;

	used_in = getpid();
	if (!tool || !observe || tool->size < sizeof(*tool) || !client.name[0])
		return;
	if (tool->initialize(NULL, tool->tool_data))
		running = false;
	locked = true;
	observe(&observer);
}
