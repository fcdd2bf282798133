/* SPDX-License-Identifier: MIT */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "preload/engine/core/tp.h"

#include "preload/engine/core/tp_emit.h"

__thread bool tp_was_read;

#define EVENT(name, channel, fields)                                                               \
	bool tp_##name(const struct pwrtrace_##name *event)                                        \
	{                                                                                          \
		tp_was_read = false;                                                               \
		lttng_ust_tracepoint(pwrtrace, name, event);                                       \
		return tp_was_read;                                                                \
	}
#include "pwrtrace/events.def"
#undef EVENT

int tp_enabled(void)
{
	return lttng_ust_tracepoint_enabled(pwrtrace, process);
}
