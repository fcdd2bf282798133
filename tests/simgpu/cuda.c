/* SPDX-License-Identifier: MIT */
/* The entry points that CUPTI has callbacks for, made from preload/api/cuda.def. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pwrtrace/events.h"
#include "tests/simgpu/cuda_parts.h"

const struct sim_observer *sim_observer;

/* ---- the calling thread ---- */

struct call {
	struct sim_call seen;
	bool per_thread;
	uint64_t until_ns;
};

static __thread struct call *current;
static __thread uint32_t correlation;
static uint32_t correlations;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

CUresult sim_enter(void)
{
	pthread_mutex_lock(&lock);
	if (!current)
		correlation = ++correlations;
	return sim_is_up() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

void sim_leave(CUresult *entered)
{
	(void)entered;
	pthread_mutex_unlock(&lock);
}

uint32_t sim_correlation(void)
{
	return current ? current->seen.correlation : correlation;
}

bool sim_is_per_thread(void)
{
	return current && current->per_thread;
}

void sim_wait(uint64_t until_ns)
{
	current->until_ns = until_ns;
}

uint64_t sim_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

void sim_record(const struct sim_record *record)
{
	sim_write_truth(record);
	if (sim_observer)
		sim_observer->record(record);
}

void sim_resource(uint32_t cbid, CUcontext context, const void *descriptor)
{
	if (sim_observer)
		sim_observer->resource(cbid, context, descriptor);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static void begin(struct call *call, uint32_t cbid, const char *name, const void *params)
{
	struct context *context = sim_context();

	correlation = __atomic_add_fetch(&correlations, 1, __ATOMIC_RELAXED);
	*call = (struct call){
		.seen = {.cbid = cbid,
			.correlation = correlation,
			.name = name,
			.params = params,
			.context = context,
			.context_id = context ? context->id : 0},
		.per_thread = ends_with(name, "_ptsz") || ends_with(name, "_ptds"),
	};
	if (sim_observer)
		sim_observer->enter(&call->seen);
	current = call;
}

static CUresult end(struct call *call)
{
	struct timespec until = {.tv_sec = (time_t)(call->until_ns / NS_PER_S),
		.tv_nsec = (long)(call->until_ns % NS_PER_S)};

	current = NULL;
	while (call->until_ns > sim_now_ns())
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	if (sim_observer)
		sim_observer->leave(&call->seen);
	return call->seen.result;
}

/* ---- what the rows of the table say of their work ---- */

static struct sim_record shape_of(CUfunction function, int grid_x, int grid_y, int grid_z,
	int block_x, int block_y, int block_z, unsigned shared_bytes)
{
	const struct function *of = function;

	return (struct sim_record){.kind = SIM_KERNEL,
		.function = function,
		.name = function ? of->name : NULL,
		.grid = {grid_x, grid_y, grid_z},
		.block = {block_x, block_y, block_z},
		.shared_bytes = shared_bytes};
}

static struct sim_record shape_of_config(CUfunction function, const CUlaunchConfig *config)
{
	return shape_of(function, (int)config->gridDimX, (int)config->gridDimY,
		(int)config->gridDimZ, (int)config->blockDimX, (int)config->blockDimY,
		(int)config->blockDimZ, config->sharedMemBytes);
}

#define SHAPE                                                                                      \
	(int)grid_x, (int)grid_y, (int)grid_z, (int)block_x, (int)block_y, (int)block_z,           \
		shared_bytes
#define bytes_2d(copy) (copy->WidthInBytes * copy->Height)
#define bytes_3d(copy) (copy->WidthInBytes * copy->Height * copy->Depth)

static uint64_t bytes_of(const size_t *sizes, size_t count)
{
	return count ? sizes[count - 1] + bytes_of(sizes, count - 1) : 0;
}

/* Whether this launch is the one that is to fail. */
static bool kernel_fails(const char *name)
{
	static uint64_t launches;
	const char *failing = getenv("SIMGPU_CUDA_FAILING_KERNEL");

	return failing && strcmp(name, failing) == 0 && ++launches == 1;
}

static CUresult launch(CUfunction function, CUstream stream, struct sim_record work)
{
	enum { THREADS_MAX = 1024, VALUES = 9 };
	CUresult result;

	ENTER;
	result = sim_check(function, OBJECT_FUNCTION);
	if (result != CUDA_SUCCESS)
		result = sim_check(function, OBJECT_KERNEL);
	if (result != CUDA_SUCCESS)
		return result;
	if (kernel_fails(work.name))
		return CUDA_ERROR_INVALID_VALUE;
	/* cuLaunch and cuLaunchGrid have no block. */
	for (int i = 0; i < 3; i++)
		work.block[i] += work.block[i] == 0;
	if (work.block[0] * work.block[1] * work.block[2] > THREADS_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	if (strcmp(current->seen.name, "cuLaunchKernel") == 0)
		work.values = ((void **const *)current->seen.params)[VALUES];
	return sim_run(stream, &work, false);
}

/* Whether this fill, the next one of the process, is the one that is to fail. */
static bool fill_fails(void)
{
	static uint64_t fills;
	const char *failing = getenv("SIMGPU_CUDA_FAILING_FILL");

	return ++fills == (failing ? strtoull(failing, NULL, 10) : 0);
}

static CUresult move(const char *name, CUstream stream, struct sim_record work)
{
	ENTER;
	if (strcmp(work.name, "fill") == 0 && fill_fails())
		return CUDA_ERROR_INVALID_VALUE;
	work.call = name;
	work.params = current->seen.params;
	return sim_run(stream, &work, !strstr(name, "Async"));
}

static CUresult launch_graph(CUgraphExec exec, CUstream stream)
{
	ENTER;
	return sim_launch_graph(exec, stream);
}

static CUresult instantiate(CUgraphExec *exec, CUgraph graph)
{
	ENTER;
	return sim_instantiate(exec, graph);
}

static CUresult update(CUgraphExec exec, CUgraph graph)
{
	ENTER;
	return sim_update(exec, graph);
}

static CUresult set_node(CUgraphExec exec, CUgraphNode node, const void *values)
{
	ENTER;
	return sim_set_node(exec, node, values);
}

CUresult sim_do(const char *name, CUstream stream, struct sim_record work)
{
	struct call call;

	begin(&call, 0, name, NULL);
	call.seen.result = work.kind == SIM_KERNEL ? launch(work.function, stream, work)
						   : move(name, stream, work);
	return end(&call);
}

/* ---- functions for libcupti ---- */

static uint32_t stream_id(CUcontext context, CUstream handle, bool per_thread)
{
	struct stream *stream;

	ENTER;
	if (context != sim_context())
		return 0;
	stream = sim_stream(!handle && per_thread ? CU_STREAM_PER_THREAD : handle);
	return stream->object.id;
}

static CUdevice ordinal(CUcontext context)
{
	return ((struct context *)context)->ordinal;
}

const struct sim_driver *simgpu_observe(const struct sim_observer *observer)
{
	static const struct sim_driver driver = {stream_id, ordinal};

	__atomic_store_n(&sim_observer, observer, __ATOMIC_RELEASE);
	return &driver;
}

static CUresult do_cuEventRecord(CUevent event, CUstream stream)
{
	ENTER;
	return sim_record_event(event, stream);
}

static CUresult do_cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags)
{
	(void)flags;
	return do_cuEventRecord(event, stream);
}

static CUresult do_cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
	ENTER;
	return flags ? CUDA_ERROR_INVALID_VALUE : sim_wait_event(stream, event);
}

static CUresult do_cuStreamSynchronize(CUstream stream)
{
	ENTER;
	return sim_synchronize_stream(stream);
}

static CUresult do_cuEventSynchronize(CUevent event)
{
	ENTER;
	return sim_synchronize_event(event);
}

static CUresult do_cuCtxSynchronize(void)
{
	ENTER;
	return sim_synchronize_context(sim_context());
}

static CUresult do_cuCtxSynchronize_v2(CUcontext context)
{
	ENTER;
	return sim_synchronize_context(sim_context_of(context));
}

/* A function uses only those of its arguments that its row names; for CUPTI they become numbers. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wint-conversion"

#define do_cuInit sim_initialize
#define do_cuEventRecord_ptsz do_cuEventRecord
#define do_cuEventRecordWithFlags_ptsz do_cuEventRecordWithFlags
#define do_cuStreamWaitEvent_ptsz do_cuStreamWaitEvent
#define do_cuStreamSynchronize_ptsz do_cuStreamSynchronize

#define do_cuGraphExecUpdate(exec, graph, failed, why) update(exec, graph)
#define do_cuGraphExecUpdate_v2(exec, graph, why) update(exec, graph)
#define do_cuGraphExecKernelNodeSetParams set_node
#define do_cuGraphExecKernelNodeSetParams_v2 set_node
#define do_cuGraphExecNodeSetParams(exec, node, values) update(exec, NULL)
#define do_cuGraphExecChildGraphNodeSetParams(exec, node, graph) update(exec, NULL)

#define LIST(...) __VA_ARGS__
#define CALL(cbid, name, params, args, ...)                                                        \
	CUresult name params                                                                       \
	{                                                                                          \
		const uintptr_t words[] = {0, LIST args};                                          \
		struct call call;                                                                  \
                                                                                                   \
		begin(&call, cbid, #name, words + 1);                                              \
		call.seen.result = __VA_ARGS__;                                                    \
		return end(&call);                                                                 \
	}
#define KERNEL(cbid, name, params, args, at, stream, shape, why_not)                               \
	CALL(cbid, name, params, args, launch(function, stream, shape))
#define MEMORY(cbid, name_, params, args, kind_, bytes_, stream)                                   \
	CALL(cbid, name_, params, args,                                                            \
		move(#name_, stream,                                                               \
			(struct sim_record){.kind = SIM_MEMORY, .name = kind_, .bytes = bytes_}))
#define GRAPH(cbid, name, params, args, stream) CALL(cbid, name, params, args, launch_graph args)
#define INSTANTIATE(cbid, name, params, args)                                                      \
	CALL(cbid, name, params, args, instantiate(exec, graph))
#define UPDATE(cbid, name, params, args, graph) CALL(cbid, name, params, args, do_##name args)
#define ORDER(cbid, name, params, args, ...) CALL(cbid, name, params, args, do_##name args)
#define BLOCKING(cbid, name, params, args, ...) CALL(cbid, name, params, args, do_##name args)
#define FORBIDS(name, params, args, why)                                                           \
	CUresult name params                                                                       \
	{                                                                                          \
		return sim_is_up() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;                    \
	}
#define ALLOCATES(...)
#define FREES(...)
#define LOADS(...)
#define CAPTURES(...)
#define TEARDOWN(...)
#define OBJECT(cbid, name, params, args) CALL(cbid, name, params, args, do_##name args)
#define RESOLVER(name, params, args)
#define PLAIN(name, params)
#include "preload/api/cuda.def"
