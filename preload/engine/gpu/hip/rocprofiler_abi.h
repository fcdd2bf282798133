/* SPDX-License-Identifier: MIT */
/*
 * The few declarations of rocprofiler-sdk's binary interface that we use (0.5 to 1.1, ROCm 6.3 to
 * 7), so that no vendor header is needed to build.  Names and values are its own; tests/abi/
 * abi_rocprofiler.c compares them with the real headers.
 */
#ifndef PWRTRACE_ROCPROFILER_ABI_H
#define PWRTRACE_ROCPROFILER_ABI_H

#include <stddef.h>
#include <stdint.h>

/* CONSTANT(name, value) */
#define ROCPROFILER_CONSTANTS(CONSTANT)                                                            \
	CONSTANT(ROCPROFILER_STATUS_SUCCESS, 0)                                                    \
	CONSTANT(ROCPROFILER_BUFFER_CATEGORY_TRACING, 1)                                           \
	CONSTANT(ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, 10)                                       \
	CONSTANT(ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, 11)                                   \
	CONSTANT(ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, 10)                                     \
	CONSTANT(ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER, 2)                         \
	CONSTANT(ROCPROFILER_CALLBACK_PHASE_LOAD, 1)                                               \
	CONSTANT(ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE, 2)                                        \
	CONSTANT(ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST, 3)                                        \
	CONSTANT(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_COPY, 10)                         \
	CONSTANT(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_KERNEL_DISPATCH, 11)                     \
	CONSTANT(ROCPROFILER_BUFFER_POLICY_DISCARD, 1)

#ifndef PWRTRACE_ABI_TEST
enum rocprofiler_constant {
#define CONSTANT(name, value) name = value,
	ROCPROFILER_CONSTANTS(CONSTANT)
#undef CONSTANT
};
#endif

typedef int rocprofiler_status_t;

typedef struct {
	uint64_t handle;
} rocprofiler_context_id_t;

typedef struct {
	uint64_t handle;
} rocprofiler_buffer_id_t;

typedef union {
	uint64_t value;
	void *ptr;
} rocprofiler_user_data_t;

typedef struct {
	const char *name;
	const uint32_t handle;
} rocprofiler_client_id_t;

typedef struct {
	size_t size;
	int (*initialize)(void (*finalize)(rocprofiler_client_id_t), void *data);
	void (*finalize)(void *data);
	void *tool_data;
} rocprofiler_tool_configure_result_t;

typedef struct {
	uint32_t category, kind;
	void *payload;
} rocprofiler_record_header_t;

typedef struct {
	uint32_t x, y, z;
} rocprofiler_dim3_t;

/* The beginning of every record of the tracing category; size: of the whole record. */
struct rocprofiler_record {
	uint64_t size;
	int32_t kind, operation;
	uint64_t internal;
	rocprofiler_user_data_t external;
	uint64_t thread_id, start_timestamp, end_timestamp;
};

struct rocprofiler_dispatch {
	struct rocprofiler_record record;
	uint64_t info_size, agent_id, queue_id, kernel_id, dispatch_id;
	uint32_t private_segment_size, group_segment_size;
	rocprofiler_dim3_t workgroup_size, grid_size; /* grid: in work-items */
};

struct rocprofiler_copy {
	struct rocprofiler_record record;
	uint64_t dst_agent_id, src_agent_id, bytes;
};

/* A kernel of a code object; the counts of registers exist since 0.5. */
struct rocprofiler_symbol {
	uint64_t size, kernel_id, code_object_id;
	const char *kernel_name;
	uint64_t kernel_object;
	uint32_t kernarg_segment_size, kernarg_segment_alignment, group_segment_size;
	uint32_t private_segment_size, sgpr_count, arch_vgpr_count, accum_vgpr_count;
};

/* A callback's record, which is passed by value; since 1.0 a third id stands before the kind. */
struct rocprofiler_callback_tail {
	int32_t kind, operation, phase;
	void *payload;
};

typedef struct {
	uint64_t context, thread_id, internal, external;
	union {
		struct rocprofiler_callback_tail until_1;
		struct {
			uint64_t ancestor;
			struct rocprofiler_callback_tail tail;
		} since_1;
	};
} rocprofiler_callback_record;

typedef void rocprofiler_callback(
	rocprofiler_callback_record record, rocprofiler_user_data_t *user, void *data);
typedef void rocprofiler_buffer_callback(rocprofiler_context_id_t context,
	rocprofiler_buffer_id_t buffer, rocprofiler_record_header_t **headers, size_t count,
	void *data, uint64_t dropped);
typedef int rocprofiler_external_request(uint64_t thread_id, rocprofiler_context_id_t context,
	int kind, int32_t operation, uint64_t internal, rocprofiler_user_data_t *external,
	void *data);

#endif
