/* SPDX-License-Identifier: MIT */
/*
 * roctracer, the profiler of ROCm until 6.2: activity records of what devices did.  They name the
 * call by an id that roctracer's callback reports on the launching thread.
 */
#include <dlfcn.h>

#include "preload/engine/gpu/hip/hip.h"
#include "preload/engine/gpu/hip/hip_records.h"
#include "preload/engine/gpu/hip/roctracer_abi.h"

#define BUFFER_BYTES (1 << 20)

static struct {
#define FUNCTION(name, params) roctracer_status_t(*name) params;
#include "preload/engine/gpu/hip/roctracer.def"
} roctracer;

static roctracer_pool_t *pool;

static void flush(void)
{
	roctracer.roctracer_flush_activity_expl(pool);
}

static uint64_t now_ns(void)
{
	uint64_t now;

	return roctracer.roctracer_get_timestamp(&now) == 0 ? now : PWRTRACE_UNKNOWN_U64;
}

/* ---- reading its records ---- */

static bool tracing;
static __thread uint32_t call_id;

/* Called on the launching thread, at the beginning and at the end of each call of the runtime. */
static void on_call(uint32_t domain, uint32_t cid, const void *data, void *arg)
{
	const struct roctracer_call *call = data;

	(void)domain, (void)cid, (void)arg;
	if (call->phase == ACTIVITY_API_PHASE_ENTER && hip_current_correlation() && !call_id)
		call_id = (uint32_t)call->correlation_id;
}

uint32_t roctracer_call_id(void)
{
	uint32_t id = call_id;

	call_id = 0;
	return tracing ? id : PWRTRACE_UNKNOWN_U32;
}

static bool read_record(struct gpu_record *record, const roctracer_record_t *from)
{
	if (from->domain != ACTIVITY_DOMAIN_HIP_OPS || from->op > HIP_OP_ID_COPY)
		return false;
	*record = (struct gpu_record){.begin_ns = from->begin_ns,
		.end_ns = from->end_ns,
		.correlation = (uint32_t)from->correlation_id};
	if (from->op == HIP_OP_ID_COPY) {
		record->kind = GPU_WORK_MEMORY;
		record->memory.kind = "copy";
		record->memory.bytes = from->bytes;
		return true;
	}
	record->kind = GPU_WORK_KERNEL;
	record->kernel =
		(struct gpu_kernel){.name = from->kernel_name ? gpu_add_name(from->kernel_name) : 0,
			.shared_bytes = PWRTRACE_UNKNOWN_U32,
			.registers = PWRTRACE_UNKNOWN_U32,
			.api = &hip_api};
	return true;
}

static void on_buffer(const char *begin, const char *end, void *arg)
{
	const roctracer_record_t *from = (const void *)begin;
	size_t count = (size_t)(end - begin) / sizeof(*from);
	struct hip_batch *batch = hip_batch_new(count);

	(void)arg;
	if (!batch)
		return;
	for (size_t i = 0; i < count; i++)
		batch->count += read_record(&batch->records[batch->count], &from[i]);
	hip_records_hand_over(batch);
}

/* ---- setting it up ---- */

static bool find_functions(void)
{
	static const char *const names[] = {
		"libroctracer64.so.4", "/opt/rocm/lib/libroctracer64.so.4"};
	void *library = NULL;
	bool all = true;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !library; i++)
		library = dlopen(names[i], RTLD_LAZY);
	if (!library)
		return false;
#define FUNCTION(name, params)                                                                     \
	roctracer.name = (roctracer_status_t(*) params)dlsym(library, #name);                      \
	all &= roctracer.name != NULL;
#include "preload/engine/gpu/hip/roctracer.def"
	return all;
}

bool roctracer_start_tracing(void)
{
	static const struct hip_profiler profiler = {flush, now_ns};
	const roctracer_properties_t properties = {
		.buffer_size = BUFFER_BYTES, .buffer_callback_fun = on_buffer};

	if (!find_functions() || roctracer.roctracer_open_pool_expl(&properties, &pool) ||
		roctracer.roctracer_enable_domain_activity_expl(ACTIVITY_DOMAIN_HIP_OPS, pool) ||
		roctracer.roctracer_enable_domain_callback(ACTIVITY_DOMAIN_HIP_API, on_call, NULL))
		return false;
	__atomic_store_n(&tracing, true, __ATOMIC_RELAXED);
	hip_records_start(&profiler);
	return true;
}
