/* SPDX-License-Identifier: MIT */
/*
 * CUPTI's callbacks, on the launching threads.  They note the thread, the layer and the host's
 * times of each driver call; its correlation id joins it with the record of what the device did.
 */
#include "preload/common/launch_path.h"
#include "preload/engine/core/launch_clock.h"
#include "preload/engine/gpu/cuda/cuda.h"
#include "preload/engine/gpu/cuda/cupti.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/gpu/submit.h"

/* What a call does with an executable graph: launches it, makes it from a graph, updates it to a
 * graph, or changes it in another way.  The first parameters are exec and graph, or &exec for
 * GRAPH_MADE. */
enum graph_use { NO_GRAPH, GRAPH_STARTS, GRAPH_MADE, GRAPH_LIKE, GRAPH_CHANGED };

struct traced_call {
	struct gpu_call call;
	enum gpu_work_kind kind;
	enum graph_use graph;
	enum stream_order order;
	int function_at; /* the index of the kernel among the parameters */
	uint32_t cbid;
};

#define ROW(api, cbid_, name, awaits_, kind_, ...)                                                 \
	{.call = {&api, #name, .awaits = awaits_}, .kind = kind_, .cbid = cbid_, __VA_ARGS__},
#define LIKE_graph GRAPH_LIKE
#define LIKE_NULL GRAPH_CHANGED
#define KERNEL(cbid, name, params, args, at, ...)                                                  \
	ROW(cupti_api, cbid, name, NULL, GPU_WORK_KERNEL, .function_at = at)
#define GRAPH(cbid, name, ...)                                                                     \
	ROW(cupti_api, cbid, name, NULL, GPU_WORK_GRAPH, .graph = GRAPH_STARTS)
#define INSTANTIATE(cbid, name, ...)                                                               \
	ROW(cupti_api, cbid, name, NULL, GPU_WORK_GRAPH, .graph = GRAPH_MADE)
#define UPDATE(cbid, name, params, args, graph_)                                                   \
	ROW(cupti_api, cbid, name, NULL, GPU_WORK_GRAPH, .graph = LIKE_##graph_)
#define MEMORY(cbid, name, ...) ROW(cupti_api, cbid, name, NULL, GPU_WORK_MEMORY, )
#define ORDER(cbid, name, params, args, stream, event, order_)                                     \
	ROW(cuda_api, cbid, name, NULL, GPU_WORK_SYNC, .order = order_)
#define BLOCKING(cbid, name, params, args, stream, event, order_)                                  \
	ROW(cuda_api, cbid, name, AWAITED_BY_##order_("context"), GPU_WORK_SYNC, .order = order_)
#define ALLOCATES(...)
#define FREES(...)
#define FORBIDS(...)
#define LOADS(...)
#define CAPTURES(...)
#define TEARDOWN(...)
#define OBJECT(cbid, name, params, args)
#define RESOLVER(name, params, args)
#define PLAIN(name, params)
static const struct traced_call traced_calls[] = {
#include "preload/api/cuda.def"
};
#undef ROW

#define CALLS (sizeof(traced_calls) / sizeof(*traced_calls))
#define CBIDS 1024

static const struct traced_call *call_of[CBIDS];

/* Whether this thread's current driver call became a node of a graph instead of work, and the
 * call's correlation id. */
static __thread bool captured;
static __thread uint32_t call_correlation;

static CUgraphExec exec_of(const void *params)
{
	return *(void *const *)params;
}

static APART void follow_graph(enum graph_use use, const void *params)
{
	CUgraphExec exec = exec_of(params);

	cuda_graph_learn(use == GRAPH_MADE ? *(CUgraphExec *)exec : exec,
		use == GRAPH_CHANGED ? NULL : ((void *const *)params)[1]);
}

/* Whether modules were unloaded, so that handles of kernels may be reused.  CUPTI's records then
 * name a kernel after the first one that had its handle (seen with CUPTI 13.0). */
READ_AT_LAUNCH static bool handles_come_again = false;

static APART uint32_t name_by_driver(
	const CUpti_CallbackData *data, const struct traced_call *traced)
{
	return gpu_add_name(
		cuda_kernel_name(((void *const *)data->functionParams)[traced->function_at]));
}

static uint32_t name_of(const CUpti_CallbackData *data, const struct traced_call *traced)
{
	return UNLIKELY(__atomic_load_n(&handles_come_again, __ATOMIC_RELAXED))
		       ? name_by_driver(data, traced)
		       : 0;
}

/* Returns the id of a call's stream, 0 if CUPTI does not know it.  of_thread: the default stream is
 * that of the thread. */
static uint32_t stream_of(const CUpti_CallbackData *data, CUstream stream, bool of_thread)
{
	uint32_t id, device;

	if (cupti.cuptiGetStreamIdEx(data->context, stream, of_thread, &id) != CUPTI_SUCCESS ||
		cupti.cuptiGetDeviceId(data->context, &device) != CUPTI_SUCCESS)
		return 0;
	return cupti_stream(device, data->contextUid, id);
}

static APART void submit_order(const CUpti_CallbackData *data, const struct traced_call *traced)
{
	static const struct {
		int stream_at, event_at; /* among the parameters, or -1 */
	} places[] = {
		[ORDER_RECORDS] = {1, 0},
		[ORDER_STREAM_AWAITS] = {0, 1},
		[ORDER_AWAITS_STREAM] = {0, -1},
		[ORDER_AWAITS_EVENT] = {-1, 0},
		[ORDER_AWAITS_ALL] = {-1, -1},
		[ORDER_AWAITS_OTHER] = {-1, -1},
	};
	void *const *params = data->functionParams;
	int stream_at = places[traced->order].stream_at, event_at = places[traced->order].event_at;
	struct gpu_work work = {.kind = GPU_WORK_SYNC,
		.tid = gpu_tid(),
		.correlation = gpu_new_correlation(),
		.place.layer = gpu_current_layer(),
		.enqueue_ns = *data->correlationData,
		.return_ns = launch_clock_stamp(),
		.call = &traced->call};

	if (stream_at >= 0)
		work.stream =
			stream_of(data, params[stream_at], stream_is_of_thread(traced->call.name));
	else if (traced->order == ORDER_AWAITS_ALL)
		work.stream = stream_of(data, NULL, false);
	stream_submit_order(&work, traced->order, event_at >= 0 ? params[event_at] : NULL);
	if (traced->order >= ORDER_AWAITS_STREAM)
		gpu_after_wait();
}

/* The execution is written when its record comes. */
static void submit_launch(const CUpti_CallbackData *data, const struct traced_call *traced)
{
	struct gpu_place place;
	uint64_t return_ns;
	uint32_t id = 0, name = 0;
	struct gpu_work *work;

	gpu_submit_prefetch();
	return_ns = launch_clock_stamp();
	place = gpu_current_place();
	if (LIKELY(traced->kind == GPU_WORK_KERNEL))
		name = name_of(data, traced);
	else if (traced->kind == GPU_WORK_GRAPH)
		id = graph_class_of(exec_of(data->functionParams));
	work = gpu_submit_begin(traced->kind);
	if (!work)
		return;
	*work = (struct gpu_work){.kind = traced->kind,
		.tid = gpu_tid(),
		.correlation = data->correlationId,
		.place = place,
		.enqueue_ns = *data->correlationData,
		.return_ns = return_ns,
		.call = &traced->call};
	if (UNLIKELY(traced->kind == GPU_WORK_GRAPH))
		work->graph.id = id;
	else
		work->kernel.name = name;
	gpu_submit_end(work);
}

/* On entry to a driver call, and on return from it. */
EACH_LAUNCH static APART void on_entry(const CUpti_CallbackData *data)
{
	if (!gpu_launches_wanted())
		return;
	captured = false;
	call_correlation = data->correlationId;
	*data->correlationData = launch_clock_stamp();
}

EACH_LAUNCH static APART void on_return(
	const CUpti_CallbackData *data, const struct traced_call *traced)
{
	if (!gpu_launches_wanted() || !data->functionReturnValue ||
		*(const CUresult *)data->functionReturnValue != CUDA_SUCCESS)
		return;
	if (UNLIKELY(traced->graph > GRAPH_STARTS))
		follow_graph(traced->graph, data->functionParams);
	else if (UNLIKELY(captured))
		return;
	else if (UNLIKELY(traced->order))
		submit_order(data, traced);
	else
		submit_launch(data, traced);
}

/* A node keeps the place at which it was captured, also in clones and instances of its graph.
 * original: the node of which it is a copy; NULL if it is new. */
static void on_node(void *node, void *original)
{
	static const struct gpu_call call = {&cupti_api, .name = ""};
	struct gpu_place place = original ? (struct gpu_place){0, 0} : gpu_current_place();
	uint64_t id, original_id = 0;

	captured = true;
	if ((!original && !place.layer && !place.stack) ||
		cupti.cuptiGetGraphNodeId(node, &id) != CUPTI_SUCCESS ||
		(original && cupti.cuptiGetGraphNodeId(original, &original_id) != CUPTI_SUCCESS))
		return;
	gpu_submit(&(struct gpu_work){.kind = GPU_WORK_NODE,
		.correlation = call_correlation,
		.place = place,
		.call = &call,
		.node = {id, original_id}});
}

static void on_graph(uint32_t cbid, const CUpti_GraphData *graph)
{
	if (!gpu_launches_wanted())
		return;
	if (cbid == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED)
		on_node(graph->node, NULL);
	else if (cbid == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED)
		on_node(graph->node, graph->originalNode);
	else
		on_node(graph->originalNode, graph->node);
}

/* data: NULL if the callback is not about a context. */
static APART void on_resource(uint32_t cbid, const CUpti_ResourceData *data)
{
	switch (cbid) {
	case CUPTI_CBID_RESOURCE_CU_INIT_FINISHED:
		cuda_initialized();
		break;
	case CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING:
		cupti_flush(false);
		break;
	case CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING:
		__atomic_store_n(&handles_come_again, true, __ATOMIC_RELAXED);
		break;
	case CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED:
	case CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED:
	case CUPTI_CBID_RESOURCE_GRAPH_NODE_UPDATED:
		on_graph(cbid, data->resourceDescriptor);
		break;
	}
}

EACH_LAUNCH void cupti_on_callback(void *user, uint32_t domain, uint32_t cbid, const void *data)
{
	const CUpti_CallbackData *call = data;

	(void)user;
	if (domain == CUPTI_CB_DOMAIN_RESOURCE)
		on_resource(cbid, data);
	else if (cbid >= CBIDS || !call_of[cbid])
		return;
	else if (call->callbackSite == CUPTI_API_ENTER)
		on_entry(call);
	else
		on_return(call, call_of[cbid]);
}

static const uint32_t callbacks[] = {CUPTI_CBID_RESOURCE_CU_INIT_FINISHED,
	CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING,
	CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
	CUPTI_CBID_RESOURCE_GRAPH_NODE_UPDATED};

void cupti_enable_callbacks(CUpti_SubscriberHandle subscriber)
{
	for (size_t i = 0; i < CALLS; i++) {
		call_of[traced_calls[i].cbid] = &traced_calls[i];
		/* An older CUPTI does not know the newest calls. */
		cupti.cuptiEnableCallback(
			1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, traced_calls[i].cbid);
	}
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(*callbacks); i++)
		cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, callbacks[i]);
}
