/* SPDX-License-Identifier: MIT */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "preload/tp.h"

#include "preload/tp_emit.h"

#define EVENT(name, channel, fields)                                                               \
	void tp_##name(const struct pwrtrace_##name *event)                                        \
	{                                                                                          \
		lttng_ust_tracepoint(pwrtrace, name, event);                                       \
	}
#include "pwrtrace/events.def"
#undef EVENT

int tp_enabled(void)
{
	return lttng_ust_tracepoint_enabled(pwrtrace, process);
}
