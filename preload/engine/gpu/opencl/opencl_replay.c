/* SPDX-License-Identifier: MIT */
/* Replay with OpenCL, where a kernel can reach only buffers of its context. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/clock.h"
#include "preload/engine/gpu/opencl/opencl.h"
#include "preload/engine/replay/replay.h"

/* The wrappers that trace. */
static void *traced[HOOK_COUNT];

#define TRACED(name) ((name##_function *)(traced[HOOK_##name] ?: opencl_host->real[HOOK_##name]))

/* ---- the queues of a context, all of which must finish before a replay ---- */

static struct opencl_queue {
	cl_command_queue queue;
	cl_context context;
} * queues;
static size_t queue_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void queue_made(cl_context context, cl_command_queue queue)
{
	struct opencl_queue *more;

	pthread_mutex_lock(&lock);
	more = realloc(queues, (queue_count + 1) * sizeof(*queues));
	if (more) {
		queues = more;
		queues[queue_count++] = (struct opencl_queue){queue, context};
	} else {
		replay_forbid("the host's memory ran out");
	}
	pthread_mutex_unlock(&lock);
}

/* With lock held. */
static void forget_queue(void *queue)
{
	for (size_t i = queue_count; i > 0; i--)
		if (queues[i - 1].queue == queue)
			queues[i - 1] = queues[--queue_count];
}

/* Waits with a limit, because the queue itself may wait for the host. */
static bool wait_for_queue(cl_command_queue queue)
{
	enum { LIMIT_S = 10, PAUSE_NS = 20000 };
	uint64_t until_ns = clock_now_ns() + LIMIT_S * PWRTRACE_NS_PER_S;
	cl_int status = CL_COMPLETE + 1;
	cl_event event;

	if (!OPENCL(clEnqueueMarkerWithWaitList))
		return OPENCL(clFinish)(queue) == CL_SUCCESS;
	if (OPENCL(clEnqueueMarkerWithWaitList)(queue, 0, NULL, &event) != CL_SUCCESS)
		return false;
	OPENCL(clFlush)(queue);
	while (OPENCL(clGetEventInfo)(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
		       &status, NULL) == CL_SUCCESS &&
		status > CL_COMPLETE && clock_now_ns() < until_ns)
		nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
	OPENCL(clReleaseEvent)(event);
	return status == CL_COMPLETE;
}

static bool wait(void *context)
{
	bool done = true;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < queue_count && done; i++)
		done = queues[i].context != context || wait_for_queue(queues[i].queue);
	pthread_mutex_unlock(&lock);
	return done;
}

/* ---- functions of struct replay_api ---- */

static bool place(void *queue, uint32_t *device, void **context)
{
	uint32_t stream = queue ? opencl_stream(queue) : 0;

	if (!stream)
		return false;
	*device = gpu_stream(stream)->device;
	return OPENCL(clGetCommandQueueInfo)(
		       queue, CL_QUEUE_CONTEXT, sizeof(*context), context, NULL) == CL_SUCCESS;
}

static bool is_capturing(void *queue)
{
	(void)queue;
	return false;
}

/* Fails for mapped buffers, because the host may change them meanwhile. */
static bool save(void *queue, void *to, uintptr_t from, size_t at, size_t bytes)
{
	cl_uint mapped = 0;

	OPENCL(clGetMemObjectInfo)
	((cl_mem)from, CL_MEM_MAP_COUNT, sizeof(mapped), &mapped, NULL);
	return !mapped && TRACED(clEnqueueReadBuffer)(queue, (cl_mem)from, 1, at, bytes, to, 0,
				  NULL, NULL) == CL_SUCCESS;
}

static bool restore(void *queue, uintptr_t to, size_t at, const void *from, size_t bytes)
{
	return TRACED(clEnqueueWriteBuffer)(queue, (cl_mem)to, 1, at, bytes, from, 0, NULL, NULL) ==
	       CL_SUCCESS;
}

static const struct replay_api opencl_replay = {
	.place = place,
	.is_capturing = is_capturing,
	.wait = wait,
	.save = save,
	.restore = restore,
};

/* ---- memory ---- */

static void buffer_made(cl_context context, cl_mem_flags flags, size_t bytes, cl_mem buffer)
{
	if (flags & CL_MEM_READ_ONLY)
		return;
	if (flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))
		replay_forbid("buffers are in use that the host may not read and write");
	replay_add_memory(&(struct memory_range){.begin = (uintptr_t)buffer,
		.end = (uintptr_t)buffer + 1,
		.bytes = bytes,
		.place = context,
		.kind = MEMORY_DEVICE});
}

static void image_made(cl_mem_flags flags)
{
	if (!(flags & CL_MEM_READ_ONLY))
		replay_forbid("images are in use that kernels may write");
}

static void forget_memory(void *memory)
{
	replay_freed((uintptr_t)memory, 1);
}

/* ---- what the program releases ---- */

static cl_uint queue_references(void *queue)
{
	cl_uint count = 0;

	OPENCL(clGetCommandQueueInfo)
	(queue, CL_QUEUE_REFERENCE_COUNT, sizeof(count), &count, NULL);
	return count;
}

static cl_uint memory_references(void *memory)
{
	cl_uint count = 0;

	OPENCL(clGetMemObjectInfo)(memory, CL_MEM_REFERENCE_COUNT, sizeof(count), &count, NULL);
	return count;
}

static void retain_queue(void *queue)
{
	OPENCL(clRetainCommandQueue)(queue);
}

static void retain_memory(void *memory)
{
	OPENCL(clRetainMemObject)(memory);
}

static void release_queue(void *queue)
{
	OPENCL(clReleaseCommandQueue)(queue);
}

static void release_memory(void *memory)
{
	OPENCL(clReleaseMemObject)(memory);
}

struct object_kind {
	cl_uint (*references)(void *object);
	void (*retain)(void *object);
	void (*release)(void *object);
	void (*forget)(void *object);
};

static const struct object_kind queue_kind = {
	queue_references, retain_queue, release_queue, forget_queue};
static const struct object_kind memory_kind = {
	memory_references, retain_memory, release_memory, forget_memory};

/* What commands, events or sub-buffers hold when the program releases it lives until they let go,
 * and OpenCL does not say when that is: meanwhile it is known, and has a reference of ours. */
static struct held_object {
	const struct object_kind *kind;
	void *object;
} * held;
static size_t held_count;

static bool hold(const struct object_kind *kind, void *object)
{
	struct held_object *more;

	for (size_t i = 0; i < held_count; i++)
		if (held[i].object == object)
			return true;
	more = realloc(held, (held_count + 1) * sizeof(*held));
	if (!more)
		return false;
	held = more;
	held[held_count++] = (struct held_object){kind, object};
	kind->retain(object);
	return true;
}

/* To be called before the program's release. */
static void released(const struct object_kind *kind, void *object)
{
	pthread_mutex_lock(&lock);
	if (kind->references(object) == 1)
		kind->forget(object);
	else if (!hold(kind, object))
		replay_forbid("the host's memory ran out");
	pthread_mutex_unlock(&lock);
}

/* Finds one that nobody else holds any more, and forgets it. */
static bool take_unheld(struct held_object *taken)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (size_t i = held_count; i > 0 && !found; i--) {
		*taken = held[i - 1];
		found = taken->kind->references(taken->object) == 1;
		if (!found)
			continue;
		taken->kind->forget(taken->object);
		held[i - 1] = held[--held_count];
	}
	pthread_mutex_unlock(&lock);
	return found;
}

/* Lets go of what nobody else holds any more; not while a replay goes on.  Without the lock,
 * because the release may call the program. */
static void let_go(void)
{
	struct held_object unheld;

	while (take_unheld(&unheld))
		unheld.kind->release(unheld.object);
}

bool opencl_replay_harvest(bool last)
{
	(void)last;
	if (__atomic_load_n(&held_count, __ATOMIC_RELAXED) && replay_call_try()) {
		let_go();
		replay_call_end();
	}
	return false;
}

/* ---- whether a launch can be repeated ---- */

/* Without its source this is unknown; then it is assumed not to print. */
static bool prints(cl_program program)
{
	size_t bytes = 0;
	char *source;
	bool found;

	if (OPENCL(clGetProgramInfo)(program, CL_PROGRAM_SOURCE, 0, NULL, &bytes) != CL_SUCCESS ||
		!(source = calloc(1, bytes + 1)))
		return false;
	OPENCL(clGetProgramInfo)(program, CL_PROGRAM_SOURCE, bytes, source, NULL);
	found = strstr(source, "printf");
	free(source);
	return found;
}

static bool has_variables(cl_program program, cl_command_queue queue)
{
	cl_device_id device = NULL;
	size_t bytes = 0;

	OPENCL(clGetCommandQueueInfo)(queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL);
	return OPENCL(clGetProgramBuildInfo)(program, device,
		       CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof(bytes), &bytes,
		       NULL) == CL_SUCCESS &&
	       bytes;
}

/* Whether an event waits for the host.  Others finish by themselves. */
static bool is_of_host(cl_event event)
{
	cl_uint type = 0;
	cl_int status = CL_COMPLETE;

	OPENCL(clGetEventInfo)(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL);
	OPENCL(clGetEventInfo)
	(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
	return type == CL_COMMAND_USER && status != CL_COMPLETE;
}

static const char *why_not(
	cl_command_queue queue, cl_kernel kernel, cl_uint waits, const cl_event *wait_list)
{
	cl_program program = NULL;

	if (!kernel)
		return "it is a function of the host";
	OPENCL(clGetKernelInfo)(kernel, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL);
	if (!program || prints(program))
		return "it may print, or allocate memory";
	if (has_variables(program, queue))
		return "a variable of its module cannot be saved";
	if (gpu_stream(opencl_stream(queue))->out_of_order)
		return "its queue runs out of order";
	for (cl_uint i = 0; wait_list && i < waits; i++)
		if (is_of_host(wait_list[i]))
			return "it waits for the host";
	return NULL;
}

/* ---- the wrappers ---- */

#define KERNEL(index, name, params, args, kernel_, dimensions, global, local)                      \
	static cl_int replayed_##name params                                                       \
	{                                                                                          \
		cl_event *asked = event;                                                           \
		struct replay replay;                                                              \
		cl_int result;                                                                     \
                                                                                                   \
		if (replay_begin(&replay, &opencl_replay, queue,                                   \
			    opencl_kernel_class(kernel_, dimensions, global, local)))              \
			replay_prepare(&replay, why_not(queue, kernel_, waits, wait_list));        \
		do {                                                                               \
			event = replay_is_own(&replay) ? asked : NULL;                             \
			result = TRACED(name) args;                                                \
		} while (replay_again(&replay, result == CL_SUCCESS));                             \
		return result;                                                                     \
	}

#define WRAP_CALL(ret, name, params, args, before, then)                                           \
	static ret replayed_##name params                                                          \
	{                                                                                          \
		ret made;                                                                          \
                                                                                                   \
		replay_call_begin();                                                               \
		before;                                                                            \
		made = TRACED(name) args;                                                          \
		then;                                                                              \
		replay_call_end();                                                                 \
		return made;                                                                       \
	}

#define NOTHING (void)0
#define MEMORY(index, name, params, args, ...)                                                     \
	WRAP_CALL(cl_int, name, params, args, NOTHING, NOTHING)
#define MAPPING(index, name, params, args, ...)                                                    \
	WRAP_CALL(void *, name, params, args, NOTHING, NOTHING)
#define MAKES(index, ret, name, params, args, then)                                                \
	WRAP_CALL(ret, name, params, args, let_go(), if (made) then)
#define OBJECT(index, ret, name, params, args)                                                     \
	WRAP_CALL(ret, name, params, args, NOTHING, if (made) queue_made(context, made))
#define RELEASES(index, name, params, args, object)                                                \
	WRAP_CALL(cl_int, name, params, args, released(&memory_kind, object), let_go())
#define ORDER(...)
#define BLOCKING(...)
#define QUERY(...)
#define PLAIN(...)
#include "preload/api/opencl.def"

static cl_int replayed_clReleaseCommandQueue(cl_command_queue queue)
{
	cl_int result;

	replay_call_begin();
	released(&queue_kind, queue);
	result = TRACED(clReleaseCommandQueue)(queue);
	replay_call_end();
	return result;
}

void opencl_replay_install(void **wrappers)
{
#define HOOK(api, index, ret, name, params, args, role)                                            \
	traced[HOOK_##name] = wrappers[HOOK_##name];                                               \
	wrappers[HOOK_##name] = replayed_##name;
#define ORDER(...)
#define BLOCKING(...)
#define QUERY(...)
#define PLAIN(...)
#include "preload/api/opencl.def"
	HOOK(opencl, , cl_int, clReleaseCommandQueue, , , )
#undef HOOK
}
