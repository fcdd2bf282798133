/* SPDX-License-Identifier: MIT */
/* Devices, contexts, and the handles of objects. */
#include <stdio.h>
#include <stdlib.h>
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
