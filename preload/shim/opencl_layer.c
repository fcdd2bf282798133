/* SPDX-License-Identifier: MIT */
/*
 * The OpenCL ICD loader's way in: a loader that finds our library in OPENCL_LAYERS calls these two
 * functions, and every OpenCL call of the program then passes through the table we return, however
 * the program came by the loader.
 */
#include <string.h>

#include "preload/api/opencl_abi.h"
#include "preload/shim/base/namespace.h"
#include "preload/shim/hook/hook.h"
#include "preload/shim/open/open.h"

#define EXPORT __attribute__((visibility("default")))
#define DISPATCH_MAX 512

EXPORT cl_int clGetLayerInfo(cl_uint what, size_t size, void *value, size_t *size_ret);
EXPORT cl_int clInitLayer(
	cl_uint entries, void *const *next, cl_uint *entries_ret, void *const **dispatch_ret);

EXPORT cl_int clGetLayerInfo(cl_uint what, size_t size, void *value, size_t *size_ret)
{
	static const char name[] = "pwrtrace";
	static const cl_uint version = CL_LAYER_API_VERSION_100;
	const void *answer = what == CL_LAYER_NAME ? (const void *)name : &version;
	size_t answer_size = what == CL_LAYER_NAME ? sizeof(name) : sizeof(version);

	if (what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (value && size < answer_size)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, answer, answer_size);
	if (size_ret)
		*size_ret = answer_size;
	return CL_SUCCESS;
}

EXPORT cl_int clInitLayer(
	cl_uint entries, void *const *next, cl_uint *entries_ret, void *const **dispatch_ret)
{
	static void *dispatch[DISPATCH_MAX];
	__typeof__(clInitLayer) *first = (__typeof__(clInitLayer) *)namespace_first("clInitLayer");

	if (first)
		return first(entries, next, entries_ret, dispatch_ret);
	if (!next || !entries_ret || !dispatch_ret || entries > DISPATCH_MAX)
		return CL_INVALID_VALUE;
	*entries_ret = entries;
	*dispatch_ret = next;
	if (!open_wanted() || !hook_layer_attach(next, entries))
		return CL_SUCCESS;
	memcpy(dispatch, next, entries * sizeof(*next));
	for (int id = 0; id < HOOK_COUNT; id++) {
		unsigned index = hook_rows[id].index;

		if (hook_layer_trampolines[id] && index < entries && next[index])
			dispatch[index] = hook_layer_trampolines[id];
	}
	*dispatch_ret = dispatch;
	return CL_SUCCESS;
}
