/* SPDX-License-Identifier: MIT */
/* Modules, libraries, functions and variables. */
#include <stdlib.h>
#include <string.h>

#include "tests/simgpu/cuda_parts.h"

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
