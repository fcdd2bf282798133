/* SPDX-License-Identifier: MIT */
/* A simulated libcupti on top of the simulated driver: the subscriber and its callbacks. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/simgpu/cupti_parts.h"

#define CBIDS 1024

/* ---- subscription and callbacks ---- */

static CUpti_CallbackFunc subscriber;
static void *subscriber_data;
static bool wanted[CUPTI_CB_DOMAIN_RESOURCE + 1][CBIDS];

static bool wants(uint32_t domain, uint32_t cbid)
{
	return subscriber && wanted[domain][cbid];
}

static void call_back(struct sim_call *call, uint32_t site)
{
	CUpti_CallbackData data = {.callbackSite = site,
		.functionName = call->name,
		.functionParams = call->params,
		.functionReturnValue = &call->result,
		.context = call->context,
		.contextUid = call->context_id,
		.correlationData = &call->data,
		.correlationId = call->correlation};

	if (wants(CUPTI_CB_DOMAIN_DRIVER_API, call->cbid))
		subscriber(subscriber_data, CUPTI_CB_DOMAIN_DRIVER_API, call->cbid, &data);
}

static void enter(struct sim_call *call)
{
	call_back(call, CUPTI_API_ENTER);
}

static void leave(struct sim_call *call)
{
	call_back(call, CUPTI_API_ENTER + 1);
}

static void resource(uint32_t cbid, CUcontext context, const void *descriptor)
{
	(void)context;
	if (wants(CUPTI_CB_DOMAIN_RESOURCE, cbid))
		subscriber(subscriber_data, CUPTI_CB_DOMAIN_RESOURCE, cbid, descriptor);
}

/* ---- entry points ---- */

static const struct sim_driver *driver;
static int used_in; /* process id */

CUptiResult cupti_observe(void)
{
	static const struct sim_observer observer = {
		enter, leave, resource, cupti_record, cupti_whole_graphs};
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	__typeof__(simgpu_observe) *attach = library ? dlsym(library, "simgpu_observe") : NULL;

	if (!attach)
		return CUPTI_ERROR_NOT_INITIALIZED;
	driver = attach(&observer);
	used_in = getpid();
	return CUPTI_SUCCESS;
}

bool cupti_is_forked(void)
{
	return getpid() != used_in;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback, void *user)
{
	const char *refused = getenv("SIMGPU_CUPTI_REFUSES");

	if (refused)
		return atoi(refused);
	if (subscriber)
		return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
	subscriber_data = user;
	subscriber = callback;
	*handle = &subscriber;
	return cupti_observe();
}

CUptiResult cuptiSubscribe_v2(
	CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback, void *user, void *options)
{
	(void)options;
	return cuptiSubscribe(handle, callback, user);
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle handle)
{
	if (handle != &subscriber || !subscriber)
		return CUPTI_ERROR_INVALID_PARAMETER;
	memset(wanted, 0, sizeof(wanted));
	subscriber = NULL;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(
	uint32_t enable, CUpti_SubscriberHandle handle, uint32_t domain, uint32_t cbid)
{
	if (handle != &subscriber || domain > CUPTI_CB_DOMAIN_RESOURCE || cbid >= CBIDS)
		return CUPTI_ERROR_INVALID_PARAMETER;
	wanted[domain][cbid] = enable;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetStreamIdEx(CUcontext context, CUstream stream, uint8_t of_thread, uint32_t *id)
{
	*id = driver->stream_id(context, stream, of_thread);
	return *id ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t *device)
{
	*device = (uint32_t)driver->ordinal(context);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetGraphNodeId(void *node, uint64_t *id)
{
	if (!node)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*id = ((const struct sim_graph_id *)node)->id;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **text)
{
	*text = result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
			? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
			: "CUPTI_ERROR_UNKNOWN";
	return CUPTI_SUCCESS;
}
