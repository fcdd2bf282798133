/* SPDX-License-Identifier: MIT */
/*
 * Wrappers of calls that put work into streams.  The includer defines what they are made of:
 *
 *   STREAM_STATUS          what its functions return; 0 is success
 *   STREAM_REAL(name)      the real function
 *   STREAM_API             its struct stream_api
 *   STREAM_POLLED          its struct gpu_api for work that is polled
 *   STREAM_PASSED()        whether calls certainly go past the wrappers; called first, and cheap
 *   STREAM_TRACED()        whether calls are traced by wrappers at all; called next
 *   STREAM_TIMED()         whether work is timed by pairs of events
 *   STREAM_ALL             `awaits` of sync for ORDER_AWAITS_ALL
 */
#include "preload/common/launch_path.h"

/* detail: the last member of struct gpu_call, for direction STREAM_AS_THE_ROW_SAYS.  submit:
 * submits launch.work if the call succeeded; then: follows in any case. */
#define WRAP(name_, params, args, stream, work_kind, detail, direction, submit, then)              \
	static APART STREAM_STATUS recorded_##name_ params                                         \
	{                                                                                          \
		static const struct gpu_call calls[] = {                                           \
			[STREAM_AS_THE_ROW_SAYS] = {&STREAM_POLLED, #name_, detail},               \
			[STREAM_WRITES] = {&STREAM_POLLED, #name_, .memory_kind = "write"},        \
			[STREAM_READS] = {&STREAM_POLLED, #name_, .memory_kind = "read"},          \
		};                                                                                 \
		struct stream_launch launch;                                                       \
		STREAM_STATUS result;                                                              \
                                                                                                   \
		if (!STREAM_TRACED())                                                              \
			return STREAM_REAL(name_) args;                                            \
		if (!stream_launch_begin(&launch, &STREAM_API, &calls[direction], stream,          \
			    work_kind, STREAM_TIMED())) {                                          \
			result = STREAM_REAL(name_) args;                                          \
			stream_launch_passed(&launch, result == 0);                                \
			return result;                                                             \
		}                                                                                  \
		result = STREAM_REAL(name_) args;                                                  \
		if (stream_launch_end(&launch, result == 0))                                       \
			submit;                                                                    \
		then;                                                                              \
		guard_leave();                                                                     \
		return result;                                                                     \
	}                                                                                          \
	/* Without a branch, so that the arguments stay where they are. */                         \
	static STREAM_STATUS traced_##name_ params                                                 \
	{                                                                                          \
		STREAM_STATUS(*const ways[]) params = {recorded_##name_, STREAM_REAL(name_)};      \
                                                                                                   \
		return ways[STREAM_PASSED()] args;                                                 \
	}

#define WRAP_KERNEL(name, params, args, stream, shape)                                             \
	WRAP(name, params, args, stream, GPU_WORK_KERNEL, .memory_kind = NULL, 0,                  \
		stream_submit_kernel(&launch.work, shape), (void)0)
#define WRAP_GRAPH(name, params, args, stream)                                                     \
	WRAP(name, params, args, stream, GPU_WORK_GRAPH, .memory_kind = NULL, 0,                   \
		stream_submit_graph(&launch.work, exec), (void)0)
#define WRAP_MEMORY(name, params, args, kind, direction, bytes, stream)                            \
	WRAP(name, params, args, stream, GPU_WORK_MEMORY, .memory_kind = kind, direction,          \
		stream_submit_memory(&launch.work, bytes), (void)0)
#define WRAP_ORDER(name, params, args, stream, event, order)                                       \
	WRAP(name, params, args, stream, GPU_WORK_SYNC, .awaits = NULL, 0,                         \
		stream_submit_order(&launch.work, order, event), (void)0)
#define WRAP_BLOCKING(name, params, args, stream, event, order)                                    \
	WRAP(name, params, args, stream, GPU_WORK_SYNC, .awaits = AWAITED_BY_##order(STREAM_ALL),  \
		0, stream_submit_order(&launch.work, order, event), gpu_after_wait())

/* A call that makes or updates an executable graph; the includer's learn(exec, graph) reads it. */
#define WRAP_FOLLOWING(name, params, args, learn, exec, graph)                                     \
	static STREAM_STATUS traced_##name params                                                  \
	{                                                                                          \
		STREAM_STATUS result = STREAM_REAL(name) args;                                     \
                                                                                                   \
		if (result == 0 && STREAM_TRACED())                                                \
			learn(exec, graph);                                                        \
		return result;                                                                     \
	}

/* A call that destroys events: earlier launches are collected before it.  ended(result) is the
 * includer's. */
#define WRAP_TEARDOWN(name, params, args, ended)                                                   \
	static STREAM_STATUS traced_##name params                                                  \
	{                                                                                          \
		if (STREAM_TRACED() && STREAM_TIMED())                                             \
			gpu_wait_for_all();                                                        \
		return ended(STREAM_REAL(name) args);                                              \
	}
