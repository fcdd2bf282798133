/* SPDX-License-Identifier: MIT */
/*
 * CUPTI, found at run time: callbacks tell the thread, the layer and the host's times of each
 * driver call, activity records what the device did; the correlation id joins the two.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/callstack/callstack.h"
#include "preload/clock.h"
#include "preload/conf.h"
#include "preload/gpu/cuda.h"
#include "preload/log.h"

static struct {
#define FUNCTION(name, params) CUptiResult(*name) params;
#define TAKES(name, params, args)
#include "preload/gpu/cupti.def"
} cupti;

static CUpti_SubscriberHandle subscriber;
static bool clock_is_ours;

static const char *result_text(CUptiResult result)
{
	const char *text = NULL;

	if (cupti.cuptiGetResultString)
		cupti.cuptiGetResultString(result, &text);
	return text ? text : "an unknown error";
}

/* ---- buffers: at most a handful is in use, so that a few slots hold them all ---- */

#define BUFFER_BYTES (1 << 20)
#define BUFFER_SLOTS 32

static struct cupti_buffer *slots[BUFFER_SLOTS];
static struct cupti_buffer *filled; /* newest first */
static uint64_t dropped;

static struct cupti_buffer *new_buffer(void)
{
	enum { HEADER_BYTES = 64 };
	struct cupti_buffer *buffer = aligned_alloc(64, HEADER_BYTES + BUFFER_BYTES);

	if (buffer)
		buffer->records = (uint8_t *)buffer + HEADER_BYTES;
	return buffer;
}

void cupti_recycle(struct cupti_buffer *buffer)
{
	for (int i = 0; i < BUFFER_SLOTS; i++) {
		struct cupti_buffer *none = NULL;

		if (__atomic_compare_exchange_n(
			    &slots[i], &none, buffer, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return;
	}
	free(buffer);
}

/* CUPTI asks on a launching thread: what is taken here was made before. */
static void request_buffer(uint8_t **records, size_t *bytes, size_t *max_records)
{
	struct cupti_buffer *buffer = NULL;

	for (int i = 0; i < BUFFER_SLOTS && !buffer; i++)
		buffer = __atomic_exchange_n(&slots[i], NULL, __ATOMIC_ACQUIRE);
	if (!buffer)
		buffer = new_buffer();
	*records = buffer ? buffer->records : NULL;
	*bytes = buffer ? BUFFER_BYTES : 0;
	*max_records = 0;
}

static void complete_buffer(
	CUcontext context, uint32_t stream, uint8_t *records, size_t bytes, size_t valid_bytes)
{
	struct cupti_buffer *buffer = (struct cupti_buffer *)(records - 64);
	size_t count = 0;

	(void)bytes;
	if (cupti.cuptiActivityGetNumDroppedRecords &&
		cupti.cuptiActivityGetNumDroppedRecords(context, stream, &count) == CUPTI_SUCCESS)
		__atomic_fetch_add(&dropped, count, __ATOMIC_RELAXED);
	buffer->valid_bytes = valid_bytes;
	buffer->next = __atomic_load_n(&filled, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		&filled, &buffer->next, buffer, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

struct cupti_buffer *cupti_filled(void)
{
	struct cupti_buffer *newest = __atomic_exchange_n(&filled, NULL, __ATOMIC_ACQUIRE);
	struct cupti_buffer *oldest = NULL;

	while (newest) {
		struct cupti_buffer *next = newest->next;

		newest->next = oldest;
		oldest = newest;
		newest = next;
	}
	return oldest;
}

const CUpti_Activity *cupti_next(const struct cupti_buffer *buffer, const CUpti_Activity *record)
{
	CUpti_Activity *next = (CUpti_Activity *)record;

	if (cupti.cuptiActivityGetNextRecord(buffer->records, buffer->valid_bytes, &next) !=
		CUPTI_SUCCESS)
		return NULL;
	return next;
}

void cupti_flush(bool all)
{
	cupti.cuptiActivityFlushAll(all ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
}

uint64_t cupti_dropped(void)
{
	return __atomic_exchange_n(&dropped, 0, __ATOMIC_RELAXED);
}

uint64_t cupti_now_ns(void)
{
	uint64_t now_ns;

	return cupti.cuptiGetTimestamp(&now_ns) == CUPTI_SUCCESS ? now_ns : PWRTRACE_UNKNOWN_U64;
}

bool cupti_clock_is_ours(void)
{
	return clock_is_ours;
}

/* ---- callbacks: on the launching threads ---- */

/* What a call does to an executable graph; its parameters begin with exec, graph, but where the
 * call makes exec, with &exec. */
enum graph_use { NO_GRAPH, GRAPH_STARTS, GRAPH_MADE, GRAPH_LIKE, GRAPH_CHANGED };

struct traced_call {
	struct gpu_call call;
	enum gpu_work_kind kind;
	enum graph_use graph;
	enum stream_order order;
	int function_at; /* a kernel's, among the parameters */
	uint32_t cbid;
};

#define ROW(api, cbid_, name, kind_, ...)                                                          \
	{.call = {&api, #name, NULL}, .kind = kind_, .cbid = cbid_, __VA_ARGS__},
#define LIKE_graph GRAPH_LIKE
#define LIKE_NULL GRAPH_CHANGED
#define KERNEL(cbid, name, params, args, at, ...)                                                  \
	ROW(cupti_api, cbid, name, GPU_WORK_KERNEL, .function_at = at)
#define GRAPH(cbid, name, ...) ROW(cupti_api, cbid, name, GPU_WORK_GRAPH, .graph = GRAPH_STARTS)
#define INSTANTIATE(cbid, name, ...) ROW(cupti_api, cbid, name, GPU_WORK_GRAPH, .graph = GRAPH_MADE)
#define UPDATE(cbid, name, params, args, graph_)                                                   \
	ROW(cupti_api, cbid, name, GPU_WORK_GRAPH, .graph = LIKE_##graph_)
#define MEMORY(cbid, name, ...) ROW(cupti_api, cbid, name, GPU_WORK_MEMORY, )
#define ORDER(cbid, name, params, args, stream, event, order_)                                     \
	ROW(cuda_api, cbid, name, GPU_WORK_SYNC, .order = order_)
#define BLOCKING ORDER
#define ALLOCATES(...)
#define FREES(...)
#define FORBIDS(...)
#define LOADS(...)
#define CAPTURES(...)
#define TEARDOWN(cbid, name, params, args)
#define OBJECT(cbid, name, params, args)
#define RESOLVER(name, params, args)
#define PLAIN(name, params)
static const struct traced_call traced_calls[] = {
#include "preload/gpu/cuda.def"
};
#undef ROW

#define CALLS (sizeof(traced_calls) / sizeof(*traced_calls))
#define CBIDS 1024

static const struct traced_call *call_of[CBIDS];

/* Whether the driver call of this thread has become a node of a graph instead of work; and which
 * call it is. */
static __thread bool captured;
static __thread uint32_t call_correlation;

static CUgraphExec exec_of(const void *params)
{
	return *(void *const *)params;
}

static void follow_graph(enum graph_use use, const void *params)
{
	CUgraphExec exec = exec_of(params);

	cuda_graph_known(use == GRAPH_MADE ? *(CUgraphExec *)exec : exec,
		use == GRAPH_CHANGED ? NULL : ((void *const *)params)[1]);
}

/* CUPTI's records name a kernel as the first that had its handle was named, also where that one's
 * module is unloaded and the handle is another's now (measured with CUPTI 13.0). */
static bool handles_come_again;

/* The id of a graph's class, or of a kernel's name where its record may have the wrong one. */
static uint32_t what_started(const CUpti_CallbackData *data, const struct traced_call *traced)
{
	if (traced->graph)
		return graph_of(exec_of(data->functionParams));
	if (traced->kind != GPU_WORK_KERNEL ||
		!__atomic_load_n(&handles_come_again, __ATOMIC_RELAXED))
		return 0;
	return gpu_add_name(
		cuda_kernel_name(((void *const *)data->functionParams)[traced->function_at]));
}

/* The stream of a call, where it names one. */
static uint32_t stream_of(const CUpti_CallbackData *data, CUstream stream, bool of_thread)
{
	uint32_t id, device;

	if (cupti.cuptiGetStreamIdEx(data->context, stream, of_thread, &id) != CUPTI_SUCCESS ||
		cupti.cuptiGetDeviceId(data->context, &device) != CUPTI_SUCCESS)
		return 0;
	return cupti_stream(device, data->contextUid, id);
}

static void submit_order(const CUpti_CallbackData *data, const struct traced_call *traced)
{
	static const struct {
		int stream_at, event_at; /* among the parameters, or -1 */
	} places[] = {
		[ORDER_RECORDS] = {1, 0},
		[ORDER_STREAM_AWAITS] = {0, 1},
		[ORDER_AWAITS_STREAM] = {0, -1},
		[ORDER_AWAITS_EVENT] = {-1, 0},
		[ORDER_AWAITS_ALL] = {-1, -1},
	};
	void *const *params = data->functionParams;
	int stream_at = places[traced->order].stream_at, event_at = places[traced->order].event_at;
	struct gpu_work work = {.kind = GPU_WORK_SYNC,
		.tid = gpu_tid(),
		.correlation = gpu_new_correlation(),
		.layer = gpu_current_layer(),
		.enqueue_ns = *data->correlationData,
		.return_ns = clock_now_ns(),
		.call = &traced->call};

	if (stream_at >= 0)
		work.stream =
			stream_of(data, params[stream_at], stream_is_of_thread(traced->call.name));
	stream_submit_order(&work, traced->order, event_at >= 0 ? params[event_at] : NULL);
	if (traced->order >= ORDER_AWAITS_STREAM)
		gpu_waited();
}

static void on_driver_call(const CUpti_CallbackData *data, const struct traced_call *traced)
{
	if (!gpu_launches_wanted())
		return;
	if (data->callbackSite == CUPTI_API_ENTER) {
		captured = false;
		call_correlation = data->correlationId;
		*data->correlationData = clock_now_ns();
		return;
	}
	if (!data->functionReturnValue ||
		*(const CUresult *)data->functionReturnValue != CUDA_SUCCESS)
		return;
	if (traced->graph > GRAPH_STARTS) {
		follow_graph(traced->graph, data->functionParams);
		return;
	}
	if (captured)
		return;
	if (traced->order) {
		submit_order(data, traced);
		return;
	}
	gpu_submit(&(struct gpu_work){.kind = traced->kind,
		.tid = gpu_tid(),
		.correlation = data->correlationId,
		.layer = gpu_current_layer(),
		.stack = callstack_current(),
		.kernel = what_started(data, traced),
		.enqueue_ns = *data->correlationData,
		.return_ns = clock_now_ns(),
		.call = &traced->call});
}

/* A node keeps the place at which it was captured, through clones and instances;
 * original: the node that it is like now, NULL where it is new. */
static void on_node(void *node, void *original)
{
	static const struct gpu_call call = {&cupti_api, "", NULL};
	uint32_t layer = original ? 0 : gpu_current_layer();
	uint32_t stack = original ? 0 : callstack_current();
	uint64_t id, original_id = 0;

	captured = true;
	if ((!original && !layer && !stack) ||
		cupti.cuptiGetGraphNodeId(node, &id) != CUPTI_SUCCESS ||
		(original && cupti.cuptiGetGraphNodeId(original, &original_id) != CUPTI_SUCCESS))
		return;
	gpu_submit(&(struct gpu_work){.kind = GPU_WORK_NODE,
		.correlation = call_correlation,
		.layer = layer,
		.stack = stack,
		.bytes = id,
		.token = (void *)original_id,
		.call = &call});
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

/* data: NULL where the callback is about no context. */
static void on_resource(uint32_t cbid, const CUpti_ResourceData *data)
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

static void on_callback(void *user, uint32_t domain, uint32_t cbid, const void *data)
{
	(void)user;
	if (domain == CUPTI_CB_DOMAIN_RESOURCE)
		on_resource(cbid, data);
	else if (cbid < CBIDS && call_of[cbid])
		on_driver_call(data, call_of[cbid]);
}

/* ---- starting and stopping ---- */

static const uint32_t callbacks[] = {CUPTI_CBID_RESOURCE_CU_INIT_FINISHED,
	CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING,
	CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
	CUPTI_CBID_RESOURCE_GRAPH_NODE_UPDATED};

/* Orders and waits are known from the callbacks: CUPTI's own records of them make every launch a
 * quarter of a microsecond slower (measured on an H200 with CUPTI 13.0). */
static const uint32_t kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
	CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};

/* The one that the program has already, or the newest that the driver can serve. */
static void *find_library(void)
{
	static const int manners[] = {RTLD_LAZY | RTLD_NOLOAD, RTLD_LAZY};
	static const char *const places[] = {"", "/usr/local/cuda/extras/CUPTI/lib64/",
		"/usr/local/cuda/lib64/", "/opt/cuda/extras/CUPTI/lib64/"};
	int version = 0, newest;
	void *library = NULL;
	char path[128];

	if (*conf.cupti)
		return dlmopen(cuda_host->driver_namespace, conf.cupti, RTLD_LAZY);
	if (CUDA(cuDriverGetVersion))
		CUDA(cuDriverGetVersion)(&version);
	newest = version ? version / 1000 : 13;
	for (int i = 0; i < 2 && !library; i++)
		for (int place = 0; place < 4 && !library; place++)
			for (int major = newest; major >= 11 && !library; major--) {
				snprintf(path, sizeof(path), "%slibcupti.so.%d", places[place],
					major);
				library = dlmopen(cuda_host->driver_namespace, path, manners[i]);
			}
	return library;
}

static bool find_functions(void *library, const char **why)
{
#define TAKES(name, params, args)
#define FUNCTION(name, params) cupti.name = (CUptiResult(*) params)dlsym(library, #name);
#include "preload/gpu/cupti.def"
	if (cupti.cuptiSubscribe && cupti.cuptiUnsubscribe && cupti.cuptiEnableCallback &&
		cupti.cuptiActivityRegisterCallbacks && cupti.cuptiActivityEnable &&
		cupti.cuptiActivityDisable && cupti.cuptiActivityFlushAll &&
		cupti.cuptiActivityGetNextRecord && cupti.cuptiGetTimestamp &&
		cupti.cuptiGetGraphNodeId && cupti.cuptiGetStreamIdEx && cupti.cuptiGetDeviceId)
		return true;
	*why = "this libcupti is too old (CUDA 11.1 is needed)";
	return false;
}

static bool subscribe(const char **why)
{
	CUptiResult result = cupti.cuptiSubscribe(&subscriber, on_callback, NULL);

	if (result == CUPTI_SUCCESS)
		return true;
	*why = result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
		       ? "another profiler uses CUPTI"
		       : result_text(result);
	return false;
}

static bool enable(const char **why)
{
	CUptiResult result;

	for (size_t i = 0; i < CALLS; i++) {
		call_of[traced_calls[i].cbid] = &traced_calls[i];
		/* An older CUPTI does not know the newest calls. */
		cupti.cuptiEnableCallback(
			1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, traced_calls[i].cbid);
	}
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(*callbacks); i++)
		cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, callbacks[i]);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		result = cupti.cuptiActivityEnable(kinds[i]);
		if (result != CUPTI_SUCCESS && i == 0) {
			*why = result_text(result);
			return false;
		}
	}
	/* Before the first graph is instantiated, or never: CUPTI 13 crashes otherwise. */
	if (strcmp(conf.graphs, "graph") == 0)
		cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
	return true;
}

static void disable(void)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		cupti.cuptiActivityDisable(kinds[i]);
	cupti.cuptiUnsubscribe(subscriber);
}

bool cupti_start(const char **why)
{
	void *library = find_library();

	if (!library) {
		*why = "libcupti is not found (PWRTRACE_CUPTI=FILE tells where it is)";
		return false;
	}
	if (!find_functions(library, why) || !subscribe(why))
		return false;
	for (int i = 0; i < 4; i++) {
		struct cupti_buffer *buffer = new_buffer();

		if (buffer)
			cupti_recycle(buffer);
	}
	clock_is_ours = cupti.cuptiActivityRegisterTimestampCallback &&
			cupti.cuptiActivityRegisterTimestampCallback(clock_now_ns) == CUPTI_SUCCESS;
	if (cupti.cuptiActivityRegisterCallbacks(request_buffer, complete_buffer) ==
			CUPTI_SUCCESS &&
		enable(why))
		return true;
	cupti.cuptiUnsubscribe(subscriber);
	return false;
}

void cupti_stop(void)
{
	disable();
	cupti_flush(true);
}

const struct gpu_api cupti_api = {
	.name = "cuda",
	.take = cupti_records_take,
	.gather = cupti_records_gather,
	.harvest = cupti_records_harvest,
};
