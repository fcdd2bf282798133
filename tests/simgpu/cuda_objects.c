/* SPDX-License-Identifier: MIT */
/* Devices, contexts, modules and functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/simgpu/cuda_parts.h"

#define DEVICES_MAX 8
#define CURRENT_NONE NULL

/* ---- devices ---- */

CUresult cuDriverGetVersion(int *version)
{
	*version = 13000;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	ENTER;
	*count = (int)sim_device_count();
	return CUDA_SUCCESS;
}

static bool is_device(CUdevice device)
{
	return device >= 0 && device < (int)sim_device_count();
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	ENTER;
	*device = ordinal;
	return is_device(ordinal) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult tell(char *text, int size, const char *format, CUdevice device)
{
	ENTER;
	if (!is_device(device))
		return CUDA_ERROR_INVALID_DEVICE;
	snprintf(text, (size_t)size, format, sim_device(device));
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
	return tell(name, size, "Simulated GPU %u", device);
}

CUresult cuDeviceGetPCIBusId(char *address, int size, CUdevice device)
{
	return tell(address, size, "0000:%02X:00.0", device);
}

/* The UUID, as in nvml.c: the number of the device, decimal, at its end. */
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	ENTER;
	if (!is_device(device))
		return CUDA_ERROR_INVALID_DEVICE;
	*uuid = (CUuuid){.bytes = {[15] = (uint8_t)sim_device(device)}};
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
	return cuDeviceGetUuid(uuid, device);
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
	ENTER;
	*value = attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT ? 132
		 : attribute == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE      ? (int)sim_cache_bytes()
								       : 0;
	return is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

/* ---- contexts ---- */

static struct context primary[DEVICES_MAX];
static uint32_t last_context;
static __thread struct context *current;

struct context *sim_context(void)
{
	return current && current->id ? current : NULL;
}

struct context *sim_context_of(CUcontext handle)
{
	struct context *context = handle;

	return context && context->id ? context : NULL;
}

static void open_context(struct context *context, CUdevice ordinal)
{
	*context = (struct context){.ordinal = ordinal, .id = ++last_context};
}

static void close_context(struct context *context)
{
	while (sim_context_end_ns(context) > sim_now_ns())
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	sim_resource(CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, context,
		&(CUpti_ResourceData){.context = context});
	context->id = 0;
	context->objects = NULL;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	ENTER;
	if (!is_device(device))
		return CUDA_ERROR_INVALID_DEVICE;
	if (!primary[device].id)
		open_context(&primary[device], device);
	primary[device].retained++;
	*context = &primary[device];
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	ENTER;
	if (!is_device(device) || !primary[device].retained)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (--primary[device].retained == 0)
		close_context(&primary[device]);
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
	ENTER;
	if (!is_device(device))
		return CUDA_ERROR_INVALID_DEVICE;
	*flags = 0;
	*active = primary[device].id != 0;
	return CUDA_SUCCESS;
}

/* The handle of a destroyed context becomes that of the next one. */
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
	ENTER;
	if (!is_device(device))
		return CUDA_ERROR_INVALID_DEVICE;
	if (primary[device].id)
		close_context(&primary[device]);
	return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
	ENTER;
	(void)flags;
	if (!is_device(device))
		return CUDA_ERROR_INVALID_DEVICE;
	current = malloc(sizeof(*current));
	open_context(current, device);
	*context = current;
	return CUDA_SUCCESS;
}

CUresult cuCtxDestroy_v2(CUcontext handle)
{
	struct context *context = sim_context_of(handle);

	ENTER;
	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	close_context(context);
	if (current == context)
		current = CURRENT_NONE;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	ENTER;
	if (context && !sim_context_of(context))
		return CUDA_ERROR_INVALID_CONTEXT;
	current = context;
	return CUDA_SUCCESS;
}

/* The simulated stack of contexts is at most two deep. */
static __thread struct context *beneath;

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
	ENTER;
	beneath = current;
	current = context;
	return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
	ENTER;
	*context = current;
	current = beneath;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
	ENTER;
	*context = current;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long *id)
{
	const struct context *context = sim_context_of(handle);

	ENTER;
	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	*id = context->id;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
	ENTER;
	if (!current)
		return CUDA_ERROR_INVALID_CONTEXT;
	*device = current->ordinal;
	return CUDA_SUCCESS;
}

/* ---- objects ---- */

void *sim_new_object(enum object_kind kind, size_t bytes, uint32_t id)
{
	struct object *object = calloc(1, bytes);

	*object = (struct object){.kind = kind,
		.id = id,
		.next = current->objects,
		.context = current,
		.context_id = current->id};
	current->objects = object;
	return object;
}

CUresult sim_check(const void *handle, enum object_kind kind)
{
	const struct object *object = handle;

	if (!object || object->kind != kind || object->destroyed)
		return CUDA_ERROR_INVALID_HANDLE;
	return object->context->id == object->context_id ? CUDA_SUCCESS
							 : CUDA_ERROR_INVALID_CONTEXT;
}

/* ---- modules and libraries: the next one loaded gets the function handles of one unloaded ---- */

#define FUNCTIONS_MAX 64

struct module {
	struct function *functions[FUNCTIONS_MAX];
	int count;
};

static struct module *spare;

static CUresult load(void **handle)
{
	ENTER;
	if (!sim_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	*handle = spare ? spare : calloc(1, sizeof(*spare));
	spare = NULL;
	((struct module *)*handle)->count = 0;
	return CUDA_SUCCESS;
}

/* The names of an unloaded module are overwritten, so that a tracer that reads them too late fails.
 */
static CUresult unload(struct module *module)
{
	ENTER;
	sim_resource(CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING, sim_context(),
		&(CUpti_ResourceData){.context = sim_context()});
	for (int i = 0; i < module->count; i++) {
		struct function *function = module->functions[i];

		memset(function->name, '?', strlen(function->name));
		function->object.destroyed = true;
	}
	spare = module;
	return CUDA_SUCCESS;
}

static CUresult find(void **handle, struct module *module, const char *name, enum object_kind kind)
{
	struct function *function;

	ENTER;
	if (!sim_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	if (strcmp(name, "missing") == 0 || module->count == FUNCTIONS_MAX)
		return CUDA_ERROR_NOT_FOUND;
	function = module->functions[module->count];
	if (!function)
		function = sim_new_object(kind, sizeof(*function), 0);
	function->object.kind = kind;
	function->object.context = sim_context();
	function->object.context_id = sim_context()->id;
	function->object.destroyed = false;
	function->name = strdup(name);
	module->functions[module->count++] = function;
	*handle = function;
	return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(void **module, const void *image)
{
	static const char ptx[] = ".version";
	const char *compiles = getenv("SIMGPU_CUDA_COMPILES");

	if (compiles && *compiles == '0' && strncmp(image, ptx, sizeof(ptx) - 1) == 0)
		return CUDA_ERROR_NOT_FOUND;
	return load(module);
}

CUresult cuModuleLoad(void **module, const char *path)
{
	return cuModuleLoadData(module, path);
}

CUresult cuModuleLoadDataEx(
	void **module, const void *image, unsigned count, int *options, void **values)
{
	(void)count, (void)options, (void)values;
	return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadFatBinary(void **module, const void *image)
{
	return cuModuleLoadData(module, image);
}

CUresult cuModuleUnload(void *module)
{
	return unload(module);
}

CUresult cuModuleGetFunction(CUfunction *function, void *module, const char *name)
{
	return find(function, module, name, OBJECT_FUNCTION);
}

CUresult cuLibraryLoadData(void **library, const void *image, int *jit_options, void **jit_values,
	unsigned jit_count, int *options, void **values, unsigned count)
{
	(void)image, (void)jit_options, (void)jit_values, (void)jit_count, (void)options;
	(void)values, (void)count;
	return load(library);
}

CUresult cuLibraryLoadFromFile(void **library, const char *path, int *jit_options,
	void **jit_values, unsigned jit_count, int *options, void **values, unsigned count)
{
	return cuLibraryLoadData(
		library, path, jit_options, jit_values, jit_count, options, values, count);
}

CUresult cuLibraryUnload(void *library)
{
	return unload(library);
}

CUresult cuLibraryGetKernel(void **kernel, void *library, const char *name)
{
	return find(kernel, library, name, OBJECT_KERNEL);
}

static CUresult attribute_of(int *value, int attribute, const void *handle, enum object_kind kind)
{
	CUresult result;

	ENTER;
	result = sim_check(handle, kind);
	if (result == CUDA_SUCCESS)
		*value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS            ? REGISTERS
			 : attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES ? STATIC_SHARED_BYTES
									    : 0;
	return result;
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function)
{
	return attribute_of(value, attribute, function, OBJECT_FUNCTION);
}

CUresult cuKernelGetAttribute(int *value, int attribute, void *kernel, CUdevice device)
{
	(void)device;
	return attribute_of(value, attribute, kernel, OBJECT_KERNEL);
}

static CUresult name_of(const char **name, const void *handle, enum object_kind kind)
{
	CUresult result;

	ENTER;
	result = sim_check(handle, kind);
	if (result == CUDA_SUCCESS)
		*name = ((const struct function *)handle)->name;
	return result;
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
	return name_of(name, function, OBJECT_FUNCTION);
}

CUresult cuKernelGetName(const char **name, void *kernel)
{
	return name_of(name, kernel, OBJECT_KERNEL);
}

/* ---- variables: all modules share one ---- */

CUresult cuModuleGetGlobal_v2(CUdeviceptr *memory, size_t *bytes, void *module, const char *name)
{
	(void)module;
	*memory = sim_variable();
	*bytes = sizeof(uint64_t);
	return strcmp(name, SIM_VARIABLE) == 0 ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *memory, size_t *bytes, void *library, const char *name)
{
	return cuModuleGetGlobal_v2(memory, bytes, library, name);
}

CUresult cuFuncGetModule(void **module, CUfunction function)
{
	*module = NULL;
	return sim_check(function, OBJECT_FUNCTION);
}

CUresult cuKernelGetLibrary(void **library, void *kernel)
{
	*library = NULL;
	return sim_check(kernel, OBJECT_KERNEL);
}
