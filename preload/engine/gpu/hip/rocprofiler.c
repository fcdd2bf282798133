/* SPDX-License-Identifier: MIT */
/*
 * rocprofiler-sdk: buffered records of what devices did.  When the runtime is initialized, it looks
 * for rocprofiler_configure, which the shim exports, and calls us before it can be used itself: so
 * no call of the runtime is made here.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/engine/core/handles.h"
#include "preload/engine/gpu/hip/hip.h"
#include "preload/engine/gpu/hip/hip_records.h"
#include "preload/engine/gpu/hip/rocprofiler_abi.h"

#define BUFFER_BYTES (8 << 20)
#define WATERMARK_BYTES (2 << 20)

static struct {
#define FUNCTION(name, params) rocprofiler_status_t(*name) params;
#include "preload/engine/gpu/hip/rocprofiler.def"
} rocprofiler;

static rocprofiler_context_id_t context;
static rocprofiler_buffer_id_t buffer;

static void flush(void)
{
	rocprofiler.rocprofiler_flush_buffer(buffer);
}

static uint64_t now_ns(void)
{
	uint64_t now;

	return rocprofiler.rocprofiler_get_timestamp(&now) == ROCPROFILER_STATUS_SUCCESS
		       ? now
		       : PWRTRACE_UNKNOWN_U64;
}

/* ---- reading its records ---- */

/* Called on the launching thread for each kernel and copy, to ask for the id of its call. */
static int on_request(uint64_t thread_id, rocprofiler_context_id_t of, int kind, int32_t operation,
	uint64_t internal, rocprofiler_user_data_t *external, void *data)
{
	(void)thread_id, (void)of, (void)kind, (void)operation, (void)internal, (void)data;
	external->value = hip_current_correlation();
	return 0;
}

static const char *copy_kind(int32_t operation)
{
	return operation == ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE   ? "write"
	       : operation == ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST ? "read"
								     : "copy";
}

static struct handles name_of; /* by the profiler's id of a kernel */

static const void *key(uint64_t kernel_id)
{
	return (const void *)(kernel_id + 1);
}

static void read_copy(struct gpu_record *record, const struct rocprofiler_copy *copy)
{
	record->kind = GPU_WORK_MEMORY;
	record->memory.kind = copy_kind(copy->record.operation);
	record->memory.bytes = copy->bytes;
}

static void read_kernel(struct gpu_record *record, const struct rocprofiler_dispatch *dispatch)
{
	const rocprofiler_dim3_t *global = &dispatch->grid_size, *local = &dispatch->workgroup_size;

	record->kind = GPU_WORK_KERNEL;
	record->kernel = (struct gpu_kernel){.global = {global->x, global->y, global->z},
		.local = {local->x, local->y, local->z},
		.name = handles_get(&name_of, key(dispatch->kernel_id)),
		.shared_bytes = dispatch->group_segment_size,
		.registers = PWRTRACE_UNKNOWN_U32,
		.api = &hip_api};
}

static bool read_record(struct gpu_record *record, const struct rocprofiler_record *from)
{
	bool is_copy = from->kind == ROCPROFILER_BUFFER_TRACING_MEMORY_COPY;

	if (from->size <
		(is_copy ? sizeof(struct rocprofiler_copy) : sizeof(struct rocprofiler_dispatch)))
		return false;
	*record = (struct gpu_record){.begin_ns = from->start_timestamp,
		.end_ns = from->end_timestamp,
		.correlation = (uint32_t)from->external.value};
	if (is_copy)
		read_copy(record, (const void *)from);
	else
		read_kernel(record, (const void *)from);
	return true;
}

static void on_buffer(rocprofiler_context_id_t of, rocprofiler_buffer_id_t full,
	rocprofiler_record_header_t **headers, size_t count, void *data, uint64_t dropped)
{
	struct hip_batch *batch = hip_batch_new(count);

	(void)of, (void)full, (void)data;
	if (!batch)
		return;
	batch->dropped = dropped;
	for (size_t i = 0; i < count; i++) {
		if (headers[i]->category != ROCPROFILER_BUFFER_CATEGORY_TRACING)
			continue;
		if (read_record(&batch->records[batch->count], headers[i]->payload))
			batch->count++;
		else
			batch->dropped++;
	}
	hip_records_hand_over(batch);
}

/* The value of a field; unknown if the struct of an older version ends before it. */
#define TOLD(symbol, field)                                                                        \
	((symbol)->size >= offsetof(struct rocprofiler_symbol, field) + sizeof((symbol)->field)    \
			? (symbol)->field                                                          \
			: PWRTRACE_UNKNOWN_U32)

/* The name is that of the kernel's descriptor, which ends in .kd. */
static void take_symbol(const struct rocprofiler_symbol *symbol)
{
	struct gpu_code code = GPU_CODE_UNKNOWN;
	char name[4096];
	char *end;

	snprintf(name, sizeof(name), "%s", symbol->kernel_name ? symbol->kernel_name : "");
	end = strrchr(name, '.');
	if (end && strcmp(end, ".kd") == 0)
		*end = 0;
	handles_set(&name_of, key(symbol->kernel_id), gpu_add_name(name));
	/* Every kernel needs registers: 0 means unknown. */
	if (TOLD(symbol, arch_vgpr_count))
		code.registers = TOLD(symbol, arch_vgpr_count);
	code.scalar_registers = TOLD(symbol, sgpr_count);
	code.accumulation_registers = TOLD(symbol, accum_vgpr_count);
	code.shared_bytes = TOLD(symbol, group_segment_size);
	code.scratch_bytes = TOLD(symbol, private_segment_size);
	code.kernarg_bytes = TOLD(symbol, kernarg_segment_size);
	hip_code_tell(name, &code);
}

static void on_code_object(
	rocprofiler_callback_record record, rocprofiler_user_data_t *user, void *data)
{
	const struct rocprofiler_callback_tail *tail =
		record.until_1.kind == ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT
			? &record.until_1
			: &record.since_1.tail;

	(void)user, (void)data;
	if (tail->kind == ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT &&
		tail->operation == ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER &&
		tail->phase == ROCPROFILER_CALLBACK_PHASE_LOAD)
		take_symbol(tail->payload);
}

/* ---- setting it up ---- */

static bool find_functions(void)
{
	static const char *const names[] = {
		"librocprofiler-sdk.so.1", "librocprofiler-sdk.so.0", "librocprofiler-sdk.so"};
	void *library = NULL;
	bool all = true;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !library; i++)
		library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return false;
#define FUNCTION(name, params)                                                                     \
	rocprofiler.name = (rocprofiler_status_t(*) params)dlsym(library, #name);                  \
	all &= rocprofiler.name != NULL;
#include "preload/engine/gpu/hip/rocprofiler.def"
	return all;
}

static bool configure_tracing(void)
{
	static const int kinds[] = {ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_COPY,
		ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH};

	return rocprofiler.rocprofiler_create_context(&context) == 0 &&
	       rocprofiler.rocprofiler_create_buffer(context, BUFFER_BYTES, WATERMARK_BYTES,
		       ROCPROFILER_BUFFER_POLICY_DISCARD, on_buffer, NULL, &buffer) == 0 &&
	       rocprofiler.rocprofiler_configure_buffer_tracing_service(
		       context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, NULL, 0, buffer) == 0 &&
	       rocprofiler.rocprofiler_configure_buffer_tracing_service(
		       context, ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, NULL, 0, buffer) == 0 &&
	       rocprofiler.rocprofiler_configure_callback_tracing_service(context,
		       ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, NULL, 0, on_code_object,
		       NULL) == 0 &&
	       rocprofiler.rocprofiler_configure_external_correlation_id_request_service(
		       context, kinds, 2, on_request, NULL) == 0 &&
	       rocprofiler.rocprofiler_start_context(context) == 0;
}

static int initialize(void (*finalize)(rocprofiler_client_id_t), void *data)
{
	static const struct hip_profiler profiler = {flush, now_ns};

	(void)finalize, (void)data;
	if (!configure_tracing()) {
		log_notice("rocprofiler-sdk could not be set up");
		return -1;
	}
	hip_records_start(&profiler);
	return 0;
}

void *rocprofiler_configured(void *client)
{
	static rocprofiler_tool_configure_result_t result = {
		.size = sizeof(result), .initialize = initialize};

	if (strcmp(conf.hip_timing, "profiler") != 0 || !find_functions())
		return NULL;
	((rocprofiler_client_id_t *)client)->name = "pwrtrace";
	return &result;
}
