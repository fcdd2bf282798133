/* SPDX-License-Identifier: MIT */
/*
 * Compares preload/power/nvml/nvml_abi.h with NVIDIA's own nvml.h, where this is installed: that
 * this file compiles is the test.
 */
#if __has_include(<nvml.h>)

#define NVML_ABI_WITHOUT_CONSTANTS
#include "preload/power/nvml/nvml_abi.h"

#include <nvml.h>
#include <stddef.h>

#define CONSTANT(name, value) _Static_assert((unsigned int)(name) == (value), #name);
NVML_CONSTANTS(CONSTANT)

#define FIELD(ours, theirs, field)                                                                 \
	_Static_assert(offsetof(ours, field) == offsetof(theirs, field), #theirs "." #field);      \
	_Static_assert(                                                                            \
		sizeof(((ours *)0)->field) == sizeof(((theirs *)0)->field), #theirs "." #field);
#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #theirs);

SAME_SIZE(union nvml_value, nvmlValue_t)
FIELD(union nvml_value, nvmlValue_t, dVal)
FIELD(union nvml_value, nvmlValue_t, siVal)
FIELD(union nvml_value, nvmlValue_t, uiVal)
FIELD(union nvml_value, nvmlValue_t, ulVal)
FIELD(union nvml_value, nvmlValue_t, ullVal)
FIELD(union nvml_value, nvmlValue_t, sllVal)
SAME_SIZE(struct nvml_sample, nvmlSample_t)
FIELD(struct nvml_sample, nvmlSample_t, timeStamp)
FIELD(struct nvml_sample, nvmlSample_t, sampleValue)
SAME_SIZE(struct nvml_field_value, nvmlFieldValue_t)
FIELD(struct nvml_field_value, nvmlFieldValue_t, fieldId)
FIELD(struct nvml_field_value, nvmlFieldValue_t, scopeId)
FIELD(struct nvml_field_value, nvmlFieldValue_t, timestamp)
FIELD(struct nvml_field_value, nvmlFieldValue_t, latencyUsec)
FIELD(struct nvml_field_value, nvmlFieldValue_t, valueType)
FIELD(struct nvml_field_value, nvmlFieldValue_t, nvmlReturn)
FIELD(struct nvml_field_value, nvmlFieldValue_t, value)

SAME_SIZE(struct nvml_pci_info, nvmlPciInfo_t)
FIELD(struct nvml_pci_info, nvmlPciInfo_t, domain)
FIELD(struct nvml_pci_info, nvmlPciInfo_t, bus)
FIELD(struct nvml_pci_info, nvmlPciInfo_t, device)
FIELD(struct nvml_pci_info, nvmlPciInfo_t, busId)
SAME_SIZE(nvml_gpm_support, nvmlGpmSupport_t)
FIELD(nvml_gpm_support, nvmlGpmSupport_t, isSupportedDevice)
SAME_SIZE(nvml_gpm_metric, nvmlGpmMetric_t)
FIELD(nvml_gpm_metric, nvmlGpmMetric_t, metricId)
FIELD(nvml_gpm_metric, nvmlGpmMetric_t, nvmlReturn)
FIELD(nvml_gpm_metric, nvmlGpmMetric_t, value)
FIELD(nvml_gpm_metrics, nvmlGpmMetricsGet_t, numMetrics)
FIELD(nvml_gpm_metrics, nvmlGpmMetricsGet_t, sample1)
FIELD(nvml_gpm_metrics, nvmlGpmMetricsGet_t, sample2)
_Static_assert(offsetof(nvml_gpm_metrics, metrics) == offsetof(nvmlGpmMetricsGet_t, metrics),
	"nvmlGpmMetricsGet_t.metrics");

/* Some are deprecated in favour of what older drivers lack. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* The structs being the same, their tags are exchanged to compare what points to them.  Enums are
 * compatible with unsigned int. */
#define nvml_sample nvmlSample_st
#define nvml_field_value nvmlFieldValue_st
#define nvml_pci_info nvmlPciInfo_st
#define nvml_gpm_support nvmlGpmSupport_t
#define nvml_gpm_metrics nvmlGpmMetricsGet_t
#define PROTOTYPE(ret, name, params)                                                               \
	typedef ret name##_function params;                                                        \
	_Static_assert(__builtin_types_compatible_p(name##_function, __typeof__(name)),            \
		"prototype of " #name);
NVML_FUNCTIONS(PROTOTYPE, PROTOTYPE)

#else

/* A file must not be empty. */
typedef int nvml_header_is_not_installed;

#endif
