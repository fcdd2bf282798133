/* SPDX-License-Identifier: MIT */
#include "preload/common/engine.h"

#include "preload/api/hooks.h"
#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/engine/callstack/callstack.h"
#include "preload/engine/collector.h"
#include "preload/engine/core/launch_clock.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/cuda/cuda.h"
#include "preload/engine/gpu/hip/hip.h"
#include "preload/engine/gpu/nccl/nccl.h"
#include "preload/engine/gpu/opencl/opencl.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/gpu/submit.h"
#include "preload/engine/layer/mark.h"
#include "preload/engine/replay/replay.h"
#include "preload/engine/sampler/sampler.h"

/* Every GPU API: one row each, in any order. */
static const struct gpu_back_end *const back_ends[] = {
	&cuda_back_end,
	&hip_back_end,
	&nccl_back_end,
	&opencl_back_end,
	NULL,
};

static void *wrappers[HOOK_COUNT];

static void attach(const struct engine_host *host)
{
	bool replays;

	log_take(host->log);
	callstack_start();
	replays = replay_start();
	for (const struct gpu_back_end *const *one = back_ends; *one; one++) {
		(*one)->install(wrappers, host);
		if (replays && (*one)->install_replay)
			(*one)->install_replay(wrappers);
	}
}

static void collect(const struct engine_host *host)
{
	collector_run(host, back_ends);
}

static void end(uint64_t deadline_ns)
{
	replay_end();
	rounds_end(deadline_ns);
}

static const struct engine engine = {
	.wrappers = wrappers,
	.cuda_loaded = cuda_loaded,
	.rocprofiler_configured = rocprofiler_configured,
	.attach = attach,
	.enabled = tp_enabled,
	.collect = collect,
	.end = end,
	.layer_popped = submit_layer_popped,
	.mark = mark_write,
	.sampler = &sampler_ops,
};

__attribute__((visibility("default"))) const struct engine *pwrtrace_engine(void)
{
	conf_read();
	process_start();
	launch_clock_start();
	return &engine;
}
