/* SPDX-License-Identifier: MIT */
/*
 * What we use of NVTX's ABI (nvtx3/nvToolsExt.h and nvtxDetail/nvtxTypes.h), under names of our
 * own; tests/abi/abi_nvtx.c compares it with NVIDIA's headers.
 */
#ifndef PWRTRACE_NVTX_ABI_H
#define PWRTRACE_NVTX_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* NVIDIA's name (with NVTX_ before it), value. */
#define NVTX_CONSTANTS(CONSTANT)                                                                   \
	CONSTANT(MESSAGE_TYPE_ASCII, 1)                                                            \
	CONSTANT(MESSAGE_TYPE_UNICODE, 2)                                                          \
	CONSTANT(MESSAGE_TYPE_REGISTERED, 3)                                                       \
	CONSTANT(PAYLOAD_TYPE_UNSIGNED_INT64, 1)                                                   \
	CONSTANT(PAYLOAD_TYPE_INT64, 2)                                                            \
	CONSTANT(PAYLOAD_TYPE_DOUBLE, 3)                                                           \
	CONSTANT(PAYLOAD_TYPE_UNSIGNED_INT32, 4)                                                   \
	CONSTANT(PAYLOAD_TYPE_INT32, 5)                                                            \
	CONSTANT(PAYLOAD_TYPE_FLOAT, 6)                                                            \
	CONSTANT(NO_PUSH_POP_TRACKING, -2)                                                         \
	CONSTANT(CB_MODULE_CORE, 1)                                                                \
	CONSTANT(CB_MODULE_CORE2, 5)                                                               \
	CONSTANT(ETID_CALLBACKS, 1)

enum {
#define CONSTANT(name, value) PWR_NVTX_##name = value,
	NVTX_CONSTANTS(CONSTANT)
#undef CONSTANT
};

/* nvtxEventAttributes_t */
struct nvtx_event {
	uint16_t version;
	uint16_t size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type;
	int32_t reserved;
	union {
		uint64_t u64;
		int64_t i64;
		double f64;
		uint32_t u32;
		int32_t i32;
		float f32;
	} payload;
	int32_t message_type;
	union {
		const char *ascii;
		const wchar_t *unicode;
		void *registered; /* a handle */
	} message;
};

/* NvtxExportTableCallbacks; the function gives an array of the places where a module's calls find
 * their function. */
struct nvtx_callbacks {
	size_t struct_size;
	int (*get_module_function_table)(
		int module, void (****out_table)(void), unsigned *out_size);
};

typedef const void *nvtx_get_export_table(uint32_t id);

#endif
