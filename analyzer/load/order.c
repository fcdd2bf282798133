/* SPDX-License-Identifier: MIT */
#include "analyzer/load/order.h"

#include "analyzer/load/waits.h"
#include "analyzer/model/order.h"

void order_add_wait(struct loader *loader, uint32_t process, const struct pwrtrace_sync *e)
{
	const struct model_wait wait = {.begin_ns = e->begin_ns,
		.length_ns = (uint32_t)MIN(e->end_ns - e->begin_ns, UINT32_MAX),
		.process = process,
		.tid = e->tid,
		.stream = e->stream,
		.correlation = e->correlation,
		.awaits = waits_awaited(e->awaits)};

	if (loader->model->order && e->end_ns != PWRTRACE_UNKNOWN_U64 && e->end_ns >= e->begin_ns)
		mapped_array_append(loader->model->order->waits, &wait);
}

void order_add_dependency(
	struct loader *loader, uint32_t process, const struct pwrtrace_dependency *e)
{
	const struct model_dependency dependency = {
		.process = process, .correlation = e->correlation, .after = e->after_correlation};

	if (loader->model->order)
		mapped_array_append(loader->model->order->dependencies, &dependency);
}

/* Of an execution: by when it is sorted, and what launched it. */
struct numbered {
	uint64_t begin_ns;
	struct model_call call;
};

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct numbered *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static int by_begin_of_wait(gconstpointer a, gconstpointer b)
{
	const struct model_wait *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Launches take microseconds.  A call that takes longer may have waited for the device: a copy to
 * memory that is not pinned does, and so does a launch into a full queue, or one whose code must be
 * loaded first. */
#define BLOCKED_NS 50000

static bool may_have_waited(const struct model_execution *execution, const struct launch_call *call)
{
	return execution->launched_ns != PWRTRACE_UNKNOWN_U64 && call->length_ns >= BLOCKED_NS &&
	       call->length_ns != PWRTRACE_UNKNOWN_U32;
}

/* Notes a call that may have waited: a wait that begins a nanosecond later, so that it comes after
 * the launch. */
static void add_blocked(const struct model *model, const struct model_execution *execution,
	const struct launch_call *call)
{
	const struct model_origin *origin = model_origin_of(model, execution);
	const struct model_wait wait = {.begin_ns = execution->launched_ns + 1,
		.length_ns = call->length_ns - 1,
		.process = origin->process,
		.tid = call->tid,
		.stream = origin->stream,
		.awaits = MODEL_AWAITS_STREAM};

	mapped_array_append(model->order->waits, &wait);
}

static void set_calls(const struct loader *loader)
{
	const struct model *model = loader->model;
	struct mapped_array *all = mapped_array_new_unfailing(sizeof(struct numbered));

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		const struct launch_call *call = mapped_array_at(loader->calls, i);
		const struct numbered numbered = {
			execution->begin_ns, {call->correlation, call->tid}};

		if (may_have_waited(execution, call))
			add_blocked(model, execution, call);
		mapped_array_append(all, &numbered);
	}
	/* Equal ones stay in their order, as executions do. */
	mapped_array_sort(all, by_begin);
	for (guint i = 0; i < all->len; i++)
		mapped_array_append(model->order->calls,
			&((const struct numbered *)mapped_array_at(all, i))->call);
	mapped_array_free(all);
}

void order_finish(struct loader *loader)
{
	const struct model_order *order = loader->model->order;

	if (!order)
		return;
	if (order->calls)
		set_calls(loader);
	mapped_array_sort(order->waits, by_begin_of_wait);
}
