/* SPDX-License-Identifier: MIT */
/* CUDA: which way the device's times come, the devices, and wrappers made from cuda.def. */
#include "preload/engine/gpu/cuda/cuda.h"
#include "preload/engine/gpu/cuda/cupti.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/engine/core/guard.h"
#include "preload/engine/core/handles.h"

const struct engine_host *cuda_host;
enum cuda_timing cuda_timing = CUDA_UNDECIDED;

/* ---- devices ---- */

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
	static struct gpu_ordinals devices = {.add = add_device};

	return gpu_device_at(&devices, ordinal);
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
#include "preload/api/cupti.def"

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

int cuda_attribute(CUfunction function, int which)
{
	int value = 0;

	if (CUDA(cuFuncGetAttribute))
		CUDA(cuFuncGetAttribute)(&value, which, function);
	return value;
}

unsigned cuda_shared_bytes(CUfunction function, unsigned dynamic_bytes)
{
	return (unsigned)cuda_attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) +
	       dynamic_bytes;
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

uint32_t cuda_shape_of(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes)
{
	return cuda_kernel_class((unsigned[]){grid_x, grid_y, grid_z},
		(unsigned[]){block_x, block_y, block_z}, cuda_shared_bytes(function, shared_bytes),
		PWRTRACE_UNKNOWN_U32, cuda_kernel_name(function));
}

uint32_t cuda_shape_of_config(CUfunction function, const CUlaunchConfig *config)
{
	return cuda_shape_of(function, config->gridDimX, config->gridDimY, config->gridDimZ,
		config->blockDimX, config->blockDimY, config->blockDimZ, config->sharedMemBytes);
}

/* ---- the wrappers, where CUPTI tells nothing ---- */

const struct gpu_api cuda_api = {
	.name = "cuda",
	.poll = event_pair_poll,
	.release = event_pair_release,
};

static struct handles streams;

static bool place(void *stream, uint32_t *device, void **default_of)
{
	CUdevice ordinal;

	(void)stream;
	if (CUDA(cuCtxGetDevice)(&ordinal) != CUDA_SUCCESS)
		return false;
	*device = cuda_device(ordinal);
	CUDA(cuCtxGetCurrent)(default_of);
	return true;
}

static bool is_capturing(void *stream)
{
	int status = CU_STREAM_CAPTURE_STATUS_NONE;

	return CUDA(cuStreamIsCapturing) &&
	       (CUDA(cuStreamIsCapturing)(stream, &status) != CUDA_SUCCESS ||
		       status != CU_STREAM_CAPTURE_STATUS_NONE);
}

const struct stream_api cuda_streams = {
	.events = &cuda_events,
	.place = place,
	.is_capturing = is_capturing,
	.streams = &streams,
};

static bool by_wrappers(void)
{
	cuda_loaded();
	return __atomic_load_n(&cuda_timing, __ATOMIC_RELAXED) != CUDA_BY_CUPTI;
}

static bool by_events(void)
{
	return __atomic_load_n(&cuda_timing, __ATOMIC_RELAXED) == CUDA_BY_EVENTS;
}

#define STREAM_STATUS CUresult
#define STREAM_REAL CUDA
#define STREAM_API cuda_streams
#define STREAM_POLLED cuda_api
#define STREAM_TRACED by_wrappers
#define STREAM_TIMED by_events
#define STREAM_ALL "context"
#include "preload/engine/gpu/stream_wrappers.h"

#define shape_of cuda_shape_of
#define shape_of_config cuda_shape_of_config
#define SHAPE grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes

#define KERNEL(cbid, name, params, args, at, stream, shape, why_not)                               \
	WRAP_KERNEL(name, params, args, stream, shape)
#define GRAPH(cbid, name, params, args, stream) WRAP_GRAPH(name, params, args, stream)
#define MEMORY(cbid, name, params, args, kind, bytes, stream)                                      \
	WRAP_MEMORY(name, params, args, kind, 0, bytes, stream)
#define ORDER(cbid, name, params, args, ...) WRAP_ORDER(name, params, args, __VA_ARGS__)
#define BLOCKING(cbid, name, params, args, ...) WRAP_BLOCKING(name, params, args, __VA_ARGS__)
#define INSTANTIATE(cbid, name, params, args)                                                      \
	WRAP_FOLLOWING(name, params, args, cuda_graph_known, *exec, graph)
#define UPDATE(cbid, name, params, args, graph)                                                    \
	WRAP_FOLLOWING(name, params, args, cuda_graph_known, exec, graph)
#define TEARDOWN(cbid, name, params, args) WRAP_TEARDOWN(name, params, args, )
#define ALLOCATES(...)
#define FREES(...)
#define FORBIDS(...)
#define LOADS(...)
#define CAPTURES(...)
#define OBJECT(cbid, name, params, args)
#define RESOLVER(name, params, args)
#define PLAIN(name, params)
#include "preload/api/cuda.def"

void cuda_install(void **wrappers, const struct engine_host *host)
{
	cuda_host = host;
#define HOOK(api, index, ret, name, params, args, role) wrappers[HOOK_##name] = traced_##name;
#define ALLOCATES(...)
#define FREES(...)
#define FORBIDS(...)
#define LOADS(...)
#define CAPTURES(...)
#define RESOLVER(name, params, args)
#define PLAIN(name, params)
#include "preload/api/cuda.def"
#include "preload/api/cupti.def"
#undef HOOK
}
