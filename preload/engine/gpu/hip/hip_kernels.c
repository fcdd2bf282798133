/* SPDX-License-Identifier: MIT */
/*
 * Names and classes of kernels, as the runtime describes them.  It takes locks to do so: it is
 * asked only once for each kernel.
 */
#include <string.h>

#include "preload/common/intern.h"
#include "preload/engine/core/handles.h"
#include "preload/engine/gpu/hip/hip.h"

struct hip_kernel_facts {
	uint32_t name;
	uint32_t registers;
	uint32_t shared_bytes;
};

static struct intern kernels;
static struct handles kernel_of; /* by address and generation */
static uint64_t generation;

void hip_forget_kernels(void)
{
	__atomic_add_fetch(&generation, 1, __ATOMIC_RELAXED);
}

/* An address may be reused for another kernel, but not in the same generation. */
static const void *key(const void *address)
{
	return (const void *)((uintptr_t)address ^ __atomic_load_n(&generation, __ATOMIC_RELAXED)
							   << 48);
}

/* registers, shared_bytes: less than 0 if unknown. */
static uint32_t add(const void *handle, const char *name, int registers, int shared_bytes)
{
	struct hip_kernel_facts kernel;
	uint32_t id;

	memset(&kernel, 0, sizeof(kernel));
	kernel.name = gpu_add_name(
		name && *name ? name : "(a kernel whose name this runtime does not tell)");
	kernel.registers = registers > 0 ? (uint32_t)registers : PWRTRACE_UNKNOWN_U32;
	kernel.shared_bytes = shared_bytes >= 0 ? (uint32_t)shared_bytes : PWRTRACE_UNKNOWN_U32;
	id = intern(&kernels, &kernel, sizeof(kernel));
	handles_set(&kernel_of, handle, id);
	return id;
}

static int attribute(hipFunction_t function, int which)
{
	int value = 0;

	return HIP(hipFuncGetAttribute) &&
			       hip_succeeded(HIP(hipFuncGetAttribute)(&value, which, function))
		       ? value
		       : -1;
}

static struct handles name_of;   /* by address and generation */
static struct handles module_of; /* likewise */
static struct intern modules;

void hip_kernel_named(hipFunction_t function, hipModule_t module, const char *name)
{
	handles_set(&name_of, key(function), gpu_add_name(name));
	handles_set(&module_of, key(function), intern(&modules, &module, sizeof(module)));
}

hipModule_t hip_module_of(hipFunction_t function)
{
	uint32_t id = handles_get(&module_of, key(function));

	return id ? *(const hipModule_t *)intern_get(&modules, id)->bytes : NULL;
}

static uint32_t add_function(hipFunction_t function)
{
	const char *name = HIP(hipKernelNameRef) ? HIP(hipKernelNameRef)(function) : NULL;

	if (!name || !*name)
		name = gpu_name(handles_get(&name_of, key(function)));
	return add(key(function), name, attribute(function, HIP_FUNC_ATTRIBUTE_NUM_REGS),
		attribute(function, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
}

static uint32_t add_symbol(const void *symbol, hipStream_t stream)
{
	hipFuncAttributes attributes = {0};
	hipFunction_t function = NULL;
	const char *name = NULL;

	if (HIP(hipKernelNameRefByPtr))
		name = HIP(hipKernelNameRefByPtr)(symbol, stream);
	if (!name && HIP(hipGetFuncBySymbol) && HIP(hipKernelNameRef) &&
		hip_succeeded(HIP(hipGetFuncBySymbol)(&function, symbol)))
		name = HIP(hipKernelNameRef)(function);
	if (!HIP(hipFuncGetAttributes) ||
		!hip_succeeded(HIP(hipFuncGetAttributes)(&attributes, symbol)))
		return add(key(symbol), name, -1, -1);
	return add(key(symbol), name, attributes.numRegs, (int)attributes.sharedSizeBytes);
}

static uint32_t class_of(uint32_t id, const struct hip_shape *shape)
{
	static const struct hip_kernel_facts unknown = {
		.registers = PWRTRACE_UNKNOWN_U32, .shared_bytes = PWRTRACE_UNKNOWN_U32};
	const struct hip_kernel_facts *kernel =
		id ? (const struct hip_kernel_facts *)intern_get(&kernels, id)->bytes : &unknown;
	struct gpu_kernel class;

	/* Compared byte by byte, so that padding must be zero. */
	memset(&class, 0, sizeof(class));
	memcpy(class.global, shape->global, sizeof(class.global));
	memcpy(class.local, shape->local, sizeof(class.local));
	class.name = kernel->name;
	class.shared_bytes = kernel->shared_bytes;
	if (class.shared_bytes != PWRTRACE_UNKNOWN_U32)
		class.shared_bytes += (uint32_t)shape->shared_bytes;
	class.registers = kernel->registers;
	class.api = &hip_api;
	return gpu_kernel_class(&class);
}

uint32_t hip_class_of_symbol(const void *symbol, hipStream_t stream, const struct hip_shape *shape)
{
	uint32_t id = handles_get(&kernel_of, key(symbol));

	return class_of(id ? id : add_symbol(symbol, stream), shape);
}

uint32_t hip_class_of_function(hipFunction_t function, const struct hip_shape *shape)
{
	uint32_t id = handles_get(&kernel_of, key(function));

	return class_of(id ? id : add_function(function), shape);
}

const char *hip_class_name(uint32_t class)
{
	return class ? gpu_name(gpu_kernel(class)->name) : "";
}
