/* SPDX-License-Identifier: MIT */
/* CUDA: which way the device's times come, the devices, and wrappers made from cuda.def. */
#include "preload/gpu/cuda.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/clock.h"
#include "preload/conf.h"
#include "preload/gpu/cuda_events.h"
#include "preload/guard.h"
#include "preload/handles.h"
#include "preload/log.h"

const struct engine_host *cuda_host;
enum cuda_timing cuda_timing = CUDA_UNDECIDED;

/* ---- devices ---- */

#define DEVICES_MAX 64

static char *uuid_text(CUdevice device)
{
	cuDeviceGetUuid_function *get =
		CUDA(cuDeviceGetUuid_v2) ? CUDA(cuDeviceGetUuid_v2) : CUDA(cuDeviceGetUuid);
	static const char dash_before[16] = {[4] = 1, [6] = 1, [8] = 1, [10] = 1};
	char *text, *end;
	CUuuid uuid;

	if (!get || get(&uuid, device) != CUDA_SUCCESS || !(text = malloc(48)))
		return NULL;
	end = stpcpy(text, "GPU-");
	for (int i = 0; i < 16; i++)
		end += sprintf(end, "%s%02x", dash_before[i] ? "-" : "", uuid.bytes[i]);
	return text;
}

/* The strings go into a definition and are never freed. */
static char *queried(CUresult (*get)(char *, int, CUdevice), CUdevice device)
{
	enum { TEXT_BYTES = 256 };
	char *text = get ? calloc(1, TEXT_BYTES) : NULL;

	if (text && get(text, TEXT_BYTES, device) != CUDA_SUCCESS)
		text[0] = 0;
	return text;
}

static const char *driver_text(void)
{
	static char text[32];
	int version = 0;

	if (!*text && CUDA(cuDriverGetVersion) &&
		CUDA(cuDriverGetVersion)(&version) == CUDA_SUCCESS)
		snprintf(text, sizeof(text), "CUDA %d.%d", version / 1000, version % 1000 / 10);
	return text;
}

static uint32_t add_device(CUdevice ordinal)
{
	struct pwrtrace_device definition;
	const char *name, *pci, *uuid;
	CUdevice device = ordinal;
	int units = 0;

	if (CUDA(cuDeviceGet))
		CUDA(cuDeviceGet)(&device, ordinal);
	name = queried(CUDA(cuDeviceGetName), device);
	pci = queried(CUDA(cuDeviceGetPCIBusId), device);
	uuid = uuid_text(device);
	if (CUDA(cuDeviceGetAttribute))
		CUDA(cuDeviceGetAttribute)
	(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
	/* Compared byte by byte, so that padding must be zero. */
	memset(&definition, 0, sizeof(definition));
	definition.compute_units = units ? (uint32_t)units : PWRTRACE_UNKNOWN_U32;
	definition.api = "cuda";
	definition.kind = "gpu";
	definition.name = name ? name : "";
	definition.vendor = "NVIDIA";
	definition.driver = driver_text();
	definition.uuid = uuid ? uuid : "";
	definition.pci = pci ? pci : "";
	return gpu_add_device(&definition);
}

uint32_t cuda_device(CUdevice ordinal)
{
	static uint32_t known[DEVICES_MAX];
	uint32_t id;

	if (ordinal < 0 || ordinal >= DEVICES_MAX)
		return add_device(ordinal);
	id = __atomic_load_n(&known[ordinal], __ATOMIC_RELAXED);
	if (!id) {
		id = add_device(ordinal);
		__atomic_store_n(&known[ordinal], id, __ATOMIC_RELAXED);
	}
	return id;
}

/* ---- which way the times come ---- */

static pthread_once_t started = PTHREAD_ONCE_INIT;

/* The driver cannot be used there any more, and a flush of CUPTI hangs. */
static void after_fork_in_child(void)
{
	cuda_timing = CUDA_UNTIMED;
	cupti_records_forget();
}

static void start(void)
{
	const char *why = "";
	enum cuda_timing timing =
		strcmp(conf.cuda_timing, "none") == 0 ? CUDA_UNTIMED : CUDA_BY_EVENTS;

	if (strcmp(conf.cuda_timing, "cupti") == 0) {
		if (cupti_start(&why))
			timing = CUDA_BY_CUPTI;
		else
			log_notice("kernels are timed by CUDA events, less exactly: %s", why);
	}
	log_debug("CUDA's work is timed by %s", timing == CUDA_BY_CUPTI    ? "CUPTI"
						: timing == CUDA_BY_EVENTS ? "events"
									   : "nothing");
	__atomic_store_n(&cuda_timing, timing, __ATOMIC_RELEASE);
	pthread_atfork(NULL, NULL, after_fork_in_child);
}

void cuda_loaded(void)
{
	pthread_once(&started, start);
}

static void register_exit(void)
{
	atexit(cuda_host->flush);
}

void cuda_initialized(void)
{
	static pthread_once_t registered = PTHREAD_ONCE_INIT;

	pthread_once(&registered, register_exit);
}

static CUresult traced_cuInit(unsigned flags)
{
	CUresult result;

	cuda_loaded();
	result = CUDA(cuInit)(flags);
	if (result == CUDA_SUCCESS)
		cuda_initialized();
	return result;
}

/* ---- the program takes CUPTI for itself: its own profiler goes before ours ---- */

static void give_way(void)
{
	if (cuda_timing != CUDA_BY_CUPTI)
		return;
	__atomic_store_n(&cuda_timing, CUDA_BY_EVENTS, __ATOMIC_RELEASE);
	cupti_stop();
	log_notice("the program profiles itself with CUPTI: from now on its kernels are timed by "
		   "CUDA events, less exactly");
}

#define CUPTI(name) ((name##_function *)cuda_host->real[HOOK_##name])
#define TAKES(name, params, args)                                                                  \
	static CUptiResult traced_##name params                                                    \
	{                                                                                          \
		give_way();                                                                        \
		return CUPTI(name) args;                                                           \
	}
#include "preload/gpu/cupti.def"

/* ---- sizes and shapes that rows of cuda.def ask for ---- */

static uint64_t bytes_2d(const CUDA_MEMCPY2D *copy)
{
	return (uint64_t)copy->WidthInBytes * copy->Height;
}

static uint64_t bytes_3d(const CUDA_MEMCPY3D *copy)
{
	return (uint64_t)copy->WidthInBytes * copy->Height * copy->Depth;
}

static uint64_t bytes_of(const size_t *sizes, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += sizes[i];
	return sum;
}

const char *cuda_kernel_name(CUfunction function)
{
	const char *name = NULL;

	/* A CUfunction may be a CUkernel in disguise. */
	if (CUDA(cuFuncGetName) && CUDA(cuFuncGetName)(&name, function) == CUDA_SUCCESS && name)
		return name;
	if (CUDA(cuKernelGetName) && CUDA(cuKernelGetName)(&name, function) == CUDA_SUCCESS && name)
		return name;
	return "(a kernel whose name this driver does not tell)";
}

uint32_t cuda_kernel_class(const unsigned grid[3], const unsigned block[3], unsigned shared_bytes,
	uint32_t registers, const char *name)
{
	struct gpu_kernel class = {.api = &cupti_api};

	for (int i = 0; i < 3; i++) {
		class.global[i] = (uint64_t)grid[i] * block[i];
		class.local[i] = block[i];
	}
	class.name = gpu_add_name(name);
	class.shared_bytes = shared_bytes;
	class.registers = registers;
	return gpu_kernel_class(&class);
}

static uint32_t shape_of(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes)
{
	return cuda_kernel_class((unsigned[]){grid_x, grid_y, grid_z},
		(unsigned[]){block_x, block_y, block_z}, shared_bytes, PWRTRACE_UNKNOWN_U32,
		cuda_kernel_name(function));
}

static uint32_t shape_of_config(CUfunction function, const CUlaunchConfig *config)
{
	return shape_of(function, config->gridDimX, config->gridDimY, config->gridDimZ,
		config->blockDimX, config->blockDimY, config->blockDimZ, config->sharedMemBytes);
}

/* ---- the wrappers, where CUPTI tells nothing ---- */

const struct gpu_api cuda_api = {
	.name = "cuda",
	.poll = cuda_pair_poll,
	.release = cuda_pair_release,
};

void cuda_submit_order(struct gpu_work *work, enum cuda_order order, CUevent event)
{
	static const struct gpu_call after = {&cuda_api, "", "event"};
	bool awaits = order == CUDA_STREAM_AWAITS || order == CUDA_AWAITS_EVENT;

	work->token = order == CUDA_RECORDS ? event : NULL;
	gpu_submit(work);
	if (awaits)
		gpu_submit(&(struct gpu_work){.kind = GPU_WORK_AFTER,
			.correlation = work->correlation,
			.token = event,
			.call = &after});
}

static struct handles streams = HANDLES_INIT;

/* Default streams have no handle of their own: each context has one, and each thread in it. */
static CUstream default_stream(CUstream stream)
{
	uintptr_t context = 0;

	CUDA(cuCtxGetCurrent)((CUcontext *)&context);
	if (stream == CU_STREAM_PER_THREAD)
		context ^= (uintptr_t)&guard_depth << 16;
	return (CUstream)context;
}

static uint32_t stream_of(CUstream stream, uint32_t device)
{
	uint32_t id;

	if ((uintptr_t)stream <= (uintptr_t)CU_STREAM_PER_THREAD)
		stream = default_stream(stream);
	id = handles_get(&streams, stream);
	if (!id) {
		id = gpu_add_stream(&(struct gpu_stream){.device = device});
		handles_set(&streams, stream, id);
	}
	return id;
}

bool cuda_means_thread_stream(const char *name)
{
	const char *end = name + strlen(name) - 5;

	return strcmp(end, "_ptsz") == 0 || strcmp(end, "_ptds") == 0;
}

/* In capture no work begins, and an event would become a node of the program's graph. */
static bool is_capturing(CUstream stream)
{
	int status = CU_STREAM_CAPTURE_STATUS_NONE;

	return CUDA(cuStreamIsCapturing) &&
	       (CUDA(cuStreamIsCapturing)(stream, &status) != CUDA_SUCCESS ||
		       status != CU_STREAM_CAPTURE_STATUS_NONE);
}

struct launch {
	struct gpu_work work;
	struct cuda_pair *pair;
	CUstream stream;
};

static bool launch_begin(struct launch *launch, const struct gpu_call *call, CUstream stream,
	enum gpu_work_kind kind)
{
	struct gpu_work *work = &launch->work;
	CUdevice ordinal;
	uint32_t device;

	cuda_loaded();
	if (__atomic_load_n(&cuda_timing, __ATOMIC_RELAXED) == CUDA_BY_CUPTI || !guard_enter())
		return false;
	launch->stream =
		!stream && cuda_means_thread_stream(call->name) ? CU_STREAM_PER_THREAD : stream;
	/* A call that must fail, as in a forked child, is no use of a device. */
	if (CUDA(cuCtxGetDevice)(&ordinal) != CUDA_SUCCESS || !gpu_launches_wanted() ||
		is_capturing(launch->stream)) {
		guard_leave();
		return false;
	}
	device = cuda_device(ordinal);
	launch->pair = NULL;
	*work = (struct gpu_work){.kind = kind,
		.call = call,
		.layer = gpu_current_layer(),
		.tid = gpu_tid(),
		.correlation = gpu_new_correlation(),
		.stream = stream_of(launch->stream, device),
		.enqueue_ns = clock_now_ns()};
	if (kind <= GPU_WORK_GRAPH && cuda_timing == CUDA_BY_EVENTS)
		launch->pair = cuda_pair_begin(launch->stream, device, work->enqueue_ns);
	return true;
}

static bool launch_end(struct launch *launch, CUresult result)
{
	bool ok = result == CUDA_SUCCESS;

	launch->work.return_ns = clock_now_ns();
	if (launch->pair && cuda_pair_end(launch->pair, launch->stream, ok))
		launch->work.token = launch->pair;
	return ok;
}

#define LAUNCHING(name_, params, args, stream, work_kind, memory_kind, submit, then)               \
	static CUresult traced_##name_ params                                                      \
	{                                                                                          \
		static const struct gpu_call call = {&cuda_api, #name_, memory_kind};              \
		struct launch launch;                                                              \
		CUresult result;                                                                   \
                                                                                                   \
		if (!launch_begin(&launch, &call, stream, work_kind))                              \
			return CUDA(name_) args;                                                   \
		result = CUDA(name_) args;                                                         \
		if (launch_end(&launch, result))                                                   \
			submit;                                                                    \
		then;                                                                              \
		guard_leave();                                                                     \
		return result;                                                                     \
	}

static void submit_kernel(struct gpu_work *work, uint32_t kernel)
{
	work->kernel = kernel;
	gpu_submit(work);
}

static void submit_memory(struct gpu_work *work, uint64_t bytes)
{
	work->bytes = bytes;
	gpu_submit(work);
}

#define SHAPE grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes

#define KERNEL(cbid, name, params, args, at, stream, shape)                                        \
	LAUNCHING(name, params, args, stream, GPU_WORK_KERNEL, NULL,                               \
		submit_kernel(&launch.work, shape), (void)0)
#define GRAPH(cbid, name, params, args, stream)                                                    \
	LAUNCHING(name, params, args, stream, GPU_WORK_GRAPH, NULL,                                \
		submit_kernel(&launch.work, cuda_graph_of(exec)), (void)0)
#define MEMORY(cbid, name, params, args, kind, bytes, stream)                                      \
	LAUNCHING(name, params, args, stream, GPU_WORK_MEMORY, kind,                               \
		submit_memory(&launch.work, bytes), (void)0)
#define ORDER(cbid, name, params, args, stream, event, order)                                      \
	LAUNCHING(name, params, args, stream, GPU_WORK_SYNC, NULL,                                 \
		cuda_submit_order(&launch.work, order, event), (void)0)
#define BLOCKING(cbid, name, params, args, stream, event, order)                                   \
	LAUNCHING(name, params, args, stream, GPU_WORK_SYNC, NULL,                                 \
		cuda_submit_order(&launch.work, order, event), gpu_waited())
#define FOLLOWING(name, params, args, exec, graph)                                                 \
	static CUresult traced_##name params                                                       \
	{                                                                                          \
		CUresult result = CUDA(name) args;                                                 \
                                                                                                   \
		if (result == CUDA_SUCCESS && cuda_timing != CUDA_BY_CUPTI)                        \
			cuda_graph_known(exec, graph);                                             \
		return result;                                                                     \
	}
#define INSTANTIATE(cbid, name, params, args) FOLLOWING(name, params, args, *exec, graph)
#define UPDATE(cbid, name, params, args, graph) FOLLOWING(name, params, args, exec, graph)
#define TEARDOWN(cbid, name, params, args)                                                         \
	static CUresult traced_##name params                                                       \
	{                                                                                          \
		if (__atomic_load_n(&cuda_timing, __ATOMIC_RELAXED) == CUDA_BY_EVENTS)             \
			gpu_wait_for_all();                                                      \
		return CUDA(name) args;                                                            \
	}
#define OBJECT(cbid, name, params, args)
#define RESOLVER(name, params, args)
#define PLAIN(name, params)
#include "preload/gpu/cuda.def"

void cuda_install(void **wrappers, const struct engine_host *host)
{
	cuda_host = host;
#define HOOK(api, index, ret, name, params, args, role) wrappers[HOOK_##name] = traced_##name;
#define RESOLVER(name, params, args)
#define PLAIN(name, params)
#include "preload/gpu/cuda.def"
#include "preload/gpu/cupti.def"
#undef HOOK
}
