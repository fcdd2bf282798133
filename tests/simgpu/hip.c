/* SPDX-License-Identifier: MIT */
/* HIP's entry points that start work, order or wait, made from preload/api/hip.def. */
#include <stdarg.h>
#include <string.h>

#include "pwrtrace/events.h"
#include "tests/simgpu/hip_parts.h"

/* ---- what the rows of the table say of their work ---- */

static struct sim_record shape(
	CUfunction function, const uint32_t global[3], const uint32_t block[3], size_t shared_bytes)
{
	const struct function *of = function;
	struct sim_record work = {.kind = SIM_KERNEL,
		.function = function,
		.name = function ? of->name : NULL,
		.shared_bytes = (uint32_t)shared_bytes};

	for (int i = 0; i < 3; i++) {
		work.grid[i] = block[i] ? (int32_t)(global[i] / block[i]) : 0;
		work.block[i] = (int32_t)block[i];
	}
	return work;
}

static struct sim_record of_grid(CUfunction function, dim3 grid, dim3 block, size_t shared_bytes)
{
	const uint32_t global[3] = {grid.x * block.x, grid.y * block.y, grid.z * block.z};

	return shape(function, global, (uint32_t[]){block.x, block.y, block.z}, shared_bytes);
}

#define of_symbol(symbol, grid, block, shared_bytes, stream)                                       \
	of_grid(hip_function_of(symbol), grid, block, shared_bytes)
#define SYMBOL(symbol) of_symbol(symbol, grid, block, shared_bytes, stream)
#define FUNCTION(function)                                                                         \
	of_grid(function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z},       \
		shared_bytes)
#define FUNCTION_GLOBAL(function)                                                                  \
	shape(function, (uint32_t[]){global_x, global_y, global_z},                                \
		(uint32_t[]){block_x, block_y, block_z}, shared_bytes)
#define of_config(function, config)                                                                \
	of_grid(function, (dim3){(config)->gridDimX, (config)->gridDimY, (config)->gridDimZ},      \
		(dim3){(config)->blockDimX, (config)->blockDimY, (config)->blockDimZ},             \
		(config)->sharedMemBytes)

#define ROW 0
#define DIRECTION(kind)                                                                            \
	((kind) == hipMemcpyHostToDevice ? 1 : (kind) == hipMemcpyDeviceToHost ? 2 : ROW)
#define EXTENT(extent) ((extent).width * (extent).height * (extent).depth)
#define BETWEEN(copy) between((copy)->srcMemoryType, (copy)->dstMemoryType)
#define BETWEEN_3D(copy) (is_6() ? BETWEEN((const struct hip_memcpy3d_6 *)(copy)) : BETWEEN(copy))
#define VOLUME(copy) ((uint64_t)(copy)->WidthInBytes * (copy)->Height * (copy)->Depth)
#define BYTES_3D(copy) (is_6() ? VOLUME((const struct hip_memcpy3d_6 *)(copy)) : VOLUME(copy))

static bool is_6(void)
{
	return hip_sim_version() >= HIP_VERSION_6_0;
}

static int between(hipMemoryType from, hipMemoryType to)
{
	hipMemoryType host = hipMemoryTypeHost + is_6();

	return from == to ? ROW : from == host ? 1 : to == host ? 2 : ROW;
}

static uint64_t BYTES_OF(const size_t *sizes, size_t count)
{
	return count ? sizes[count - 1] + BYTES_OF(sizes, count - 1) : 0;
}

/* A row says why a launch cannot be replayed; here, that yields the arguments of the kernel. */
#define why_not_symbol(values) (values)
#define why_not_function(function, values, extra) (values)
#define why_not_cooperative NULL
#define why_not_old NULL
#define why_not_beside(triggers, flags) NULL
#define why_not_attributes(config) NULL

static struct sim_record with(const void *values, struct sim_record work)
{
	work.values = values;
	return work;
}

/* The configuration that hipConfigureCall or <<<>>> sets for the next launch. */
static __thread struct {
	dim3 grid, block;
	size_t shared_bytes;
	hipStream_t stream;
} hip_configured;

hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t shared_bytes, hipStream_t stream)
{
	hip_configured.grid = grid;
	hip_configured.block = block;
	hip_configured.shared_bytes = shared_bytes;
	hip_configured.stream = stream;
	return hip_use_device();
}

hipError_t hipSetupArgument(const void *value, size_t size, size_t offset)
{
	(void)value, (void)size, (void)offset;
	return hipSuccess;
}

hipError_t __hipPushCallConfiguration(
	dim3 grid, dim3 block, size_t shared_bytes, hipStream_t stream)
{
	return hipConfigureCall(grid, block, shared_bytes, stream);
}

hipError_t __hipPopCallConfiguration(
	dim3 *grid, dim3 *block, size_t *shared_bytes, hipStream_t *stream)
{
	*grid = hip_configured.grid;
	*block = hip_configured.block;
	*shared_bytes = hip_configured.shared_bytes;
	*stream = hip_configured.stream;
	return hipSuccess;
}

/* ---- what they do ---- */

static CUstream stream_for(const char *name, hipStream_t stream)
{
	return !stream && strstr(name, "_spt") ? CU_STREAM_PER_THREAD : stream;
}

static hipError_t do_hipInit(unsigned flags)
{
	return cuInit(flags);
}

static hipError_t do_hipEventRecord(hipEvent_t event, CUstream stream)
{
	return cuEventRecord(event, stream);
}

static hipError_t do_hipStreamWaitEvent(CUstream stream, hipEvent_t event)
{
	return cuStreamWaitEvent(stream, event, 0);
}

static hipError_t order(const char *name, hipStream_t stream, hipEvent_t event)
{
	CUstream to = stream_for(name, stream);

	return strstr(name, "Wait") ? do_hipStreamWaitEvent(to, event)
				    : do_hipEventRecord(event, to);
}

static hipError_t await(const char *name, hipStream_t stream, hipEvent_t event)
{
	if (strstr(name, "Event"))
		return cuEventSynchronize(event);
	return strstr(name, "Stream") ? cuStreamSynchronize(stream_for(name, stream))
				      : cuCtxSynchronize();
}

/* Runs EXPRESSION where there is a device. */
#define ON_DEVICE(name, params, ...)                                                               \
	hipError_t name params                                                                     \
	{                                                                                          \
		CUresult result = hip_use_device();                                                \
                                                                                                   \
		return hip_returned(result == CUDA_SUCCESS ? (__VA_ARGS__) : result);              \
	}

/* What those copies do that have parameters to, from and bytes, and no more than a way, a stream.
 */
static void do_copy(const char *name, ...)
{
	static const char *const names[] = {"hipMemcpy", "hipMemcpyAsync", "hipMemcpyDtoH",
		"hipMemcpyDtoHAsync", "hipMemcpyHtoD", "hipMemcpyHtoDAsync", "hipMemcpyDtoD",
		"hipMemcpyDtoDAsync"};
	va_list params;

	va_start(params, name);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		void *to, *from;

		if (strcmp(name, names[i]) != 0)
			continue;
		to = va_arg(params, void *);
		from = va_arg(params, void *);
		sim_move(!sim_block_of((uintptr_t)to), to, from, va_arg(params, size_t));
	}
	va_end(params);
}

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define LIST(...) __VA_ARGS__
static const char *const directions[] = {NULL, "write", "read"};

#define WORK(name_, stream, ...) sim_do(#name_, stream_for(#name_, stream), __VA_ARGS__)
#define KERNEL(since, name, params, args, stream, shape, why_not)                                  \
	ON_DEVICE(name, params, WORK(name, stream, with(why_not, shape)))
#define KERNEL_EACH(since, name_, params, args, stream, shape)                                     \
	hipError_t name_ params                                                                    \
	{                                                                                          \
		CUresult result = hip_use_device();                                                \
                                                                                                   \
		for (int i = 0; i < (int)count && result == CUDA_SUCCESS; i++) {                   \
			__auto_type l = &launches[i];                                              \
                                                                                                   \
			result = WORK(name_, stream, shape);                                       \
		}                                                                                  \
		return hip_returned(result);                                                       \
	}
#define MEMORY(since, name_, params, args, kind_, direction, bytes_, stream)                       \
	ON_DEVICE(name_, params,                                                                   \
		(do_copy(#name_, LIST args),                                                       \
			WORK(name_, stream,                                                        \
				(struct sim_record){.kind = SIM_MEMORY,                            \
					.name = (direction) ? directions[direction] : kind_,       \
					.bytes = bytes_})))
#define FILL(since, name_, params, args, unit_bytes, count, stream)                                \
	ON_DEVICE(name_, params,                                                                   \
		(sim_fill(to, (unsigned)value, unit_bytes, count),                                 \
			WORK(name_, stream,                                                        \
				(struct sim_record){.kind = SIM_MEMORY,                            \
					.name = "fill",                                            \
					.bytes = (count) * (unit_bytes)})))
#define FORBIDS(since, name, params, args, why) ON_DEVICE(name, params, hipSuccess)
#define GRAPH(since, name, params, args, stream)                                                   \
	ON_DEVICE(name, params, cuGraphLaunch(exec, stream_for(#name, stream)))
#define INSTANTIATE(since, name, params, args)                                                     \
	ON_DEVICE(name, params, cuGraphInstantiateWithFlags((CUgraphExec *)exec, graph, 0))
#define UPDATE(since, name, params, args, graph)                                                   \
	ON_DEVICE(name, params, cuGraphExecUpdate_v2(exec, graph, NULL))
#define ORDER(since, name, params, args, stream, event, order_)                                    \
	ON_DEVICE(name, params, order(#name, stream, event))
#define BLOCKING(since, name, params, args, stream, event, order)                                  \
	ON_DEVICE(name, params, await(#name, stream, event))
#define ALLOCATES(...)
#define FREES(...)
#define CAPTURES(...)
#define OBJECT(since, name, params, args)
#define TEARDOWN(since, name, params, args)
#define FORGETS(since, ret, name, params, args)
#define THEN(since, name, params, args, then)
#define RESOLVER(since, name, params, args)
#define PLAIN(since, ret, name, params)
#include "preload/api/hip.def"

ON_DEVICE(hipInit, (unsigned flags), do_hipInit(flags))
ON_DEVICE(hipStreamCreate, (hipStream_t * stream), cuStreamCreate((CUstream *)stream, 0))
ON_DEVICE(hipStreamCreateWithFlags, (hipStream_t * stream, unsigned flags),
	cuStreamCreate((CUstream *)stream, flags))
ON_DEVICE(hipStreamDestroy, (hipStream_t stream), cuStreamDestroy_v2(stream))
ON_DEVICE(hipStreamQuery, (hipStream_t stream), cuStreamQuery(stream))
ON_DEVICE(hipStreamIsCapturing, (hipStream_t stream, hipStreamCaptureStatus *status),
	cuStreamIsCapturing(stream, status))
ON_DEVICE(hipThreadExchangeStreamCaptureMode, (hipStreamCaptureMode * mode),
	cuThreadExchangeStreamCaptureMode(mode))
ON_DEVICE(hipEventCreate, (hipEvent_t * event), cuEventCreate((CUevent *)event, 0))
ON_DEVICE(hipEventCreateWithFlags, (hipEvent_t * event, unsigned flags),
	cuEventCreate((CUevent *)event, flags))
ON_DEVICE(hipEventDestroy, (hipEvent_t event), cuEventDestroy_v2(event))
ON_DEVICE(hipEventQuery, (hipEvent_t event), cuEventQuery(event))
ON_DEVICE(hipEventElapsedTime, (float *ms, hipEvent_t begin, hipEvent_t end),
	cuEventElapsedTime(ms, begin, end))
