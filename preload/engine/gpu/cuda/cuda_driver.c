/* SPDX-License-Identifier: MIT */
/* CUDA's devices and kernels, as the driver describes them. */
#include "preload/engine/gpu/cuda/cuda.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/launch_path.h"
#include "preload/common/uuid.h"
#include "preload/engine/gpu/cuda/cupti.h"

const struct engine_host *cuda_host;
READ_AT_LAUNCH void *const *cuda_real = NULL;
READ_AT_LAUNCH enum cuda_timing cuda_timing = CUDA_UNDECIDED;

static void register_exit(void)
{
	atexit(cuda_host->flush);
}

void cuda_initialized(void)
{
	static pthread_once_t registered = PTHREAD_ONCE_INIT;

	pthread_once(&registered, register_exit);
}

/* ---- devices ---- */

static char *uuid_text(CUdevice device)
{
	cuDeviceGetUuid_function *get =
		CUDA(cuDeviceGetUuid_v2) ? CUDA(cuDeviceGetUuid_v2) : CUDA(cuDeviceGetUuid);
	CUuuid uuid;
	char *text;

	if (!get || get(&uuid, device) != CUDA_SUCCESS || !(text = malloc(UUID_TEXT_BYTES)))
		return NULL;
	uuid_write(text, uuid.bytes);
	return text;
}

/* Returns a text that is never freed, because it goes into a definition. */
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

/* ---- kernels ---- */

const char *cuda_kernel_name(CUfunction function)
{
	const char *name = NULL;

	/* A CUfunction may really be a CUkernel: launches accept both. */
	if (CUDA(cuFuncGetName) && CUDA(cuFuncGetName)(&name, function) == CUDA_SUCCESS && name)
		return name;
	if (CUDA(cuKernelGetName) && CUDA(cuKernelGetName)(&name, function) == CUDA_SUCCESS && name)
		return name;
	return "(a kernel whose name this driver does not tell)";
}

int cuda_attribute(CUfunction function, int which)
{
	CUdevice device;
	int value = 0;

	if (CUDA(cuFuncGetAttribute) &&
		CUDA(cuFuncGetAttribute)(&value, which, function) == CUDA_SUCCESS)
		return value;
	/* It may really be a CUkernel. */
	if (CUDA(cuKernelGetAttribute) && CUDA(cuCtxGetDevice)(&device) == CUDA_SUCCESS)
		CUDA(cuKernelGetAttribute)(&value, which, function, device);
	return value;
}

unsigned cuda_shared_bytes(CUfunction function, unsigned dynamic_bytes)
{
	return (unsigned)cuda_attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) +
	       dynamic_bytes;
}

struct gpu_kernel cuda_kernel(const unsigned grid[3], const unsigned block[3],
	unsigned shared_bytes, uint32_t registers, const char *name)
{
	struct gpu_kernel kernel = {.name = gpu_add_name(name),
		.shared_bytes = shared_bytes,
		.registers = registers,
		.api = &cupti_api};

	for (int i = 0; i < 3; i++) {
		kernel.global[i] = (uint64_t)grid[i] * block[i];
		kernel.local[i] = block[i];
	}
	return kernel;
}

uint32_t cuda_class_of(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes)
{
	struct gpu_kernel kernel = cuda_kernel((unsigned[]){grid_x, grid_y, grid_z},
		(unsigned[]){block_x, block_y, block_z}, cuda_shared_bytes(function, shared_bytes),
		PWRTRACE_UNKNOWN_U32, cuda_kernel_name(function));

	return gpu_kernel_class(&kernel);
}

uint32_t cuda_class_of_config(CUfunction function, const CUlaunchConfig *config)
{
	return cuda_class_of(function, config->gridDimX, config->gridDimY, config->gridDimZ,
		config->blockDimX, config->blockDimY, config->blockDimZ, config->sharedMemBytes);
}
