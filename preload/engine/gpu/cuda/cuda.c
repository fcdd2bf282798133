/* SPDX-License-Identifier: MIT */
/* CUDA: the choice of how work is timed, and the wrappers made from cuda.def. */
#include "preload/engine/gpu/cuda/cuda.h"

#include <pthread.h>
#include <string.h>

#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/engine/core/guard.h"
#include "preload/engine/gpu/cuda/cupti.h"
#include "preload/engine/gpu/rounds.h"

/* ---- how work is timed ---- */

static pthread_once_t started = PTHREAD_ONCE_INIT;

/* A forked child cannot use the driver any more, and flushing CUPTI would hang. */
static void after_fork_in_child(void)
{
	cuda_timing = CUDA_UNTIMED;
	cupti_records_forget();
}

static void start(void)
{
	const char *why = "";
	enum cuda_timing timing =
		strcmp(conf.cuda_timing, "none") == 0 ? CUDA_UNTIMED : CUDA_BY_EVENTS;

	if (strcmp(conf.cuda_timing, "cupti") == 0) {
		if (cupti_start(&why))
			timing = CUDA_BY_CUPTI;
		else
			log_notice("kernels are timed by CUDA events, less exactly: %s", why);
	}
	log_debug("CUDA's work is timed by %s", timing == CUDA_BY_CUPTI    ? "CUPTI"
						: timing == CUDA_BY_EVENTS ? "events"
									   : "nothing");
	__atomic_store_n(&cuda_timing, timing, __ATOMIC_RELEASE);
	pthread_atfork(NULL, NULL, after_fork_in_child);
}

void cuda_loaded(void)
{
	pthread_once(&started, start);
}

static CUresult traced_cuInit(unsigned flags)
{
	CUresult result;

	cuda_loaded();
	result = CUDA(cuInit)(flags);
	if (result == CUDA_SUCCESS)
		cuda_initialized();
	return result;
}

/* ---- a program that uses CUPTI itself: its own profiler takes precedence ---- */

static void give_way(void)
{
	if (cuda_timing != CUDA_BY_CUPTI)
		return;
	__atomic_store_n(&cuda_timing, CUDA_BY_EVENTS, __ATOMIC_RELEASE);
	cupti_stop();
	log_notice("the program profiles itself with CUPTI: from now on its kernels are timed by "
		   "CUDA events, less exactly");
}

#define TAKES(name, params, args)                                                                  \
	static CUptiResult traced_##name params                                                    \
	{                                                                                          \
		give_way();                                                                        \
		return CUDA(name) args;                                                            \
	}
#include "preload/api/cupti.def"

/* ---- functions that the rows of cuda.def call ---- */

static uint64_t bytes_2d(const CUDA_MEMCPY2D *copy)
{
	return (uint64_t)copy->WidthInBytes * copy->Height;
}

static uint64_t bytes_3d(const CUDA_MEMCPY3D *copy)
{
	return (uint64_t)copy->WidthInBytes * copy->Height * copy->Depth;
}

static uint64_t bytes_of(const size_t *sizes, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += sizes[i];
	return sum;
}

/* ---- the wrappers, for work that CUPTI does not record ---- */

const struct gpu_api cuda_api = {
	.name = "cuda",
	.poll = event_pair_poll,
	.release = event_pair_release,
};

static bool by_cupti(void)
{
	return __atomic_load_n(&cuda_timing, __ATOMIC_RELAXED) == CUDA_BY_CUPTI;
}

static bool by_wrappers(void)
{
	cuda_loaded();
	return !by_cupti();
}

static bool by_events(void)
{
	return __atomic_load_n(&cuda_timing, __ATOMIC_RELAXED) == CUDA_BY_EVENTS;
}

#define STREAM_STATUS CUresult
#define STREAM_REAL CUDA
#define STREAM_API cuda_streams
#define STREAM_POLLED cuda_api
#define STREAM_PASSED by_cupti
#define STREAM_TRACED by_wrappers
#define STREAM_TIMED by_events
#define STREAM_ALL "context"
#include "preload/engine/gpu/stream_wrappers.h"

#define shape_of cuda_class_of
#define shape_of_config cuda_class_of_config
#define SHAPE grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes

#define KERNEL(cbid, name, params, args, at, stream, shape, why_not)                               \
	WRAP_KERNEL(name, params, args, stream, shape)
#define GRAPH(cbid, name, params, args, stream) WRAP_GRAPH(name, params, args, stream)
#define MEMORY(cbid, name, params, args, kind, bytes, stream)                                      \
	WRAP_MEMORY(name, params, args, kind, 0, bytes, stream)
#define ORDER(cbid, name, params, args, ...) WRAP_ORDER(name, params, args, __VA_ARGS__)
#define BLOCKING(cbid, name, params, args, ...) WRAP_BLOCKING(name, params, args, __VA_ARGS__)
#define INSTANTIATE(cbid, name, params, args)                                                      \
	WRAP_FOLLOWING(name, params, args, cuda_graph_learn, *exec, graph)
#define UPDATE(cbid, name, params, args, graph)                                                    \
	WRAP_FOLLOWING(name, params, args, cuda_graph_learn, exec, graph)
#define TEARDOWN(cbid, name, params, args, ...) WRAP_TEARDOWN(name, params, args, )
#define ALLOCATES(...)
#define FREES(...)
#define FORBIDS(...)
#define LOADS(...)
#define CAPTURES(...)
#define OBJECT(cbid, name, params, args)
#define RESOLVER(name, params, args)
#define PLAIN(name, params)
#include "preload/api/cuda.def"

static void install(void **wrappers, const struct engine_host *host)
{
	cuda_host = host;
	cuda_real = host->real;
#define HOOK(api, index, ret, name, params, args, role) wrappers[HOOK_##name] = traced_##name;
#define ALLOCATES(...)
#define FREES(...)
#define FORBIDS(...)
#define LOADS(...)
#define CAPTURES(...)
#define RESOLVER(name, params, args)
#define PLAIN(name, params)
#include "preload/api/cuda.def"
#include "preload/api/cupti.def"
#undef HOOK
}

const struct gpu_back_end cuda_back_end = {
	.install = install,
	.install_replay = cuda_replay_install,
	.api = &cupti_api,
};
