/* SPDX-License-Identifier: MIT */
/* Replay with CUDA: its memory, and which launches can be repeated. */
#include <errno.h>
#include <string.h>

#include "preload/engine/gpu/code/cuda_image.h"
#include "preload/engine/gpu/cuda/cuda.h"
#include "preload/engine/gpu/cuda/cuda_nodes.h"
#include "preload/engine/gpu/cuda/cuda_reader.h"
#include "preload/engine/replay/reach.h"

/* The wrappers that trace. */
static void *traced[HOOK_COUNT];

#define TRACED(name) ((name##_function *)(traced[HOOK_##name] ?: cuda_real[HOOK_##name]))

static bool place(void *stream, uint32_t *device, void **context)
{
	return cuda_streams.place(stream, device, context);
}

static bool is_capturing(void *stream)
{
	return cuda_streams.is_capturing(stream);
}

static bool wait(void *context)
{
	(void)context;
	return CUDA(cuCtxSynchronize)() == CUDA_SUCCESS;
}

static bool save(void *stream, void *to, uintptr_t from, size_t at, size_t bytes)
{
	(void)stream;
	return TRACED(cuMemcpyDtoH_v2)(to, from + at, bytes) == CUDA_SUCCESS;
}

static bool restore(void *stream, uintptr_t to, size_t at, const void *from, size_t bytes)
{
	return TRACED(cuMemcpyHtoDAsync_v2)(to + at, from, bytes, stream) == CUDA_SUCCESS;
}

static uint64_t room(void)
{
	size_t bytes, total;

	return CUDA(cuMemGetInfo_v2) && CUDA(cuMemGetInfo_v2)(&bytes, &total) == CUDA_SUCCESS
		       ? bytes
		       : 0;
}

static uintptr_t allocate(size_t bytes)
{
	CUdeviceptr memory;

	return CUDA(cuMemAlloc_v2)(&memory, bytes) == CUDA_SUCCESS ? memory : 0;
}

static void release(uintptr_t memory)
{
	CUDA(cuMemFree_v2)(memory);
}

static uint64_t cache_bytes(void)
{
	CUdevice device;
	int bytes = 0;

	if (!CUDA(cuCtxGetDevice) || !CUDA(cuDeviceGetAttribute) ||
		CUDA(cuCtxGetDevice)(&device) != CUDA_SUCCESS ||
		CUDA(cuDeviceGetAttribute)(&bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device) !=
			CUDA_SUCCESS)
		return 0;
	return bytes > 0 ? (uint64_t)bytes : 0;
}

static struct cuda_reader reader;

static bool begin_reading(void)
{
	return cuda_reader_load(&reader);
}

static bool read_memory(uintptr_t memory, size_t bytes, void *stream)
{
	return cuda_reader_launch(&reader, TRACED(cuLaunchKernel), memory, bytes, stream);
}

static void end_reading(void)
{
	cuda_reader_unload(&reader);
}

static bool copy(void *stream, uintptr_t to, uintptr_t from, size_t bytes)
{
	return TRACED(cuMemcpyDtoDAsync_v2)(to, from, bytes, stream) == CUDA_SUCCESS;
}

static const struct replay_device_api on_device = {
	.room = room,
	.cache_bytes = cache_bytes,
	.begin_reading = begin_reading,
	.read = read_memory,
	.end_reading = end_reading,
	.allocate = allocate,
	.release = release,
	.copy = copy,
};

static const struct replay_api cuda_replay;

static void find(uintptr_t address)
{
	CUdeviceptr memory;
	size_t bytes;

	if (CUDA(cuMemGetAddressRange_v2) &&
		CUDA(cuMemGetAddressRange_v2)(&memory, &bytes, address) == CUDA_SUCCESS)
		replay_allocated(&cuda_replay, MEMORY_DEVICE, memory, bytes);
}

static const struct replay_api cuda_replay = {
	.place = place,
	.is_capturing = is_capturing,
	.wait = wait,
	.save = save,
	.restore = restore,
	.on_device = &on_device,
	.find = find,
};

/* ---- whether a launch can be repeated ---- */

#define why_not_cooperative "it is a cooperative launch"
#define why_not_old "it is launched by a call of CUDA 3"

static bool find_variable(CUfunction function, const char *name, CUdeviceptr *memory, size_t *bytes)
{
	void *owner;

	if (CUDA(cuFuncGetModule) && CUDA(cuFuncGetModule)(&owner, function) == CUDA_SUCCESS)
		return CUDA(cuModuleGetGlobal_v2)(memory, bytes, owner, name) == CUDA_SUCCESS;
	return CUDA(cuKernelGetLibrary) && CUDA(cuLibraryGetGlobal) &&
	       CUDA(cuKernelGetLibrary)(&owner, function) == CUDA_SUCCESS &&
	       CUDA(cuLibraryGetGlobal)(memory, bytes, owner, name) == CUDA_SUCCESS;
}

/* A kernel can reach the variables of its module: they are added to the known memory. */
static const char *why_not_image(CUfunction function)
{
	const struct cuda_image *image = cuda_image_of(cuda_kernel_name(function));
	const char *name = NULL;
	CUdeviceptr memory;
	size_t bytes;

	if (!image)
		return NULL;
	if (image->calls_host)
		return "it may print, or allocate memory";
	while ((name = cuda_image_next(image->variables, image->variable_bytes, name))) {
		if (!find_variable(function, name, &memory, &bytes))
			return "a variable of its module cannot be saved";
		replay_allocated(&cuda_replay, MEMORY_DEVICE, memory, bytes);
		reach_add(memory);
	}
	return NULL;
}

static const char *why_not_plain(CUfunction function, void **values, void **extra)
{
	const char *why_not = why_not_image(function);
	size_t bytes;

	if (!why_not && extra)
		why_not = replay_why_not_buffer(&cuda_replay, extra);
	if (!CUDA(cuFuncGetParamInfo) && !extra)
		return why_not
			       ?: replay_has_memory(MEMORY_HOST)
				  ? "the host's memory can be reached, and this driver tells no "
				    "arguments"
				  : NULL;
	for (size_t i = 0; values && !why_not && cuda_parameter_at(function, i, &bytes); i++)
		why_not = replay_why_not_argument(&cuda_replay, values[i], bytes);
	reach_is_told();
	return why_not;
}

static const char *why_not_config(
	const CUlaunchConfig *config, CUfunction function, void **values, void **extra)
{
	for (unsigned i = 0; i < config->numAttrs; i++) {
		int32_t id = config->attrs[i].id;

		if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && *config->attrs[i].value)
			return why_not_cooperative;
		if (id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT ||
			id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
			return "its launch triggers an event";
		if (id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE)
			return "a device may change it";
	}
	return why_not_plain(function, values, extra);
}

/* ---- fills ---- */

static bool fill_again(const struct replay_fill *fill)
{
	CUresult result;

	if (fill->unit_bytes == sizeof(unsigned char))
		result = TRACED(cuMemsetD8Async)(
			fill->to, (unsigned char)fill->value, fill->count, fill->stream);
	else if (fill->unit_bytes == sizeof(unsigned short))
		result = TRACED(cuMemsetD16Async)(
			fill->to, (unsigned short)fill->value, fill->count, fill->stream);
	else
		result = TRACED(cuMemsetD32Async)(fill->to, fill->value, fill->count, fill->stream);
	return result == CUDA_SUCCESS;
}

/* ---- kernels of graphs ---- */

/* Its memory is as the graph has left it, so that a counter which the graph sets for it before
 * other kernels is at its end. */
static bool is_filled_earlier(
	const struct replay *replay, const struct cuda_nodes *nodes, const struct cuda_node *node)
{
	size_t count;
	const uintptr_t *passed = reach_passed(replay, &count);

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < node->filled_before; k++)
			if (passed[i] - nodes->filled[k].begin < nodes->filled[k].bytes)
				return true;
	return false;
}

static const char *why_not_node(
	const struct replay *replay, const struct cuda_nodes *nodes, const struct cuda_node *node)
{
	const char *why_not;
	CUcontext current;

	if (node->why_not)
		return node->why_not;
	if (node->context &&
		(CUDA(cuCtxGetCurrent)(&current) != CUDA_SUCCESS || current != node->context))
		return "its graph runs it in a context that is not the current one";
	for (unsigned i = 0; i < node->fill_count; i++)
		reach_add(node->fills[i].dst);
	why_not = why_not_plain(node->function, node->values, node->extra);
	if (!why_not && is_filled_earlier(replay, nodes, node))
		why_not = "its graph fills memory of it before other kernels";
	return why_not;
}

static bool launch_node(const struct cuda_node *node, CUstream stream)
{
	CUlaunchConfig config = node->config;
	CUlaunchAttribute attributes[CUDA_NODE_ATTRIBUTES];
	CUresult result;

	if (config.numAttrs) {
		memcpy(attributes, node->attributes, sizeof(attributes));
		config.hStream = stream;
		config.attrs = attributes;
		result = TRACED(cuLaunchKernelEx)(
			&config, node->function, node->values, node->extra);
	} else {
		result = TRACED(cuLaunchKernel)(node->function, config.gridDimX, config.gridDimY,
			config.gridDimZ, config.blockDimX, config.blockDimY, config.blockDimZ,
			config.sharedMemBytes, stream, node->values, node->extra);
	}
	return result == CUDA_SUCCESS;
}

static void note_fill(const CUDA_MEMSET_NODE_PARAMS *fill, CUstream stream)
{
	replay_note_fill(&(struct replay_fill){
		fill_again, fill->dst, fill->width, stream, fill->value, fill->elementSize});
}

/* Fills that its graph makes right before it are repeated with it. */
static void replay_node(
	const struct cuda_nodes *nodes, const struct cuda_node *node, CUstream stream)
{
	struct replay replay;

	if (replay_begin_node(&replay, &cuda_replay, stream, node->kernel)) {
		for (unsigned i = 0; i < node->fill_count; i++)
			note_fill(&node->fills[i], stream);
		replay_prepare(&replay, why_not_node(&replay, nodes, node));
		replay_first_fills(&replay);
	}
	while (!replay_is_own(&replay))
		replay_again(&replay, launch_node(node, stream));
	replay_again(&replay, true);
	replay_forget_fills();
}

static void replay_nodes(CUgraphExec exec, CUstream stream)
{
	const struct cuda_nodes *nodes = cuda_nodes_of(exec);
	int error = errno;

	replay_forget_fills();
	for (size_t i = 0; nodes && i < nodes->count; i++)
		replay_node(nodes, &nodes->list[i], stream);
	errno = error;
}

#define changed_cuGraphExecUpdate(exec, graph, failed, why) cuda_nodes_learn(exec, graph, true)
#define changed_cuGraphExecUpdate_v2(exec, graph, why) cuda_nodes_learn(exec, graph, true)
#define changed_cuGraphExecKernelNodeSetParams cuda_nodes_set
#define changed_cuGraphExecKernelNodeSetParams_v2 cuda_nodes_set
#define changed_cuGraphExecNodeSetParams(exec, node, values) cuda_nodes_changed(exec)
#define changed_cuGraphExecChildGraphNodeSetParams(exec, node, graph) cuda_nodes_changed(exec)

/* ---- what ends memory ---- */

/* Whether others still hold the context of a device, which one has released. */
static bool has_primary_context(CUdevice device)
{
	unsigned flags;
	int active = 0;

	return CUDA(cuDevicePrimaryCtxGetState) &&
	       CUDA(cuDevicePrimaryCtxGetState)(device, &flags, &active) == CUDA_SUCCESS && active;
}

/* ---- the wrappers ---- */

#define REPLAY_STATUS CUresult
#define REPLAY_TRACED TRACED
#define REPLAY_API cuda_replay
#include "preload/engine/replay/wrappers.h"

#define loaded cuda_image_loaded
#define from_file cuda_image_loaded_file
#define shape_of cuda_class_of
#define shape_of_config cuda_class_of_config
#define SHAPE grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes

#define KERNEL(cbid, name, params, args, at, stream, shape, why_not)                               \
	REPLAY_KERNEL(name, params, args, stream, shape, why_not, replay_forget_fills())
#define GRAPH(cbid, name, params, args, stream)                                                    \
	REPLAY_GRAPH(name, params, args, replay_nodes(exec, stream_named(#name, stream)),          \
		replay_forget_fills())
#define INSTANTIATE(cbid, name, params, args)                                                      \
	REPLAY_CALL(name, params, args, cuda_nodes_learn(*exec, graph, false))
#define UPDATE(cbid, name, params, args, to) REPLAY_CALL(name, params, args, changed_##name args)
#define MEMORY(cbid, name, params, args, ...) REPLAY_CALL(name, params, args, replay_forget_fills())
#define FILL(cbid, name, params, args, stream)                                                     \
	REPLAY_CALL(name, params, args,                                                            \
		replay_note_fill(&(struct replay_fill){fill_again, to, count,                      \
			stream_named(#name, stream), value, sizeof(value)}))
#define ALLOCATES REPLAY_ALLOCATES
#define FREES REPLAY_FREES
#define FORBIDS REPLAY_FORBIDS
#define LOADS(name, params, args, how) REPLAY_CALL(name, params, args, how)
#define CAPTURES REPLAY_CAPTURES
#define ORDER(...)
#define BLOCKING(...)
#define TEARDOWN(cbid, ...) REPLAY_FORBIDS(__VA_ARGS__)
#define OBJECT(...)
#define RESOLVER(...)
#define PLAIN(...)
#include "preload/api/cuda.def"

void cuda_replay_install(void **wrappers)
{
#define HOOK(api, index, ret, name, params, args, role)                                            \
	traced[HOOK_##name] = wrappers[HOOK_##name];                                               \
	wrappers[HOOK_##name] = replayed_##name;
#define ORDER(...)
#define BLOCKING(...)
#define OBJECT(...)
#define RESOLVER(...)
#define PLAIN(...)
#include "preload/api/cuda.def"
#undef HOOK
}
