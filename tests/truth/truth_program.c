/* SPDX-License-Identifier: MIT */
/*
 * Runs what SIMGPU_TRUTH describes (truth_settings.h) on the simulated GPU, in virtual time, and
 * prints its truth as truth_writer does.  The simulated sensors make up the same run from the same
 * words (tests/simgpu/nvml_truth.h), so that they measure what this program runs.
 */
#include <time.h>

#include "tests/e2e/clients/cuda_client.h"
#include "tests/simgpu/virtual_time.h"
#include "tests/truth/truth_settings.h"

#define AHEAD_NS UINT64_C(1000000) /* how long before its execution a launch comes, at least */
#define BATCH_NS UINT64_C(3000000) /* and at most: launches of that time come together */
#define NS_PER_S UINT64_C(1000000000)
#define FUNCTIONS_MAX 64 /* of a module */

static struct truth_settings settings;
static struct truth *truth;
static CUdeviceptr memory;
static CUstream *streams;

/* ---- the classes: a kernel or a copy each ---- */

static char host[BYTES];

static CUresult copy_within(CUstream stream)
{
	return cuMemcpyDtoDAsync_v2(memory, memory + BYTES / 2, BYTES / 2, stream);
}

static CUresult fill_it(CUstream stream)
{
	return cuMemsetD8Async(memory, 0, BYTES, stream);
}

static CUresult write_to(CUstream stream)
{
	return cuMemcpyHtoDAsync_v2(memory, host, BYTES, stream);
}

static CUresult read_from(CUstream stream)
{
	return cuMemcpyDtoHAsync_v2(host, memory, BYTES, stream);
}

/* A report names a copy after the function that was called, so each class of copies needs its own.
 */
static const struct copy {
	const char *name;
	CUresult (*start)(CUstream stream);
} copies[] = {
	{"cuMemcpyDtoDAsync_v2", copy_within},
	{"cuMemsetD8Async", fill_it},
	{"cuMemcpyHtoDAsync_v2", write_to},
	{"cuMemcpyDtoHAsync_v2", read_from},
};

static struct call {
	CUfunction kernel;
	const struct copy *copy;
} * calls;

static void make_calls(void)
{
	unsigned copied = 0;
	void *module = NULL;

	calls = calloc(settings.options.classes, sizeof(*calls));
	for (unsigned i = 0; i < settings.options.classes; i++) {
		struct truth_class *class = &truth->classes[i];

		if (i % FUNCTIONS_MAX == 0)
			module = load_module();
		if (!class->copy) {
			calls[i].kernel = get_kernel(module, class->name);
			continue;
		}
		if (copied == COUNT_OF(copies))
			fail("at most %zu copies", COUNT_OF(copies));
		calls[i].copy = &copies[copied++];
		snprintf(class->name, sizeof(class->name), "%s", calls[i].copy->name);
	}
}

static void make_streams(void)
{
	uint32_t last = 0;

	for (size_t i = 0; i < truth->execution_count; i++)
		if (truth->executions[i].stream > last)
			last = truth->executions[i].stream;
	streams = calloc(last + 1, sizeof(*streams));
	for (uint32_t i = 0; i <= last; i++)
		streams[i] = new_stream();
}

/* ---- the run ---- */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void sleep_until(uint64_t time_ns)
{
	struct timespec until = {
		.tv_sec = (time_t)(time_ns / NS_PER_S), .tv_nsec = (long)(time_ns % NS_PER_S)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void start(const struct truth_execution *execution)
{
	uint64_t begin_ns = VIRTUAL_BEGIN_NS + (uint64_t)execution->begin_ns;
	const struct call *call = &calls[execution->class_index];
	CUstream stream = streams[execution->stream];

	if (begin_ns > now_ns() + BATCH_NS)
		sleep_until(begin_ns - AHEAD_NS);
	if (begin_ns < now_ns() + AHEAD_NS)
		fail("late: is this virtual time?");
	simgpu_ask(begin_ns, (uint64_t)(execution->end_ns - execution->begin_ns));
	if (call->copy)
		check(call->copy->start(stream), call->copy->name);
	else
		CHECK(cuLaunchKernel, call->kernel, 1024, 1, 1, 64, 1, 1, 0, stream, NULL, NULL);
}

int main(void)
{
	const char *text = getenv("SIMGPU_TRUTH");
	char drift_ppm[32];

	settings = truth_settings_default;
	truth_settings_take(&settings, text ? text : "");
	if (settings.options.replay_s > 0)
		fail("replays are made up by truth_writer alone");
	truth = truth_make(&settings.options);
	/* The clocks are compared once a second: with this drift they differ by the error by then.
	 */
	snprintf(drift_ppm, sizeof(drift_ppm), "%g", settings.clock_error_ns / 1e3);
	if (settings.clock_error_ns > 0)
		setenv("SIMGPU_CUPTI_DRIFT_PPM", drift_ppm, 1);
	open_device(0);
	CHECK(cuMemAlloc_v2, &memory, BYTES);
	make_calls();
	make_streams();
	for (size_t i = 0; i < truth->execution_count; i++)
		start(&truth->executions[i]);
	CHECK(cuCtxSynchronize);
	sleep_until(VIRTUAL_BEGIN_NS + (uint64_t)truth->end_ns);
	truth_print(truth, &settings.sensor);
	truth_free(truth);
	return 0;
}
