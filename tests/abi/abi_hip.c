/* SPDX-License-Identifier: MIT */
/*
 * Compares preload/api/hip_abi.h and hip.def with the headers of HIP 5.2, where these are
 * installed: that this file compiles is the test.  Prototypes are compared by declaring them twice.
 * Names that begin with _Z hold their parameters' types themselves; tests/e2e/hip.sh looks them up
 * in the library.
 *
 * What is newer is checked by reading published sources (ROCm/rocm-systems, with the table of the
 * runtime's functions up to its step 17, HIP 7.2):
 *
 *   what                                             by
 *   rows of hip.def and types of HIP 5.2             this file
 *   prototypes of rows since 5.3                     clr/hipamd: hip_api_trace.hpp
 *   which version of the library has a row's symbol  clr/hipamd: hip_hcc.map.in
 *   hipLaunchConfig_t, HIP_LAUNCH_CONFIG             bindings made of hip_runtime_api.h 6.5 and 7
 *   hipFunctionLaunchParams                          hip_runtime_api.h 5.5 and later
 *   HIP_MEMCPY3D, hipMemcpy3DPeerParms               driver_types.h 7
 *   hipGraphNodeType since 5.3, hipMemoryType since  hip_runtime_api.h 6 and 7, and bindings
 *   6.0, hipDeviceAttributeMultiprocessorCount
 *   hipGetProcAddress_spt                            its name and version only
 *
 * Of rocprofiler-sdk see abi_rocprofiler.c.  roctracer and ROCTX are read too: activity_record_t of
 * prof_protocol.h (its kernel_name, since ROCm 5.3, is not in the version that was read), and the
 * five functions of roctx.h, which librocprofiler-sdk-roctx has unchanged.
 */
#if __has_include(<hip/hip_runtime_api.h>)

/* Ours, under names of their own. */
#define PWRTRACE_ABI_TEST
#define hipError_t ours_hipError_t
#define hipDevice_t ours_hipDevice_t
#define hipDeviceptr_t ours_hipDeviceptr_t
#define hipMemcpyKind ours_hipMemcpyKind
#define hipMemoryType ours_hipMemoryType
#define hipDeviceAttribute_t ours_hipDeviceAttribute_t
#define hipFunction_attribute ours_hipFunction_attribute
#define hipStreamCaptureStatus ours_hipStreamCaptureStatus
#define hipStreamCaptureMode ours_hipStreamCaptureMode
#define hipGraphNodeType ours_hipGraphNodeType
#define hipJitOption ours_hipJitOption
#define hipGraphExecUpdateResult ours_hipGraphExecUpdateResult
#define hipArray ours_hipArray
#define hipArray_t ours_hipArray_t
#define hipArray_const_t ours_hipArray_const_t
#define dim3 ours_dim3
#define hipUUID_t ours_hipUUID_t
#define hipUUID ours_hipUUID
#define hipLaunchParams_t ours_hipLaunchParams_t
#define hipLaunchParams ours_hipLaunchParams
#define hipMemLocation ours_hipMemLocation
#define hipMemAccessFlags ours_hipMemAccessFlags
#define hipMemAllocationHandleType ours_hipMemAllocationHandleType
#define hipMemAccessDesc ours_hipMemAccessDesc
#define hipIpcMemHandle_t ours_hipIpcMemHandle_t
#define hipPointerAttribute_t ours_hipPointerAttribute_t
#define hip_Memcpy2D ours_hip_Memcpy2D
#define hipExtent ours_hipExtent
#define hipPos ours_hipPos
#define hipPitchedPtr ours_hipPitchedPtr
#define hipMemcpy3DParms ours_hipMemcpy3DParms
#define HIP_MEMCPY3D ours_HIP_MEMCPY3D
#define hipFuncAttributes ours_hipFuncAttributes
#define hipKernelNodeParams ours_hipKernelNodeParams
#define hipMemsetParams ours_hipMemsetParams
#include "preload/api/hip_abi.h"
#undef hipError_t
#undef hipDevice_t
#undef hipDeviceptr_t
#undef hipMemcpyKind
#undef hipMemoryType
#undef hipDeviceAttribute_t
#undef hipFunction_attribute
#undef hipStreamCaptureStatus
#undef hipStreamCaptureMode
#undef hipGraphNodeType
#undef hipJitOption
#undef hipGraphExecUpdateResult
#undef hipArray
#undef hipArray_t
#undef hipArray_const_t
#undef dim3
#undef hipUUID_t
#undef hipUUID
#undef hipLaunchParams_t
#undef hipLaunchParams
#undef hipMemLocation
#undef hipMemAccessFlags
#undef hipMemAllocationHandleType
#undef hipMemAccessDesc
#undef hipIpcMemHandle_t
#undef hipPointerAttribute_t
#undef hip_Memcpy2D
#undef hipExtent
#undef hipPos
#undef hipPitchedPtr
#undef hipMemcpy3DParms
#undef HIP_MEMCPY3D
#undef hipFuncAttributes
#undef hipKernelNodeParams
#undef hipMemsetParams

#define __HIP_PLATFORM_AMD__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <hip/hip_runtime_api.h>
#pragma GCC diagnostic pop

#define CONSTANT(name, value) _Static_assert((int)(name) == (value), #name);
HIP_CONSTANTS(CONSTANT)
HIP_CONSTANTS_5_2(CONSTANT)

#define TYPE(name) _Static_assert(sizeof(ours_##name) == sizeof(name), #name);
TYPE(hipError_t)
TYPE(hipDevice_t)
TYPE(hipDeviceptr_t)
TYPE(hipMemcpyKind)
TYPE(hipMemoryType)
TYPE(hipDeviceAttribute_t)
TYPE(hipFunction_attribute)
TYPE(hipStreamCaptureStatus)
TYPE(hipStreamCaptureMode)
TYPE(hipGraphNodeType)
TYPE(hipJitOption)
TYPE(hipGraphExecUpdateResult)
TYPE(dim3)
TYPE(hipUUID)
TYPE(hipLaunchParams)
TYPE(hipMemLocation)
TYPE(hipMemAccessFlags)
TYPE(hipMemAllocationHandleType)
TYPE(hipMemAccessDesc)
TYPE(hipIpcMemHandle_t)
TYPE(hipPointerAttribute_t)
TYPE(hip_Memcpy2D)
TYPE(hipExtent)
TYPE(hipPos)
TYPE(hipPitchedPtr)
TYPE(hipMemcpy3DParms)
TYPE(HIP_MEMCPY3D)
TYPE(hipFuncAttributes)
TYPE(hipKernelNodeParams)
TYPE(hipMemsetParams)

/* Fields at the same place and of the same size. */
#define FIELD(type, field)                                                                         \
	_Static_assert(offsetof(ours_##type, field) == offsetof(type, field), #type "." #field);   \
	_Static_assert(sizeof(((ours_##type *)0)->field) == sizeof(((type *)0)->field),            \
		#type "." #field);
FIELD(hipLaunchParams, func)
FIELD(hipLaunchParams, gridDim)
FIELD(hipLaunchParams, blockDim)
FIELD(hipLaunchParams, sharedMem)
FIELD(hipLaunchParams, stream)
FIELD(hipMemLocation, type)
FIELD(hipMemLocation, id)
FIELD(hipMemAccessDesc, location)
FIELD(hipPointerAttribute_t, memoryType)
FIELD(hipPointerAttribute_t, device)
FIELD(hipPointerAttribute_t, isManaged)
FIELD(hip_Memcpy2D, srcMemoryType)
FIELD(hip_Memcpy2D, dstMemoryType)
FIELD(hip_Memcpy2D, WidthInBytes)
FIELD(hip_Memcpy2D, Height)
FIELD(hipMemcpy3DParms, extent)
FIELD(hipMemcpy3DParms, kind)
FIELD(hipExtent, width)
FIELD(hipExtent, height)
FIELD(hipExtent, depth)
FIELD(HIP_MEMCPY3D, srcMemoryType)
FIELD(HIP_MEMCPY3D, dstMemoryType)
FIELD(HIP_MEMCPY3D, WidthInBytes)
FIELD(HIP_MEMCPY3D, Height)
FIELD(HIP_MEMCPY3D, Depth)
FIELD(hipFuncAttributes, numRegs)
FIELD(hipFuncAttributes, sharedSizeBytes)
FIELD(hipKernelNodeParams, blockDim)
FIELD(hipKernelNodeParams, func)
FIELD(hipKernelNodeParams, gridDim)
FIELD(hipKernelNodeParams, sharedMemBytes)
FIELD(hipMemsetParams, elementSize)
FIELD(hipMemsetParams, height)
FIELD(hipMemsetParams, width)

/* What HIP 5.2 has, by C's names; that some are deprecated is no matter. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define SAME(ret, name, params)                                                                    \
	typedef ret name##_function params;                                                        \
	_Static_assert(__builtin_types_compatible_p(name##_function, __typeof__(name)),            \
		"prototype of " #name);
#define HOOK(api, since, ret, name, params, args, role) SINCE_##since(ret, name, params)
#define SINCE_502 SAME
#define SINCE_503(...)
#define SINCE_505(...)
#define SINCE_506(...)
#define SINCE_601(...)
#define SINCE_602(...)
#define SINCE_604(...)
#define SINCE_605(...)
#define SINCE_701(...)
#define SINCE_702(...)
/* The compiler's own, which no header declares; and C++'s. */
#define _Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j \
	hip_ext_module_launch_kernel
#define _Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_ \
	hip_hcc_module_launch_kernel
#define _Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc hip_create_surface_object
hipError_t hip_create_surface_object(hipSurfaceObject_t *, const hipResourceDesc *);
void __hipUnregisterFatBinary(void **modules);
hipError_t hip_ext_module_launch_kernel(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t,
	uint32_t, uint32_t, size_t, hipStream_t, void **, void **, hipEvent_t, hipEvent_t,
	uint32_t);
hipError_t hip_hcc_module_launch_kernel(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t,
	uint32_t, uint32_t, size_t, hipStream_t, void **, void **, hipEvent_t, hipEvent_t);
#include "preload/api/hip.def"

#else
/* A file must not be empty. */
typedef int hip_headers_are_not_installed;

#endif
