/* SPDX-License-Identifier: MIT */
/*
 * Compares preload/api/nvtx_abi.h and ranges.def with NVIDIA's headers of NVTX 3, where these are
 * installed: that this file compiles is the test.
 */
#if __has_include(<nvtx3/nvToolsExt.h>)

#include <nvtx3/nvToolsExt.h>

#include "preload/api/nvtx_abi.h"

#define CONSTANT(name, value) _Static_assert((int)(NVTX_##name) == (value), #name);
NVTX_CONSTANTS(CONSTANT)

#define FIELD(ours, theirs)                                                                        \
	_Static_assert(                                                                            \
		offsetof(struct nvtx_event, ours) == offsetof(nvtxEventAttributes_t, theirs),      \
		#theirs);                                                                          \
	_Static_assert(sizeof(((struct nvtx_event *)0)->ours) ==                                   \
			       sizeof(((nvtxEventAttributes_t *)0)->theirs),                       \
		#theirs);
FIELD(version, version)
FIELD(size, size)
FIELD(category, category)
FIELD(color_type, colorType)
FIELD(color, color)
FIELD(payload_type, payloadType)
FIELD(payload, payload)
FIELD(payload.u32, payload.uiValue)
FIELD(payload.f64, payload.dValue)
FIELD(payload.f32, payload.fValue)
FIELD(message_type, messageType)
FIELD(message, message)
_Static_assert(sizeof(struct nvtx_event) == sizeof(nvtxEventAttributes_t), "nvtxEventAttributes_t");

_Static_assert(offsetof(struct nvtx_callbacks, get_module_function_table) ==
		       offsetof(NvtxExportTableCallbacks, GetModuleFunctionTable),
	"GetModuleFunctionTable");
_Static_assert(sizeof(struct nvtx_callbacks) == sizeof(NvtxExportTableCallbacks),
	"NvtxExportTableCallbacks");

/* The callback ids, by the names that theirs have without nvtx before them. */
enum {
#define NVTX(module, cbid, ret, name, params, args)                                                \
	name##_id = cbid, name##_module = PWR_NVTX_CB_MODULE_##module,
#define ROCTX(...)
#include "preload/api/ranges.def"
};
#define CALLBACK(module, name)                                                                     \
	_Static_assert(nvtx##name##_id == (int)NVTX_CBID_##module##_##name, #name);                \
	_Static_assert(nvtx##name##_module == (int)NVTX_CB_MODULE_##module, #name);
CALLBACK(CORE, MarkEx)
CALLBACK(CORE, MarkA)
CALLBACK(CORE, MarkW)
CALLBACK(CORE, RangeStartEx)
CALLBACK(CORE, RangeStartA)
CALLBACK(CORE, RangeStartW)
CALLBACK(CORE, RangeEnd)
CALLBACK(CORE, RangePushEx)
CALLBACK(CORE, RangePushA)
CALLBACK(CORE, RangePushW)
CALLBACK(CORE, RangePop)
CALLBACK(CORE, NameCategoryA)
CALLBACK(CORE, NameCategoryW)
CALLBACK(CORE2, DomainMarkEx)
CALLBACK(CORE2, DomainRangeStartEx)
CALLBACK(CORE2, DomainRangeEnd)
CALLBACK(CORE2, DomainRangePushEx)
CALLBACK(CORE2, DomainRangePop)
CALLBACK(CORE2, DomainNameCategoryA)
CALLBACK(CORE2, DomainNameCategoryW)
CALLBACK(CORE2, DomainRegisterStringA)
CALLBACK(CORE2, DomainRegisterStringW)
CALLBACK(CORE2, DomainCreateA)
CALLBACK(CORE2, DomainCreateW)

#endif
