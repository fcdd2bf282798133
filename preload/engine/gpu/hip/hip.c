/* SPDX-License-Identifier: MIT */
/* HIP: the choice of how work is timed, and the wrappers made from hip.def. */
#include "preload/engine/gpu/hip/hip.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/engine/core/guard.h"
#include "preload/engine/gpu/hip/hip_records.h"
#include "preload/engine/gpu/hip/hip_shapes.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/gpu/submit.h"

/* ---- how work is timed ---- */

enum hip_timing { BY_PROFILER, BY_EVENTS, UNTIMED };

static enum hip_timing timing;
static pthread_once_t started = PTHREAD_ONCE_INIT;

/* A forked child cannot use the runtime any more. */
static void after_fork_in_child(void)
{
	timing = UNTIMED;
	hip_records_forget();
	hip_code_forked();
}

/* To be called once the runtime is initialized, which is when it loads rocprofiler-sdk. */
static enum hip_timing choose(void)
{
	if (strcmp(conf.hip_timing, "none") == 0)
		return UNTIMED;
	if (strcmp(conf.hip_timing, "events") == 0 || hip_ordinal(NULL) < 0)
		return BY_EVENTS;
	if (hip_records_started() || roctracer_start_tracing())
		return BY_PROFILER;
	log_notice("kernels are timed by HIP events, less exactly: neither rocprofiler-sdk nor "
		   "roctracer is there");
	return BY_EVENTS;
}

static void start(void)
{
	static const char *const names[] = {"a profiler", "events", "nothing"};

	timing = choose();
	log_debug("HIP's work is timed by %s", names[timing]);
	pthread_atfork(NULL, NULL, after_fork_in_child);
	/* Registered after the runtime's exit handler, so that ours runs before it. */
	atexit(hip_host->flush);
}

static bool is_traced(void)
{
	pthread_once(&started, start);
	return true;
}

static bool is_timed(void)
{
	return timing == BY_EVENTS;
}

/* ---- for the collector ---- */

const struct gpu_api hip_api = {
	.name = "hip",
	.poll = event_pair_poll,
	.release = event_pair_release,
	.take = hip_records_take,
	.gather = hip_records_gather,
	.harvest = hip_records_harvest,
	.code = hip_code,
};

/* ---- functions that the rows of hip.def call ---- */

__thread struct hip_configured hip_configured;

static hipError_t traced_hipInit(unsigned flags)
{
	return HIP(hipInit)(flags);
}

static hipError_t traced_hipConfigureCall(
	dim3 grid, dim3 block, size_t shared_bytes, hipStream_t stream)
{
	hip_configured.grid = grid;
	hip_configured.block = block;
	hip_configured.shared_bytes = shared_bytes;
	hip_configured.stream = stream;
	return HIP(hipConfigureCall)(grid, block, shared_bytes, stream);
}

#define ROW STREAM_AS_THE_ROW_SAYS
#define EXTENT(extent) ((uint64_t)(extent).width * (extent).height * (extent).depth)

static enum stream_direction DIRECTION(hipMemcpyKind kind)
{
	return kind == hipMemcpyHostToDevice   ? STREAM_WRITES
	       : kind == hipMemcpyDeviceToHost ? STREAM_READS
					       : STREAM_AS_THE_ROW_SAYS;
}

static enum stream_direction between(hipMemoryType from, hipMemoryType to)
{
	hipMemoryType host = hipMemoryTypeHost + (hip_version() >= HIP_VERSION_6_0);

	return from == to     ? STREAM_AS_THE_ROW_SAYS
	       : from == host ? STREAM_WRITES
	       : to == host   ? STREAM_READS
			      : STREAM_AS_THE_ROW_SAYS;
}

#define BETWEEN(copy) between((copy)->srcMemoryType, (copy)->dstMemoryType)

static enum stream_direction BETWEEN_3D(const HIP_MEMCPY3D *copy)
{
	const struct hip_memcpy3d_6 *copy_6 = (const void *)copy;

	return hip_version() >= HIP_VERSION_6_0 ? BETWEEN(copy_6) : BETWEEN(copy);
}

static uint64_t BYTES_3D(const HIP_MEMCPY3D *copy)
{
	const struct hip_memcpy3d_6 *copy_6 = (const void *)copy;

	return hip_version() >= HIP_VERSION_6_0
		       ? (uint64_t)copy_6->WidthInBytes * copy_6->Height * copy_6->Depth
		       : (uint64_t)copy->WidthInBytes * copy->Height * copy->Depth;
}

static uint64_t BYTES_OF(const size_t *sizes, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += sizes[i];
	return sum;
}

/* ---- calls that launch several kernels ---- */

#define EACH_MAX 32

/* Ends the launches of one call; ok: the call succeeded. */
static void end_each(struct stream_launch *launches, int count, bool ok)
{
	for (int i = 0; i < count; i++)
		if (stream_launch_end(&launches[i], ok))
			gpu_submit(&launches[i].work);
}

/* stream and shape: expressions of one launch, l.  Beginning a launch takes the guard, so it is
 * released before the next one begins. */
#define KERNEL_EACH(since, name_, params, args, stream, shape)                                     \
	static hipError_t traced_##name_ params                                                    \
	{                                                                                          \
		static const struct gpu_call call = {&hip_api, .name = #name_};                    \
		struct stream_launch begun[EACH_MAX];                                              \
		uint32_t correlations[EACH_MAX];                                                   \
		hipError_t result;                                                                 \
		int traced = 0;                                                                    \
                                                                                                   \
		if (guard_depth || !is_traced())                                                   \
			return HIP(name_) args;                                                    \
		for (int i = 0; i < (int)count && traced < EACH_MAX; i++) {                        \
			__auto_type l = &launches[i];                                              \
                                                                                                   \
			if (!stream_launch_begin(&begun[traced], &hip_streams, &call, stream,      \
				    GPU_WORK_KERNEL, is_timed()))                                  \
				continue;                                                          \
			correlations[traced] = begun[traced].work.correlation;                     \
			begun[traced++].work.kernel.id = shape;                                    \
			guard_leave();                                                             \
		}                                                                                  \
		guard_enter();                                                                     \
		hip_correlate_each(correlations, traced);                                          \
		result = HIP(name_) args;                                                          \
		hip_correlate_each(NULL, 0);                                                       \
		end_each(begun, traced, result == hipSuccess);                                     \
		guard_leave();                                                                     \
		return result;                                                                     \
	}

/* ---- the wrappers ---- */

static hipError_t ended(hipError_t result)
{
	if (result == hipSuccess)
		hip_events_gone();
	return result;
}

static void forget(const int *unused)
{
	(void)unused;
	hip_forget_kernels();
}

#define STREAM_STATUS hipError_t
#define STREAM_REAL HIP
#define STREAM_API hip_streams
#define STREAM_POLLED hip_api
#define STREAM_PASSED() false
#define STREAM_TRACED is_traced
#define STREAM_TIMED is_timed
#define STREAM_ALL "device"
#include "preload/engine/gpu/stream_wrappers.h"

#define KERNEL(since, name, params, args, stream, shape, why_not)                                  \
	WRAP_KERNEL(name, params, args, stream, shape)
#define GRAPH(since, name, params, args, stream) WRAP_GRAPH(name, params, args, stream)
#define MEMORY(since, name, params, args, kind, direction, bytes, stream)                          \
	WRAP_MEMORY(name, params, args, kind, direction, bytes, stream)
#define ORDER(since, name, params, args, ...) WRAP_ORDER(name, params, args, __VA_ARGS__)
#define BLOCKING(since, name, params, args, ...) WRAP_BLOCKING(name, params, args, __VA_ARGS__)
#define INSTANTIATE(since, name, params, args)                                                     \
	WRAP_FOLLOWING(name, params, args, hip_graph_learn, *exec, graph)
#define UPDATE(since, name, params, args, graph)                                                   \
	WRAP_FOLLOWING(name, params, args, hip_graph_learn, exec, graph)
#define TEARDOWN(since, name, params, args) WRAP_TEARDOWN(name, params, args, ended)
#define FORGETS(since, ret, name, params, args)                                                    \
	static ret traced_##name params                                                            \
	{                                                                                          \
		__attribute__((cleanup(forget))) const int afterwards = 0;                         \
                                                                                                   \
		(void)afterwards;                                                                  \
		return HIP(name) args;                                                             \
	}
#define THEN(since, name, params, args, then)                                                      \
	static hipError_t traced_##name params                                                     \
	{                                                                                          \
		hipError_t result = HIP(name) args;                                                \
                                                                                                   \
		if (result == hipSuccess)                                                          \
			then;                                                                      \
		return result;                                                                     \
	}
#define ALLOCATES(...)
#define FREES(...)
#define FORBIDS(...)
#define CAPTURES(...)
#define OBJECT(since, name, params, args)
#define RESOLVER(since, name, params, args)
#define PLAIN(since, ret, name, params)
/* KERNEL_EACH above is for this table, too. */
#include "preload/api/hip.def"

static void install(void **wrappers, const struct engine_host *host)
{
	hip_host = host;
#define HOOK(api, index, ret, name, params, args, role) wrappers[HOOK_##name] = traced_##name;
#define ALLOCATES(...)
#define FREES(...)
#define FORBIDS(...)
#define CAPTURES(...)
#define RESOLVER(since, name, params, args)
#define PLAIN(since, ret, name, params)
#include "preload/api/hip.def"
#undef HOOK
}

const struct gpu_back_end hip_back_end = {
	.install = install,
	.install_replay = hip_replay_install,
	.api = &hip_api,
};
