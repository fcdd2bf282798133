/* SPDX-License-Identifier: MIT */
/*
 * Compares preload/shim/layer/ompt_abi.h with OpenMP's omp-tools.h, where the compiler's runtime
 * has it (the Makefile looks for LLVM's): that this file compiles is the test.
 */
#ifdef OMP_TOOLS
#include <stddef.h>

#define ompt_target ours_target
#include "preload/shim/layer/ompt_abi.h"
#undef ompt_target

#include OMP_TOOLS

#define CONSTANT(name, value) _Static_assert((int)ompt_##name == (value), #name);
OMPT_CONSTANTS(CONSTANT)

_Static_assert(sizeof(union ompt_word) == sizeof(ompt_data_t), "ompt_data_t");
_Static_assert(sizeof(struct ompt_tool) == sizeof(ompt_start_tool_result_t), "the tool's table");
_Static_assert(
	offsetof(struct ompt_tool, finalize) == offsetof(ompt_start_tool_result_t, finalize), "");
_Static_assert(
	offsetof(struct ompt_tool, data) == offsetof(ompt_start_tool_result_t, tool_data), "");

/* Ours, in their types. */
typedef void begin(ompt_data_t *, const ompt_frame_t *, ompt_data_t *, unsigned, int, const void *);
typedef void end(ompt_data_t *, ompt_data_t *, int, const void *);
typedef void task(ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, unsigned, unsigned, int);
typedef void target(
	ompt_target_t, ompt_scope_endpoint_t, int, ompt_data_t *, ompt_id_t, const void *);
#define SAME(ours, theirs) _Static_assert(__builtin_types_compatible_p(ours *, theirs), #theirs);
SAME(begin, ompt_callback_parallel_begin_t)
SAME(end, ompt_callback_parallel_end_t)
SAME(task, ompt_callback_implicit_task_t)
SAME(target, ompt_callback_target_t)
#endif
