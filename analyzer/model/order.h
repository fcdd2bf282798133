/* SPDX-License-Identifier: MIT */
/*
 * Who waited for what: calls of the host, and work on devices.  A model has it where it was asked
 * for (struct load_options).  Launches, events and waits of a process are named by their
 * correlation.
 */
#ifndef PWRTRACE_MODEL_ORDER_H
#define PWRTRACE_MODEL_ORDER_H

#include "analyzer/store/mapped_array.h"
#include "pwrtrace/events.h"

/* What had certainly ended when a call returned, as events.def describes it. */
enum model_awaits {
	MODEL_AWAITS_NOTHING, /* it put an event or a barrier into its stream; or not known */
	MODEL_AWAITS_STREAM,
	MODEL_AWAITS_CONTEXT,
	MODEL_AWAITS_DEVICE,
	MODEL_AWAITS_EVENTS, /* its dependencies */
	MODEL_AWAITS
};

/* A call that waited, or put an event or a barrier into a stream.  Kept small, as the others. */
struct model_wait {
	uint64_t begin_ns;
	uint32_t length_ns; /* UINT32_MAX: so long, or longer */
	uint32_t process;   /* index in model->processes */
	uint32_t tid, stream, correlation;
	uint32_t awaits; /* enum model_awaits */
};

/* What has the first correlation could not begin before what has the other one had ended. */
struct model_dependency {
	uint32_t process;
	uint32_t correlation, after; /* after 0: something that is not in the trace */
};

/* The call that launched an execution. */
struct model_call {
	uint32_t correlation;
	uint32_t tid; /* PWRTRACE_UNKNOWN_U32: not told */
};

struct model_order {
	struct mapped_array *waits;        /* struct model_wait, by begin_ns */
	struct mapped_array *dependencies; /* struct model_dependency, as written */
	struct mapped_array *calls;        /* struct model_call, by execution; NULL: not loaded */
};

/* Without anything; free with model_order_free, which takes NULL too.  calls: those of
 * executions will be loaded. */
struct model_order *model_order_new(bool calls);
void model_order_free(struct model_order *order);

#endif
