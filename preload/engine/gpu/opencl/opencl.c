/* SPDX-License-Identifier: MIT */
/* OpenCL: wrappers of the calls that launch, order and wait, made from opencl.def. */
#include "preload/engine/gpu/opencl/opencl.h"

#include "preload/common/launch_path.h"
#include "preload/engine/callstack/callstack.h"
#include "preload/engine/core/guard.h"
#include "preload/engine/core/launch_clock.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/gpu/submit.h"

/* ---- functions that the rows of opencl.def call ---- */

static uint64_t region_bytes(const size_t *region, size_t element_bytes)
{
	return (uint64_t)region[0] * region[1] * region[2] * element_bytes;
}

static size_t element_bytes(cl_mem image)
{
	size_t bytes = 0;

	OPENCL(clGetImageInfo)(image, CL_IMAGE_ELEMENT_SIZE, sizeof(bytes), &bytes, NULL);
	return bytes;
}

static uint64_t memories_bytes(cl_uint memories, const cl_mem *memory)
{
	uint64_t sum = 0;

	for (cl_uint i = 0; i < memories; i++) {
		size_t bytes = 0;

		OPENCL(clGetMemObjectInfo)(memory[i], CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
		sum += bytes;
	}
	return sum;
}

static uint64_t sizes_bytes(cl_uint count, const size_t *sizes)
{
	uint64_t sum = 0;

	/* Without sizes, whole allocations move, of unknown size. */
	if (!sizes)
		return PWRTRACE_UNKNOWN_U64;
	for (cl_uint i = 0; i < count; i++)
		sum += sizes[i];
	return sum;
}

/* ---- what every wrapper does ---- */

/* A call of the program's that launches, orders or waits; from before it to after it. */
struct opencl_launch {
	uint64_t enqueue_ns, return_ns;
	uint32_t layer;
	uint32_t kernel; /* of a kernel: its class */
	uint64_t bytes;  /* of a copy or fill */
	cl_event own;
	cl_event *event; /* where the real call writes its event: the program's variable, or own */
};

static inline bool launch_begin(struct opencl_launch *launch, cl_event *event)
{
	if (!gpu_launches_wanted() || !guard_enter())
		return false;
	launch->own = NULL;
	launch->event = event ? event : &launch->own;
	launch->layer = gpu_current_layer();
	launch->enqueue_ns = launch_clock_stamp();
	return true;
}

static APART void submit_waits(uint32_t correlation, cl_uint waits, const cl_event *wait_list)
{
	for (cl_uint i = 0; i < waits; i++)
		gpu_submit(&(struct gpu_work){.kind = GPU_WORK_DEPENDENCY,
			.correlation = correlation,
			.dependency = {wait_list[i], "wait list"}});
}

static void launch_end(const struct opencl_launch *launch, const struct gpu_call *call,
	enum gpu_work_kind kind, cl_command_queue queue, cl_uint waits, const cl_event *wait_list)
{
	struct gpu_work work = {.kind = kind,
		.tid = gpu_tid(),
		.correlation = gpu_new_correlation(),
		.stream = queue ? opencl_stream(queue) : 0,
		.place = {launch->layer, kind == GPU_WORK_SYNC ? 0 : callstack_current()},
		.enqueue_ns = launch->enqueue_ns,
		.return_ns = launch->return_ns,
		.call = call,
		.token = *launch->event};

	if (kind == GPU_WORK_KERNEL) {
		work.kernel.id = launch->kernel;
	} else if (kind == GPU_WORK_MEMORY) {
		work.memory.bytes = launch->bytes;
		work.memory.kind = call->memory_kind;
	}
	if (wait_list)
		submit_waits(work.correlation, waits, wait_list);
	/* The collector releases the event: of the program's own event it needs a reference. */
	if (kind != GPU_WORK_SYNC && launch->event != &launch->own)
		OPENCL(clRetainEvent)(work.token);
	gpu_submit(&work);
}

/* ---- the wrappers ---- */

#define WRAP_LAUNCH(ret, name_, memory_kind_, params, args, succeeded, work_kind, describe)        \
	static ret traced_##name_ params                                                           \
	{                                                                                          \
		static const struct gpu_call call = {                                              \
			&opencl_api, #name_, .memory_kind = memory_kind_};                         \
		struct opencl_launch launch;                                                       \
		ret result;                                                                        \
                                                                                                   \
		if (!launch_begin(&launch, event))                                                 \
			return OPENCL(name_) args;                                                 \
		event = launch.event;                                                              \
		result = OPENCL(name_) args;                                                       \
		launch.return_ns = launch_clock_stamp();                                           \
		if (succeeded) {                                                                   \
			describe;                                                                  \
			launch_end(&launch, &call, work_kind, queue, waits, wait_list);            \
		}                                                                                  \
		guard_leave();                                                                     \
		return result;                                                                     \
	}

#define KERNEL(index, name, params, args, kernel_, dimensions, global, local)                      \
	WRAP_LAUNCH(cl_int, name, NULL, params, args, result == CL_SUCCESS, GPU_WORK_KERNEL,       \
		launch.kernel = opencl_kernel_class(kernel_, dimensions, global, local))
#define MEMORY(index, name, params, args, kind, bytes_)                                            \
	WRAP_LAUNCH(cl_int, name, kind, params, args, result == CL_SUCCESS, GPU_WORK_MEMORY,       \
		launch.bytes = bytes_)
#define MAPPING(index, name, params, args, kind, bytes_)                                           \
	WRAP_LAUNCH(void *, name, kind, params, args, result != NULL, GPU_WORK_MEMORY,             \
		launch.bytes = bytes_)

/* An order or a wait has no execution on the device, and so needs no event. */
#define WRAP_SYNC(name_, params, args, queue, waits, wait_list, event, awaits_, then)              \
	static cl_int traced_##name_ params                                                        \
	{                                                                                          \
		static const struct gpu_call call = {&opencl_api, #name_, .awaits = awaits_};      \
		struct opencl_launch launch;                                                       \
		cl_int result;                                                                     \
                                                                                                   \
		if (!launch_begin(&launch, event))                                                 \
			return OPENCL(name_) args;                                                 \
		result = OPENCL(name_) args;                                                       \
		launch.return_ns = launch_clock_stamp();                                           \
		if (result == CL_SUCCESS)                                                          \
			launch_end(&launch, &call, GPU_WORK_SYNC, queue, waits, wait_list);        \
		then;                                                                              \
		guard_leave();                                                                     \
		return result;                                                                     \
	}

#define ORDER(index, name, params, args, waits, wait_list, event)                                  \
	WRAP_SYNC(name, params, args, queue, waits, wait_list, event, NULL, (void)0)
#define BLOCKING(index, name, params, args, queue, waits, wait_list, awaits)                       \
	WRAP_SYNC(name, params, args, queue, waits, wait_list, NULL, awaits, gpu_after_wait())
#define OBJECT(index, ret, name, params, args)
#define QUERY(index, ret, name, params, args)
#define MAKES(...)
#define RELEASES(...)
#define PLAIN(index, ret, name, params)
#include "preload/api/opencl.def"

/* ---- the collector's side ---- */

static enum gpu_progress poll_event(void *token, struct gpu_times *times)
{
	static const cl_uint stamps[] = {
		CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
	uint64_t *const values[] = {&times->queued_ns, &times->begin_ns, &times->end_ns};
	cl_int status = CL_COMPLETE;

	if (OPENCL(clGetEventInfo)(token, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
		    &status, NULL) != CL_SUCCESS ||
		status < CL_COMPLETE)
		return GPU_FAILED;
	if (status > CL_COMPLETE)
		return GPU_RUNNING;
	for (int i = 0; i < 3; i++)
		if (OPENCL(clGetEventProfilingInfo)(
			    token, stamps[i], sizeof(cl_ulong), values[i], NULL) != CL_SUCCESS)
			return GPU_UNTIMED;
	return GPU_FINISHED;
}

static void release_event(void *token)
{
	OPENCL(clReleaseEvent)(token);
}

static void release_queue(void *token)
{
	OPENCL(clReleaseCommandQueue)(token);
}

const struct gpu_api opencl_api = {
	.name = "opencl",
	.poll = poll_event,
	.release = release_event,
	.release_stream = release_queue,
	.harvest = opencl_replay_harvest,
};

static void install(void **wrappers, const struct engine_host *host)
{
	opencl_host = host;
	opencl_install_objects(wrappers);
#define INSTALL(index, name, ...) wrappers[HOOK_##name] = traced_##name;
#define KERNEL INSTALL
#define MEMORY INSTALL
#define MAPPING INSTALL
#define ORDER INSTALL
#define BLOCKING INSTALL
#define OBJECT(index, ret, name, params, args)
#define QUERY(index, ret, name, params, args)
#define MAKES(...)
#define RELEASES(...)
#define PLAIN(index, ret, name, params)
#include "preload/api/opencl.def"
#undef INSTALL
}

const struct gpu_back_end opencl_back_end = {
	.install = install,
	.install_replay = opencl_replay_install,
	.api = &opencl_api,
};
