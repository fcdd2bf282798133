/* SPDX-License-Identifier: MIT */
/* Devices, modules, kernels of compiled programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/simgpu/hip_parts.h"

/* ---- devices ---- */

static __thread int current_device;

int hip_sim_version(void)
{
	const char *version = getenv("SIMGPU_HIP_VERSION");

	return version ? atoi(version) : 60200000;
}

CUresult hip_use_device(void)
{
	static __thread int made = -1;
	CUcontext context;
	CUresult result = cuInit(0);

	if (result != CUDA_SUCCESS || (made == current_device && sim_context()))
		return result;
	result = cuDevicePrimaryCtxRetain(&context, current_device);
	if (result != CUDA_SUCCESS)
		return result;
	made = current_device;
	return cuCtxSetCurrent(context);
}

hipError_t hipRuntimeGetVersion(int *version)
{
	*version = hip_sim_version();
	return hipSuccess;
}

hipError_t hipGetDeviceCount(int *count)
{
	*count = (int)sim_device_count();
	return hip_use_device();
}

hipError_t hipGetDevice(int *device)
{
	*device = current_device;
	return hip_returned(hip_use_device());
}

hipError_t hipSetDevice(int device)
{
	if (device < 0 || device >= (int)sim_device_count())
		return hip_returned(
			sim_device_count() ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_NO_DEVICE);
	current_device = device;
	return hip_returned(hip_use_device());
}

int hipGetStreamDeviceId(hipStream_t stream)
{
	const struct stream *of = (void *)stream;

	if ((uintptr_t)stream > (uintptr_t)CU_STREAM_PER_THREAD)
		return of->object.context->ordinal;
	return hip_use_device() == CUDA_SUCCESS ? current_device : -1;
}

hipError_t hipDeviceGetName(char *name, int size, hipDevice_t device)
{
	return cuDeviceGetName(name, size, device);
}

/* A part of what SIMGPU_HIP_CARD says, or NULL. */
static const char *card(char *part, size_t size, int index)
{
	const char *text = getenv("SIMGPU_HIP_CARD");

	for (; text && index > 0; index--)
		text = strchr(text, ',') ? strchr(text, ',') + 1 : NULL;
	if (!text)
		return NULL;
	snprintf(part, size, "%.*s", (int)strcspn(text, ","), text);
	return part;
}

hipError_t hipDeviceGetPCIBusId(char *address, int size, int device)
{
	char part[32];

	if (!card(part, sizeof(part), 0))
		return cuDeviceGetPCIBusId(address, size, device);
	/* The partitions of a card differ in the function of the PCI address. */
	part[strlen(part) - 1] = (char)('0' + device);
	snprintf(address, (size_t)size, "%s", part);
	return hipSuccess;
}

hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device)
{
	char part[sizeof(uuid->bytes) + 1] = "";

	if (!card(part, sizeof(part), 1))
		return cuDeviceGetUuid((CUuuid *)uuid, device);
	memcpy(uuid->bytes, part, sizeof(uuid->bytes));
	return hipSuccess;
}

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device)
{
	(void)device;
	*value = attribute == hipDeviceAttributeMultiprocessorCount ? 304 : 0;
	return hipSuccess;
}

hipError_t hipDeviceReset(void)
{
	return cuDevicePrimaryCtxReset_v2(current_device);
}

hipError_t hipDevicePrimaryCtxReset(hipDevice_t device)
{
	return cuDevicePrimaryCtxReset_v2(device);
}

const char *hipGetErrorName(hipError_t error)
{
	return error == hipSuccess             ? "hipSuccess"
	       : error == CUDA_ERROR_NO_DEVICE ? "hipErrorNoDevice"
					       : "hipErrorUnknown";
}

/* ---- errors ---- */

static __thread hipError_t last_error;

/* What hipGetLastError returns: until HIP 7 the result of the last call, from then on the last
 * error. */
hipError_t hip_returned(hipError_t result)
{
	if (hip_sim_version() < 70000000 || (result != hipSuccess && result != hipErrorNotReady))
		last_error = result;
	return result;
}

hipError_t hipGetLastError(void)
{
	hipError_t error = last_error;

	last_error = hipSuccess;
	return error;
}

hipError_t hipPeekAtLastError(void)
{
	return last_error;
}

/* ---- modules ---- */

hipError_t hipModuleLoadData(hipModule_t *module, const void *image)
{
	hip_use_device();
	return cuModuleLoadData((void **)module, image);
}

hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned count,
	hipJitOption *options, void **values)
{
	(void)count, (void)options, (void)values;
	return hipModuleLoadData(module, image);
}

hipError_t hipModuleLoad(hipModule_t *module, const char *path)
{
	return access(path, R_OK) == 0 ? hipModuleLoadData(module, "") : hipErrorNotFound;
}

hipError_t hipModuleLoadFatBinary(hipModule_t *module, const void *image)
{
	return hipModuleLoadData(module, image);
}

hipError_t hipLibraryGetKernel(hipFunction_t *function, void *library, const char *name)
{
	return hipModuleGetFunction(function, library, name);
}

hipError_t hipLibraryLoadData(void **library, const void *image, hipJitOption *options,
	void **values, unsigned count, void *library_options, void **library_values,
	unsigned library_count)
{
	(void)library_options, (void)library_values, (void)library_count;
	return hipModuleLoadDataEx((hipModule_t *)library, image, count, options, values);
}

hipError_t hipLibraryLoadFromFile(void **library, const char *path, hipJitOption *options,
	void **values, unsigned count, void *library_options, void **library_values,
	unsigned library_count)
{
	(void)options, (void)values, (void)count, (void)library_options, (void)library_values;
	(void)library_count;
	return hipModuleLoad((hipModule_t *)library, path);
}

hipError_t hipModuleGetGlobal(
	hipDeviceptr_t *memory, size_t *bytes, hipModule_t module, const char *name)
{
	return hip_returned(cuModuleGetGlobal_v2((CUdeviceptr *)memory, bytes, module, name));
}

hipError_t hipModuleUnload(hipModule_t module)
{
	return cuModuleUnload(module);
}

hipError_t hipLibraryUnload(void *library)
{
	return cuLibraryUnload(library);
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name)
{
	return cuModuleGetFunction((CUfunction *)function, module, name);
}

static bool is_silent(void)
{
	return getenv("SIMGPU_HIP_SILENT") != NULL;
}

const char *hipKernelNameRef(const hipFunction_t function)
{
	const char *name = NULL;

	if (is_silent())
		return NULL;
	cuFuncGetName(&name, (CUfunction)function);
	return name;
}

hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attribute, hipFunction_t function)
{
	return hip_returned(is_silent() ? CUDA_ERROR_INVALID_VALUE
					: cuFuncGetAttribute(value, attribute, function));
}

hipError_t hipFuncGetAttributes(struct hipFuncAttributes *attributes, const void *symbol)
{
	*attributes = (struct hipFuncAttributes){
		.numRegs = REGISTERS, .sharedSizeBytes = STATIC_SHARED_BYTES};
	return hip_returned(
		hip_function_of(symbol) && !is_silent() ? hipSuccess : CUDA_ERROR_INVALID_VALUE);
}

/* ---- kernels of compiled programs ---- */

#define SYMBOLS_MAX 256

static struct symbol {
	const void *address;
	const char *name;
	CUfunction function;
} symbols[SYMBOLS_MAX];
static int symbol_count;

void **__hipRegisterFatBinary(const void *data)
{
	return (void **)data;
}

void __hipRegisterFunction(void **modules, const void *function, char *device_function,
	const char *name, unsigned limit, void *thread, void *block, void *block_dim,
	void *grid_dim, int *size)
{
	(void)modules, (void)device_function, (void)limit, (void)thread, (void)block;
	(void)block_dim, (void)grid_dim, (void)size;
	if (symbol_count == SYMBOLS_MAX)
		abort();
	symbols[symbol_count++] = (struct symbol){.address = function, .name = name};
}

void __hipRegisterVar(void **modules, void *variable, char *host_name, char *name, int external,
	size_t bytes, int is_constant, int global)
{
	(void)modules, (void)variable, (void)host_name, (void)name, (void)external, (void)bytes;
	(void)is_constant, (void)global;
}

void __hipUnregisterFatBinary(void **modules)
{
	(void)modules;
}

static struct symbol *find(const void *address)
{
	for (int i = 0; i < symbol_count; i++)
		if (symbols[i].address == address)
			return &symbols[i];
	return NULL;
}

CUfunction hip_function_of(const void *address)
{
	struct symbol *symbol = find(address);
	void *module;

	if (!symbol || hip_use_device() != CUDA_SUCCESS)
		return NULL;
	if (!symbol->function && cuModuleLoadData(&module, "") == CUDA_SUCCESS)
		cuModuleGetFunction(&symbol->function, module, symbol->name);
	return symbol->function;
}

void *hip_symbol_of(CUfunction function)
{
	for (int i = 0; i < symbol_count; i++)
		if (symbols[i].function == function)
			return (void *)symbols[i].address;
	return function;
}

const char *hipKernelNameRefByPtr(const void *address, hipStream_t stream)
{
	struct symbol *symbol = find(address);

	(void)stream;
	return symbol ? symbol->name : NULL;
}

hipError_t hipGetFuncBySymbol(hipFunction_t *function, const void *symbol)
{
	*function = hip_function_of(symbol);
	return hip_returned(*function ? hipSuccess : CUDA_ERROR_INVALID_VALUE);
}
