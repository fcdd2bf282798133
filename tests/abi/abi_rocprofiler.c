/* SPDX-License-Identifier: MIT */
/*
 * Compares preload/engine/gpu/hip/rocprofiler_abi.h with rocprofiler-sdk's own headers, where these
 * are installed: that this file compiles is the test.  Debian has none; they were read as
 * published:
 *
 *   enumerations that ROCPROFILER_CONSTANTS has      fwd.h, external_correlation.h, 1.1 and later
 *   records of kernels and copies                    buffer_tracing.h 0.7 and 1.1; from 1.0 on
 *                                                    their correlation has the same two ids under
 *                                                    another name
 *   struct rocprofiler_symbol                        callback_tracing.h 0.3 (without registers)
 *                                                    and 1.1
 *   a callback's record, its third id since 1.0      fwd.h 1.1
 *
 * 0.4 and earlier are not asked for records (hip_resolve.c).
 */
#if __has_include(<rocprofiler-sdk/rocprofiler.h>)

#define PWRTRACE_ABI_TEST
#define rocprofiler_status_t ours_rocprofiler_status_t
#define rocprofiler_context_id_t ours_rocprofiler_context_id_t
#define rocprofiler_buffer_id_t ours_rocprofiler_buffer_id_t
#define rocprofiler_user_data_t ours_rocprofiler_user_data_t
#define rocprofiler_client_id_t ours_rocprofiler_client_id_t
#define rocprofiler_tool_configure_result_t ours_rocprofiler_tool_configure_result_t
#define rocprofiler_record_header_t ours_rocprofiler_record_header_t
#define rocprofiler_dim3_t ours_rocprofiler_dim3_t
#include "preload/engine/gpu/hip/rocprofiler_abi.h"
#undef rocprofiler_status_t
#undef rocprofiler_context_id_t
#undef rocprofiler_buffer_id_t
#undef rocprofiler_user_data_t
#undef rocprofiler_client_id_t
#undef rocprofiler_tool_configure_result_t
#undef rocprofiler_record_header_t
#undef rocprofiler_dim3_t

#include <rocprofiler-sdk/rocprofiler.h>

#define CONSTANT(name, value) _Static_assert((int)(name) == (value), #name);
ROCPROFILER_CONSTANTS(CONSTANT)

#define TYPE(name) _Static_assert(sizeof(ours_##name) == sizeof(name), #name);
TYPE(rocprofiler_status_t)
TYPE(rocprofiler_context_id_t)
TYPE(rocprofiler_buffer_id_t)
TYPE(rocprofiler_user_data_t)
TYPE(rocprofiler_client_id_t)
TYPE(rocprofiler_tool_configure_result_t)
TYPE(rocprofiler_record_header_t)
TYPE(rocprofiler_dim3_t)

#define FIELD(ours, our_field, theirs, field)                                                      \
	_Static_assert(offsetof(ours, our_field) == offsetof(theirs, field), #theirs "." #field);

#define DISPATCH rocprofiler_buffer_tracing_kernel_dispatch_record_t
FIELD(struct rocprofiler_record, kind, DISPATCH, kind)
FIELD(struct rocprofiler_record, operation, DISPATCH, operation)
FIELD(struct rocprofiler_record, external, DISPATCH, correlation_id.external)
FIELD(struct rocprofiler_record, start_timestamp, DISPATCH, start_timestamp)
FIELD(struct rocprofiler_record, end_timestamp, DISPATCH, end_timestamp)
FIELD(struct rocprofiler_dispatch, kernel_id, DISPATCH, dispatch_info.kernel_id)
FIELD(struct rocprofiler_dispatch, group_segment_size, DISPATCH, dispatch_info.group_segment_size)
FIELD(struct rocprofiler_dispatch, workgroup_size, DISPATCH, dispatch_info.workgroup_size)
FIELD(struct rocprofiler_dispatch, grid_size, DISPATCH, dispatch_info.grid_size)

#define COPY rocprofiler_buffer_tracing_memory_copy_record_t
FIELD(struct rocprofiler_record, operation, COPY, operation)
FIELD(struct rocprofiler_record, external, COPY, correlation_id.external)
FIELD(struct rocprofiler_record, start_timestamp, COPY, start_timestamp)
FIELD(struct rocprofiler_record, end_timestamp, COPY, end_timestamp)
FIELD(struct rocprofiler_copy, bytes, COPY, bytes)

#define SYMBOL rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t
FIELD(struct rocprofiler_symbol, kernel_id, SYMBOL, kernel_id)
FIELD(struct rocprofiler_symbol, kernel_name, SYMBOL, kernel_name)
FIELD(struct rocprofiler_symbol, kernarg_segment_size, SYMBOL, kernarg_segment_size)
FIELD(struct rocprofiler_symbol, group_segment_size, SYMBOL, group_segment_size)
FIELD(struct rocprofiler_symbol, private_segment_size, SYMBOL, private_segment_size)
FIELD(struct rocprofiler_symbol, sgpr_count, SYMBOL, sgpr_count)
FIELD(struct rocprofiler_symbol, arch_vgpr_count, SYMBOL, arch_vgpr_count)
FIELD(struct rocprofiler_symbol, accum_vgpr_count, SYMBOL, accum_vgpr_count)

#else
/* A file must not be empty. */
typedef int rocprofiler_headers_are_not_installed;

#endif
