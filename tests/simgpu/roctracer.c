/* SPDX-License-Identifier: MIT */
/*
 * A simulated libroctracer64.so.4 on top of the simulated HIP: activity records of kernels and
 * copies, and callbacks of calls.  Its clock is 300 s ahead.  Records are handed out by a flush,
 * once their work is done.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "preload/engine/gpu/hip/roctracer_abi.h"
#include "tests/simgpu/hip_parts.h"

#define AHEAD_NS (300 * NS_PER_S)
#define RECORDS_MAX (1 << 16)

#pragma GCC visibility push(default)
#define FUNCTION(name, params) roctracer_status_t name params;
#include "preload/engine/gpu/hip/roctracer.def"
#pragma GCC visibility pop

static roctracer_properties_t properties;
static roctracer_callback *callback;
static roctracer_record_t records[RECORDS_MAX];
static size_t record_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void call_back(struct sim_call *call, uint32_t phase)
{
	const struct roctracer_call data = {call->correlation, phase};

	/* The calls of the driver inside HIP's functions are not the program's. */
	if (callback && strcmp(call->name, "cuInit") != 0)
		callback(ACTIVITY_DOMAIN_HIP_API, 0, &data, NULL);
}

static void enter(struct sim_call *call)
{
	call_back(call, ACTIVITY_API_PHASE_ENTER);
}

static void leave(struct sim_call *call)
{
	call_back(call, ACTIVITY_API_PHASE_ENTER + 1);
}

static void resource(uint32_t cbid, CUcontext context, const void *descriptor)
{
	(void)cbid, (void)context, (void)descriptor;
}

static bool whole_graphs(void)
{
	return false;
}

/* A fill is a kernel of the runtime's own. */
static void on_record(const struct sim_record *of)
{
	bool is_fill = of->kind == SIM_MEMORY && strcmp(of->name, "fill") == 0;
	bool is_copy = of->kind == SIM_MEMORY && !is_fill;
	roctracer_record_t *record;

	if (of->kind == SIM_GRAPH)
		return;
	pthread_mutex_lock(&lock);
	if (record_count == RECORDS_MAX)
		abort();
	record = &records[record_count++];
	*record = (roctracer_record_t){.domain = ACTIVITY_DOMAIN_HIP_OPS,
		.op = is_copy ? HIP_OP_ID_COPY : HIP_OP_ID_DISPATCH,
		.correlation_id = of->correlation,
		.begin_ns = of->begin_ns + AHEAD_NS,
		.end_ns = of->end_ns + AHEAD_NS};
	if (is_copy)
		record->bytes = of->bytes;
	else
		record->kernel_name = strdup(is_fill ? "__amd_rocclr_fillBufferAligned" : of->name);
	pthread_mutex_unlock(&lock);
}

roctracer_status_t roctracer_open_pool_expl(
	const roctracer_properties_t *wanted, roctracer_pool_t **pool)
{
	properties = *wanted;
	*pool = &properties;
	return !wanted->buffer_callback_fun;
}

roctracer_status_t roctracer_enable_domain_activity_expl(uint32_t domain, roctracer_pool_t *pool)
{
	static const struct sim_observer observer = {
		enter, leave, resource, on_record, whole_graphs};
	void *runtime = dlopen("libamdhip64.so.6", RTLD_LAZY | RTLD_NOLOAD);
	__typeof__(simgpu_observe) *observe = runtime ? dlsym(runtime, "simgpu_observe") : NULL;

	if (!observe || domain != ACTIVITY_DOMAIN_HIP_OPS || pool != &properties)
		return 1;
	observe(&observer);
	return 0;
}

roctracer_status_t roctracer_enable_domain_callback(
	uint32_t domain, roctracer_callback *wanted, void *arg)
{
	(void)arg;
	callback = wanted;
	return domain != ACTIVITY_DOMAIN_HIP_API;
}

roctracer_status_t roctracer_flush_activity_expl(roctracer_pool_t *pool)
{
	static roctracer_record_t done[RECORDS_MAX];
	uint64_t now_ns = monotonic_ns() + AHEAD_NS;
	size_t count = 0, kept = 0;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < record_count; i++) {
		if (records[i].end_ns > now_ns)
			records[kept++] = records[i];
		else
			done[count++] = records[i];
	}
	record_count = kept;
	pthread_mutex_unlock(&lock);
	if (count)
		properties.buffer_callback_fun(
			(const char *)done, (const char *)(done + count), NULL);
	return pool != &properties;
}

roctracer_status_t roctracer_get_timestamp(uint64_t *timestamp)
{
	*timestamp = monotonic_ns() + AHEAD_NS;
	return 0;
}
