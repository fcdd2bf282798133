/* SPDX-License-Identifier: MIT */
/*
 * Wrappers of a runtime's calls for replays; they are called before those that trace.  The includer
 * defines what they are made of:
 *
 *   REPLAY_STATUS          what its functions return; 0 is success
 *   REPLAY_TRACED(name)    the wrapper that traces, or the real function where there is none
 *   REPLAY_API             its struct replay_api
 */
#include <errno.h>

/* A launch; then: a statement after the program's own launch. */
#define REPLAY_KERNEL(name, params, args, stream, shape, why_not, then)                            \
	static REPLAY_STATUS replayed_##name params                                                \
	{                                                                                          \
		struct replay replay;                                                              \
		REPLAY_STATUS result;                                                              \
                                                                                                   \
		if (replay_begin(&replay, &REPLAY_API, stream_named(#name, stream), shape))        \
			replay_prepare(&replay, why_not);                                          \
		do                                                                                 \
			result = REPLAY_TRACED(name) args;                                         \
		while (replay_again(&replay, result == 0));                                        \
		then;                                                                              \
		return result;                                                                     \
	}

/* A launch of a graph, whose kernels may be replayed before it; then: as above. */
#define REPLAY_GRAPH(name, params, args, before, then)                                             \
	static REPLAY_STATUS replayed_##name params                                                \
	{                                                                                          \
		REPLAY_STATUS result;                                                              \
                                                                                                   \
		before;                                                                            \
		replay_call_begin();                                                               \
		result = REPLAY_TRACED(name) args;                                                 \
		then;                                                                              \
		replay_call_end();                                                                 \
		return result;                                                                     \
	}

/* A call during which nothing is replayed; then: a statement if it has succeeded. */
#define REPLAY_CALL(name, params, args, then)                                                      \
	static REPLAY_STATUS replayed_##name params                                                \
	{                                                                                          \
		REPLAY_STATUS result;                                                              \
                                                                                                   \
		replay_call_begin();                                                               \
		result = REPLAY_TRACED(name) args;                                                 \
		if (result == 0) {                                                                 \
			int error = errno;                                                         \
                                                                                                   \
			then;                                                                      \
			errno = error;                                                             \
		}                                                                                  \
		replay_call_end();                                                                 \
		return result;                                                                     \
	}

#define REPLAY_ALLOCATES(name, params, args, kind, address, bytes)                                 \
	REPLAY_CALL(name, params, args, replay_allocated(&REPLAY_API, kind, address, bytes))
#define REPLAY_FORBIDS(name, params, args, why) REPLAY_CALL(name, params, args, replay_forbid(why))

/* A call that begins or ends a capture of stream.  A capture that fails to end is over, too. */
#define REPLAY_CAPTURES(name, params, args)                                                        \
	static REPLAY_STATUS replayed_##name params                                                \
	{                                                                                          \
		void *captured = stream_named(#name, stream);                                      \
		int before = REPLAY_API.is_capturing(captured);                                    \
		REPLAY_STATUS result;                                                              \
                                                                                                   \
		replay_call_begin();                                                               \
		result = REPLAY_TRACED(name) args;                                                 \
		replay_count_captures(REPLAY_API.is_capturing(captured) - before);                 \
		replay_call_end();                                                                 \
		return result;                                                                     \
	}

/* Memory is forgotten before it is freed, because another thread may get it as soon as it is. */
#define REPLAY_FREES(name, params, args, address, bytes)                                           \
	static REPLAY_STATUS replayed_##name params                                                \
	{                                                                                          \
		REPLAY_STATUS result;                                                              \
                                                                                                   \
		replay_call_begin();                                                               \
		replay_freed(address, bytes);                                                      \
		result = REPLAY_TRACED(name) args;                                                 \
		replay_call_end();                                                                 \
		return result;                                                                     \
	}
