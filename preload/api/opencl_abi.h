/* SPDX-License-Identifier: MIT */
/*
 * The few declarations of OpenCL's binary interface that we use, so that no vendor header is
 * needed to build.  Names and values are OpenCL's own; tests/abi/abi_opencl.c compares them with
 * the real headers.
 */
#ifndef PWRTRACE_OPENCL_ABI_H
#define PWRTRACE_OPENCL_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef cl_uint cl_bool;
typedef cl_ulong cl_bitfield;
typedef cl_bitfield cl_command_queue_properties;
typedef cl_bitfield cl_map_flags;
typedef cl_bitfield cl_mem_flags;
typedef cl_bitfield cl_mem_migration_flags;
typedef cl_bitfield cl_device_type;
typedef cl_ulong cl_properties;
typedef cl_properties cl_queue_properties;

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;

struct _cl_image_format;
struct _cl_image_desc;

/* One row per constant: CONSTANT(name, value). */
#define OPENCL_CONSTANTS(CONSTANT)                                                                 \
	CONSTANT(CL_SUCCESS, 0)                                                                    \
	CONSTANT(CL_PROFILING_INFO_NOT_AVAILABLE, -7)                                              \
	CONSTANT(CL_INVALID_VALUE, -30)                                                            \
	CONSTANT(CL_INVALID_OPERATION, -59)                                                        \
	CONSTANT(CL_PLATFORM_NAME, 0x0902)                                                         \
	CONSTANT(CL_DEVICE_TYPE, 0x1000)                                                           \
	CONSTANT(CL_DEVICE_MAX_COMPUTE_UNITS, 0x1002)                                              \
	CONSTANT(CL_DEVICE_NAME, 0x102B)                                                           \
	CONSTANT(CL_DEVICE_VENDOR, 0x102C)                                                         \
	CONSTANT(CL_DRIVER_VERSION, 0x102D)                                                        \
	CONSTANT(CL_DEVICE_PARENT_DEVICE, 0x1042)                                                  \
	CONSTANT(CL_DEVICE_PCI_BUS_INFO_KHR, 0x410F)                                               \
	CONSTANT(CL_DEVICE_UUID_KHR, 0x106A)                                                       \
	CONSTANT(CL_DEVICE_TYPE_CPU, 1 << 1)                                                       \
	CONSTANT(CL_DEVICE_TYPE_GPU, 1 << 2)                                                       \
	CONSTANT(CL_DEVICE_TYPE_ALL, 0xFFFFFFFF)                                                   \
	CONSTANT(CL_MEM_READ_WRITE, 1 << 0)                                                        \
	CONSTANT(CL_QUEUE_CONTEXT, 0x1090)                                                         \
	CONSTANT(CL_QUEUE_DEVICE, 0x1091)                                                          \
	CONSTANT(CL_QUEUE_PROPERTIES, 0x1093)                                                      \
	CONSTANT(CL_QUEUE_PROPERTIES_ARRAY, 0x1098)                                                \
	CONSTANT(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 1 << 0)                                   \
	CONSTANT(CL_QUEUE_PROFILING_ENABLE, 1 << 1)                                                \
	CONSTANT(CL_QUEUE_ON_DEVICE, 1 << 2)                                                       \
	CONSTANT(CL_QUEUE_REFERENCE_COUNT, 0x1092)                                                 \
	CONSTANT(CL_MEM_READ_ONLY, 1 << 2)                                                         \
	CONSTANT(CL_MEM_HOST_WRITE_ONLY, 1 << 7)                                                   \
	CONSTANT(CL_MEM_HOST_READ_ONLY, 1 << 8)                                                    \
	CONSTANT(CL_MEM_HOST_NO_ACCESS, 1 << 9)                                                    \
	CONSTANT(CL_MEM_MAP_COUNT, 0x1104)                                                         \
	CONSTANT(CL_MEM_REFERENCE_COUNT, 0x1105)                                                   \
	CONSTANT(CL_PROGRAM_SOURCE, 0x1164)                                                        \
	CONSTANT(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, 0x1185)                              \
	CONSTANT(CL_KERNEL_PROGRAM, 0x1194)                                                        \
	CONSTANT(CL_MEM_SIZE, 0x1102)                                                              \
	CONSTANT(CL_IMAGE_ELEMENT_SIZE, 0x1111)                                                    \
	CONSTANT(CL_KERNEL_FUNCTION_NAME, 0x1190)                                                  \
	CONSTANT(CL_EVENT_COMMAND_QUEUE, 0x11D0)                                                   \
	CONSTANT(CL_EVENT_COMMAND_TYPE, 0x11D1)                                                    \
	CONSTANT(CL_COMMAND_USER, 0x1204)                                                          \
	CONSTANT(CL_EVENT_COMMAND_EXECUTION_STATUS, 0x11D3)                                        \
	CONSTANT(CL_COMPLETE, 0x0)                                                                 \
	CONSTANT(CL_PROFILING_COMMAND_QUEUED, 0x1280)                                              \
	CONSTANT(CL_PROFILING_COMMAND_SUBMIT, 0x1281)                                              \
	CONSTANT(CL_PROFILING_COMMAND_START, 0x1282)                                               \
	CONSTANT(CL_PROFILING_COMMAND_END, 0x1283)                                                 \
	CONSTANT(CL_LAYER_API_VERSION, 0x4240)                                                     \
	CONSTANT(CL_LAYER_NAME, 0x4241)                                                            \
	CONSTANT(CL_LAYER_API_VERSION_100, 100)

#define OPENCL_ENUMERATOR(name, value) name = value,
enum opencl_constant { OPENCL_CONSTANTS(OPENCL_ENUMERATOR) };
#undef OPENCL_ENUMERATOR

/* cl_device_pci_bus_info_khr */
struct opencl_pci_bus_info {
	cl_uint domain;
	cl_uint bus;
	cl_uint device;
	cl_uint function;
};

#endif
