/* SPDX-License-Identifier: MIT */
/*
 * Compares preload/api/opencl_abi.h and opencl.def with OpenCL's own headers, where these are
 * installed: that this file compiles is the test.  Types are compared by declaring them twice.
 */
#include "preload/api/opencl_abi.h"

/* Kept under names of their own, before the headers turn the same names into macros. */
#define OURS(name, value) ours_##name = value,
enum { OPENCL_CONSTANTS(OURS) };

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

/* A macro that the headers lack would be our own enumerator: what it expands to is its name. */
#define TEXT(expanded) #expanded
#define CONSTANT(name, value)                                                                      \
	_Static_assert(sizeof(TEXT(name)) != sizeof(#name), #name " is not in the headers");       \
	_Static_assert(ours_##name == (name), #name);
OPENCL_CONSTANTS(CONSTANT)

#define HOOK(api, index, ret, name, params, args, role)                                            \
	typedef ret name##_function params;                                                        \
	_Static_assert(__builtin_types_compatible_p(name##_function, __typeof__(name)),            \
		"prototype of " #name);                                                            \
	_Static_assert(offsetof(struct _cl_icd_dispatch, name) == (index) * sizeof(void *),        \
		"dispatch index of " #name);
#include "preload/api/opencl.def"

#define PCI_FIELD(field)                                                                           \
	_Static_assert(offsetof(struct opencl_pci_bus_info, field) ==                              \
			       offsetof(cl_device_pci_bus_info_khr, pci_##field),                  \
		"opencl_pci_bus_info." #field)
PCI_FIELD(domain);
PCI_FIELD(bus);
PCI_FIELD(device);
PCI_FIELD(function);
_Static_assert(sizeof(struct opencl_pci_bus_info) == sizeof(cl_device_pci_bus_info_khr),
	"opencl_pci_bus_info");

/* What the load of pwrtrace-sensors calls. */
#define FUNCTION(ret, name, params)                                                                \
	typedef ret name##_of_load params;                                                         \
	_Static_assert(__builtin_types_compatible_p(name##_of_load, __typeof__(name)),             \
		"prototype of " #name " in the load");
#include "preload/sensors/load_opencl.def"
