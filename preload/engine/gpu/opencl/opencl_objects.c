/* SPDX-License-Identifier: MIT */
/* OpenCL's devices, queues and kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/launch_path.h"
#include "preload/engine/core/guard.h"
#include "preload/engine/core/handles.h"
#include "preload/engine/gpu/opencl/opencl.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/gpu/submit.h"

#define PROPERTIES_MAX 64

const struct engine_host *opencl_host;

static struct handles devices;
static struct handles contexts;
static struct handles queues;
static struct handles kernels;

/* ---- devices ---- */

/* Returns a string that is never freed: it goes into a definition. */
static const char *device_text(cl_device_id device, cl_uint what)
{
	size_t size = 0;
	char *text;

	if (OPENCL(clGetDeviceInfo)(device, what, 0, NULL, &size) != CL_SUCCESS || !size ||
		!(text = calloc(1, size + 1)))
		return "";
	OPENCL(clGetDeviceInfo)(device, what, size, text, NULL);
	return text;
}

/* These need the extensions cl_khr_device_uuid and cl_khr_pci_bus_info; "" without them. */
static const char *device_uuid(cl_device_id device)
{
	unsigned char bytes[16];
	char *text = NULL;

	if (OPENCL(clGetDeviceInfo)(device, CL_DEVICE_UUID_KHR, sizeof(bytes), bytes, NULL) !=
		CL_SUCCESS)
		return "";
	text = calloc(1, 2 * sizeof(bytes) + 1);
	for (size_t i = 0; text && i < sizeof(bytes); i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	return text ? text : "";
}

static const char *device_pci(cl_device_id device)
{
	struct opencl_pci_bus_info info;
	char *text;

	if (OPENCL(clGetDeviceInfo)(
		    device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof(info), &info, NULL) != CL_SUCCESS ||
		asprintf(&text, "%04x:%02x:%02x.%x", info.domain, info.bus, info.device,
			info.function) < 0)
		return "";
	return text;
}

static uint32_t device_id(cl_device_id device)
{
	uint32_t id = handles_get(&devices, device);
	cl_device_id parent = NULL;
	cl_device_type type = 0;
	cl_uint units = 0;
	struct pwrtrace_device definition;

	if (id || !device)
		return id;
	OPENCL(clGetDeviceInfo)(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
	OPENCL(clGetDeviceInfo)(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL);
	OPENCL(clGetDeviceInfo)(device, CL_DEVICE_PARENT_DEVICE, sizeof(parent), &parent, NULL);
	/* Compared byte by byte, so that padding must be zero. */
	memset(&definition, 0, sizeof(definition));
	definition.parent_device = device_id(parent);
	definition.compute_units = units ? units : PWRTRACE_UNKNOWN_U32;
	definition.api = opencl_api.name;
	definition.kind = type & CL_DEVICE_TYPE_CPU   ? "cpu"
			  : type & CL_DEVICE_TYPE_GPU ? "gpu"
						      : "accelerator";
	definition.name = device_text(device, CL_DEVICE_NAME);
	definition.vendor = device_text(device, CL_DEVICE_VENDOR);
	definition.driver = device_text(device, CL_DRIVER_VERSION);
	definition.uuid = device_uuid(device);
	definition.pci = device_pci(device);
	/* PoCL's queues hold no reference to their sub-device, which the events that we hold need.
	 */
	if (parent)
		OPENCL(clRetainDevice)(device);
	id = gpu_add_device(&definition);
	handles_set(&devices, device, id);
	return id;
}

/* ---- queues ---- */

static uint32_t context_id(cl_context context)
{
	static uint32_t last;
	uint32_t id = handles_get(&contexts, context);

	if (!id) {
		id = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
		handles_set(&contexts, context, id);
	}
	return id;
}

static cl_command_queue_properties properties_of(cl_command_queue queue)
{
	cl_command_queue_properties properties = 0;

	OPENCL(clGetCommandQueueInfo)
	(queue, CL_QUEUE_PROPERTIES, sizeof(properties), &properties, NULL);
	return properties;
}

static uint32_t add_queue(cl_command_queue queue, cl_context context, cl_device_id device,
	bool program_profiles, const cl_queue_properties *properties)
{
	size_t count = 0;
	void *copy;

	while (properties && properties[count])
		count += 2;
	count += properties != NULL;
	copy = count ? malloc(count * sizeof(*properties)) : NULL;
	if (copy)
		memcpy(copy, properties, count * sizeof(*properties));

	uint32_t id = gpu_add_stream(&(struct gpu_stream){.context = context_id(context),
		.device = device_id(device),
		.out_of_order = !!(properties_of(queue) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
		.program_profiles = program_profiles,
		.properties = copy,
		.properties_bytes = copy ? count * sizeof(*properties) : 0});

	handles_set(&queues, queue, id);
	return id;
}

static APART uint32_t add_unknown_queue(cl_command_queue queue)
{
	cl_context context = NULL;
	cl_device_id device = NULL;

	OPENCL(clGetCommandQueueInfo)(queue, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL);
	OPENCL(clGetCommandQueueInfo)(queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL);
	return add_queue(
		queue, context, device, properties_of(queue) & CL_QUEUE_PROFILING_ENABLE, NULL);
}

uint32_t opencl_stream(cl_command_queue queue)
{
	uint32_t id = handles_get(&queues, queue);

	return id ? id : add_unknown_queue(queue);
}

static cl_command_queue traced_clCreateCommandQueue(cl_context context, cl_device_id device,
	cl_command_queue_properties properties, cl_int *error)
{
	cl_command_queue_properties profiling = properties | CL_QUEUE_PROFILING_ENABLE;
	cl_command_queue queue;

	if (!gpu_launches_wanted() || !guard_enter())
		return OPENCL(clCreateCommandQueue)(context, device, properties, error);
	queue = OPENCL(clCreateCommandQueue)(context, device, profiling, error);
	if (!queue)
		queue = OPENCL(clCreateCommandQueue)(context, device, properties, error);
	if (queue)
		add_queue(queue, context, device, properties & CL_QUEUE_PROFILING_ENABLE, NULL);
	guard_leave();
	return queue;
}

/* Copies the list with profiling enabled.  Returns the properties that the program asked for. *fits
 * is false for queues that must stay as they are: queues on the device, and lists that are too
 * long. */
static cl_queue_properties with_profiling(const cl_queue_properties *list,
	cl_queue_properties profiling[PROPERTIES_MAX + 3], bool *fits)
{
	cl_queue_properties asked = 0;
	size_t used = 0;
	bool found = false;

	for (; list && list[0] && used < PROPERTIES_MAX; list += 2) {
		profiling[used++] = list[0];
		profiling[used++] = list[1];
		if (list[0] != CL_QUEUE_PROPERTIES)
			continue;
		found = true;
		asked = list[1];
		profiling[used - 1] |= CL_QUEUE_PROFILING_ENABLE;
	}
	if (!found) {
		profiling[used++] = CL_QUEUE_PROPERTIES;
		profiling[used++] = CL_QUEUE_PROFILING_ENABLE;
	}
	profiling[used] = 0;
	*fits = used <= PROPERTIES_MAX && !(asked & CL_QUEUE_ON_DEVICE);
	return asked;
}

static cl_command_queue traced_clCreateCommandQueueWithProperties(cl_context context,
	cl_device_id device, const cl_queue_properties *properties, cl_int *error)
{
	cl_queue_properties profiling[PROPERTIES_MAX + 3];
	bool fits;
	cl_queue_properties asked = with_profiling(properties, profiling, &fits);
	cl_command_queue queue = NULL;

	if (!gpu_launches_wanted() || !guard_enter())
		return OPENCL(clCreateCommandQueueWithProperties)(
			context, device, properties, error);
	if (fits)
		queue = OPENCL(clCreateCommandQueueWithProperties)(
			context, device, profiling, error);
	if (!queue)
		queue = OPENCL(clCreateCommandQueueWithProperties)(
			context, device, properties, error);
	if (queue)
		add_queue(queue, context, device, asked & CL_QUEUE_PROFILING_ENABLE, properties);
	guard_leave();
	return queue;
}

/* An event that we hold needs its queue, because PoCL 3.1 reads it in clReleaseEvent.  So the
 * collector releases the queue, once all its work is done, as OpenCL itself would. */
static cl_int traced_clReleaseCommandQueue(cl_command_queue queue)
{
	static const struct gpu_call call = {&opencl_api, .name = "clReleaseCommandQueue"};
	uint32_t stream = handles_get(&queues, queue);

	if (!stream || !gpu_launches_wanted())
		return OPENCL(clReleaseCommandQueue)(queue);
	OPENCL(clFlush)(queue); /* as a release does */
	gpu_submit(&(struct gpu_work){.kind = GPU_WORK_RELEASE_STREAM,
		.stream = stream,
		.call = &call,
		.release_stream.handle = queue});
	return CL_SUCCESS;
}

/* ---- the program must see its queues as it made them ---- */

static bool program_profiles(cl_command_queue queue)
{
	uint32_t stream = handles_get(&queues, queue);

	return !stream || gpu_stream(stream)->program_profiles;
}

static cl_int answer_properties(
	const struct gpu_stream *stream, size_t size, void *value, size_t *size_ret)
{
	if (value && size < stream->properties_bytes)
		return CL_INVALID_VALUE;
	if (value && stream->properties_bytes)
		memcpy(value, stream->properties, stream->properties_bytes);
	if (size_ret)
		*size_ret = stream->properties_bytes;
	return CL_SUCCESS;
}

static cl_int traced_clGetCommandQueueInfo(
	cl_command_queue queue, cl_uint what, size_t size, void *value, size_t *size_ret)
{
	uint32_t stream = handles_get(&queues, queue);
	cl_int result;

	if (what == CL_QUEUE_PROPERTIES_ARRAY && stream && !program_profiles(queue))
		return answer_properties(gpu_stream(stream), size, value, size_ret);
	result = OPENCL(clGetCommandQueueInfo)(queue, what, size, value, size_ret);
	if (result == CL_SUCCESS && value && what == CL_QUEUE_PROPERTIES &&
		!program_profiles(queue))
		*(cl_command_queue_properties *)value &=
			~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
	return result;
}

static cl_int traced_clGetEventProfilingInfo(
	cl_event event, cl_uint what, size_t size, void *value, size_t *size_ret)
{
	cl_command_queue queue = NULL;

	if (OPENCL(clGetEventInfo)(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, NULL) ==
			CL_SUCCESS &&
		queue && !program_profiles(queue))
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	return OPENCL(clGetEventProfilingInfo)(event, what, size, value, size_ret);
}

/* ---- kernels ---- */

/* Always asks for the name, because the handle may have been another kernel's before. */
static uint32_t name_kernel(cl_kernel kernel)
{
	char name[4096] = "(unnamed)";
	uint32_t id;

	if (kernel)
		OPENCL(clGetKernelInfo)
	(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name) - 1, name, NULL);
	id = gpu_add_name(kernel ? name : "(native function)");
	handles_set(&kernels, kernel, id);
	return id;
}

uint32_t opencl_kernel_name(cl_kernel kernel)
{
	uint32_t id = handles_get(&kernels, kernel);

	return id ? id : name_kernel(kernel);
}

uint32_t opencl_kernel_class(
	cl_kernel kernel, cl_uint dimensions, const size_t *global, const size_t *local)
{
	struct gpu_kernel class = {.global = {1, 1, 1},
		.local = {1, 1, 1},
		.name = opencl_kernel_name(kernel),
		.api = &opencl_api};

	for (cl_uint i = 0; global && i < dimensions && i < 3; i++) {
		class.global[i] = global[i];
		class.local[i] = local ? (uint32_t)local[i] : 0;
	}
	return gpu_kernel_class(&class);
}

static cl_kernel traced_clCreateKernel(cl_program program, const char *name, cl_int *error)
{
	cl_kernel kernel = OPENCL(clCreateKernel)(program, name, error);

	if (kernel)
		name_kernel(kernel);
	return kernel;
}

static cl_int traced_clCreateKernelsInProgram(
	cl_program program, cl_uint size, cl_kernel *list, cl_uint *count)
{
	cl_uint made = 0;
	cl_int result = OPENCL(clCreateKernelsInProgram)(program, size, list, &made);

	if (count && result == CL_SUCCESS)
		*count = made;
	for (cl_uint i = 0; result == CL_SUCCESS && list && i < made; i++)
		name_kernel(list[i]);
	return result;
}

static cl_kernel traced_clCloneKernel(cl_kernel kernel, cl_int *error)
{
	cl_kernel clone = OPENCL(clCloneKernel)(kernel, error);

	if (clone)
		name_kernel(clone);
	return clone;
}

void opencl_install_objects(void **wrappers)
{
#define KERNEL(index, name, ...)
#define MEMORY(index, name, ...)
#define MAPPING(index, name, ...)
#define ORDER(index, name, ...)
#define BLOCKING(index, name, ...)
#define MAKES(...)
#define RELEASES(...)
#define PLAIN(index, ret, name, params)
#define HOOK(api, index, ret, name, params, args, role) wrappers[HOOK_##name] = traced_##name;
#include "preload/api/opencl.def"
#undef HOOK
}
