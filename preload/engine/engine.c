/* SPDX-License-Identifier: MIT */
#include "preload/common/engine.h"

#include "preload/api/hooks.h"
#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/engine/callstack/callstack.h"
#include "preload/engine/collector.h"
#include "preload/engine/core/guard.h"
#include "preload/engine/core/submit.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/cuda/cuda.h"
#include "preload/engine/gpu/cuda/cupti.h"
#include "preload/engine/gpu/hip/hip.h"
#include "preload/engine/gpu/opencl/opencl.h"
#include "preload/engine/layer/mark.h"
#include "preload/engine/replay/replay.h"
#include "preload/engine/sampler/sampler.h"

__thread unsigned guard_depth;

/* Every GPU API, in no order: one row each. */
static const struct {
	void (*install)(void **wrappers, const struct engine_host *host);
	const struct gpu_api *api;
} apis[] = {
	{cuda_install, &cupti_api},
	{hip_install, &hip_api},
	{opencl_install, &opencl_api},
};

static void *wrappers[HOOK_COUNT];

static void attach(const struct engine_host *host)
{
	log_take(host->log);
	callstack_start();
	for (size_t i = 0; i < sizeof(apis) / sizeof(*apis); i++)
		apis[i].install(wrappers, host);
	if (replay_start()) {
		cuda_replay_install(wrappers);
		hip_replay_install(wrappers);
		opencl_replay_install(wrappers);
	}
}

void gpu_gather(bool last)
{
	for (size_t i = 0; i < sizeof(apis) / sizeof(*apis); i++)
		if (apis[i].api->gather)
			apis[i].api->gather(last);
}

bool gpu_harvest(const struct engine_host *host, bool last)
{
	bool any = false;

	for (size_t i = 0; i < sizeof(apis) / sizeof(*apis); i++)
		if (apis[i].api->harvest)
			any |= apis[i].api->harvest(host, last);
	return any;
}

static void end(uint64_t deadline_ns)
{
	replay_end();
	collector_end(deadline_ns);
}

static const struct engine engine = {
	.wrappers = wrappers,
	.cuda_loaded = cuda_loaded,
	.rocprofiler_configured = rocprofiler_configured,
	.attach = attach,
	.enabled = tp_enabled,
	.collect = collector_run,
	.end = end,
	.layer_popped = submit_layer_popped,
	.mark = mark_write,
	.sampler = &sampler_ops,
};

__attribute__((visibility("default"))) const struct engine *pwrtrace_engine(void)
{
	conf_read();
	return &engine;
}
