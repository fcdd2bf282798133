/* SPDX-License-Identifier: MIT */
/*
 * cuda_replay [CASE] [LAUNCHES]: see replays.h.  REPLAY_IMAGE is a file with the code of the kernel
 * of hidden and fat.
 */
#include <pthread.h>

#include "cuda_replay_graphs.h"
#include "cuda_replay_memory.h"

static void launch_with(CUstream stream, const char *name, void **arguments)
{
	ENQUEUE(KERNEL, cuLaunchKernel, get_kernel(load_module(), name), 4, 1, 1, 256, 1, 1, 0,
		stream, arguments, NULL);
}

static CUdeviceptr allocate(size_t bytes)
{
	CUdeviceptr memory;

	CHECK(cuMemAlloc_v2, &memory, bytes);
	return memory;
}

static void write_to(CUdeviceptr memory, const void *from, size_t bytes)
{
	ENQUEUE(WRITE, cuMemcpyHtoD_v2, memory, from, bytes);
}

static void read_from(CUdeviceptr memory, void *to, size_t bytes)
{
	CHECK(cuCtxSynchronize);
	ENQUEUE(READ, cuMemcpyDtoH_v2, to, memory, bytes);
}

/* ---- cases: what is launched besides the kernels, or instead of them ---- */

/* Once: what other kernels wait for may be on other devices. */
static void collective(void)
{
	launch_with(NULL, "_Z17ncclDevKernel_Addv", NULL);
}

static void grows(void)
{
	uint64_t first_ns = 1000000;

	write_to(words, &first_ns, sizeof(first_ns));
	for (int i = 0; i < 3; i++)
		grow(NULL);
}

/* The kernel takes longer with each launch, unless the program fills its word anew, as it does
 * here. */
static void refilled(void)
{
	for (unsigned long i = 0; i < launches; i++) {
		ENQUEUE(FILL, cuMemsetD32Async, words, 1000000, 1, NULL);
		grow(NULL);
	}
}

/* The same kernel with two amounts of work, of which one is rare. */
static void sizes(void)
{
	static const uint64_t times_ns[] = {1000000, 1000000, 3000000};

	for (unsigned long i = 0; i < launches; i++) {
		for (size_t k = 0; k < COUNT_OF(times_ns); k++)
			launch_with(NULL, SIZED, (void *[]){(void *)&times_ns[k]});
		CHECK(cuCtxSynchronize);
	}
}

/* The same, where both take less time than the host needs for a launch. */
static void short_sizes(void)
{
	static const uint64_t times_ns[] = {1900, 1900, 2600};

	for (unsigned long i = 0; i < launches; i++)
		for (size_t k = 0; k < COUNT_OF(times_ns); k++)
			launch_with(NULL, SIZED, (void *[]){(void *)&times_ns[k]});
	CHECK(cuCtxSynchronize);
}

/* The busiest kernel has two amounts of work, beside many that are hardly busy. */
static void sizes_among_many(void)
{
	static const uint64_t times_ns[] = {1000000, 3000000};
	char name[] = "_Z5shortILm100000EEvv";

	for (unsigned long i = 0; i < launches; i++) {
		for (size_t k = 0; k < COUNT_OF(times_ns); k++)
			launch_with(NULL, SIZED, (void *[]){(void *)&times_ns[k]});
		for (int k = 0; k < 8; k++) {
			name[strlen("_Z5shortILm1")] = (char)('0' + k);
			launch_with(NULL, name, NULL);
		}
		CHECK(cuCtxSynchronize);
	}
}

/* One kernel is busy, and another one is launched four times in all. */
static void rare(void)
{
	for (unsigned long i = 0; i < launches; i++) {
		launch_with(NULL, "_Z4longILm10000000EEvv", NULL);
		if (i % (launches / 4) == 0)
			launch_with(NULL, "_Z5shortILm1000EEvv", NULL);
		CHECK(cuCtxSynchronize);
	}
}

/* Of these two, the first one is faster where its data are in the cache. */
static void launch_cached_and_sized(void)
{
	static const uint64_t times_ns[] = {400000, 200000};

	launch_with(NULL, CACHED, (void *[]){(void *)&times_ns[0]});
	launch_with(NULL, SIZED, (void *[]){(void *)&times_ns[1]});
}

static void cached(void)
{
	for (unsigned long i = 0; i < launches; i++) {
		launch_cached_and_sized();
		CHECK(cuCtxSynchronize);
	}
}

static void cached_among_others(void)
{
	for (unsigned long i = 0; i < launches; i++) {
		launch_cached_and_sized();
		launch_with(NULL, "_Z5shortILm100000EEvv", NULL);
		CHECK(cuCtxSynchronize);
	}
}

/* Two kernels in turn, of which the first one finds its data in the cache every second time. */
static void cached_at_times(void)
{
	static const uint64_t times_ns[] = {400000, 200000};

	for (unsigned long i = 0; i < launches; i++) {
		launch_with(NULL, CACHED, (void *[]){(void *)&times_ns[0]});
		launch_with(NULL, CACHED, (void *[]){(void *)&times_ns[0]});
		launch_with(NULL, SIZED, (void *[]){(void *)&times_ns[1]});
		CHECK(cuCtxSynchronize);
	}
}

static void launch_hidden(void *module)
{
	CUfunction kernel = get_kernel(module, HIDDEN);

	for (unsigned long i = 0; i < launches; i++)
		ENQUEUE(KERNEL, cuLaunchKernel, kernel, 4, 1, 1, 256, 1, 1, 0, NULL,
			(void *[]){&words}, NULL);
}

static void hidden(void)
{
	void *module;

	CHECK(cuModuleLoad, &module, getenv("REPLAY_IMAGE"));
	launch_hidden(module);
}

/* The only way to the memory is an address in a constant of the module. */
static void addressed(void)
{
	CUfunction kernel;
	CUdeviceptr constant;
	void *module;

	CHECK(cuModuleLoad, &module, getenv("REPLAY_IMAGE"));
	CHECK(cuModuleGetGlobal_v2, &constant, &(size_t){0}, module, "variable_of_module");
	write_to(constant, &words, sizeof(words));
	kernel = get_kernel(module, ADDRESSED);
	for (unsigned long i = 0; i < launches; i++)
		ENQUEUE(KERNEL, cuLaunchKernel, kernel, 4, 1, 1, 256, 1, 1, 0, NULL,
			(void *[]){&(uint64_t){1}}, NULL);
}

/* The same as nvcc's code has it. */
static void fat(void)
{
	static struct {
		uint32_t magic;
		uint16_t version, header_bytes;
		uint64_t bytes;
		uint16_t kind, entry_version;
		uint32_t entry_header_bytes;
		uint64_t entry_bytes;
		char image[1 << 16];
	} fatbin = {.magic = 0xba55ed50, .header_bytes = 16, .kind = 2, .entry_header_bytes = 16};
	const struct {
		uint32_t magic, version;
		const void *fatbin;
	} wrapper = {0x466243b1, 1, &fatbin};
	FILE *file = fopen(getenv("REPLAY_IMAGE"), "r");
	void *module;

	fatbin.entry_bytes = file ? fread(fatbin.image, 1, sizeof(fatbin.image), file) : 0;
	fatbin.bytes = 16 + fatbin.entry_bytes;
	CHECK(cuModuleLoadData, &module, &wrapper);
	launch_hidden(module);
}

static void slow(void)
{
	for (int i = 0; i < 3; i++)
		launch_with(NULL, "_Z4slowILm1100000000EEvv", NULL);
}

/* The kernel with the most time on the device is launched last. */
static void unequal(void)
{
	for (unsigned long i = 0; i < launches; i++) {
		launch_with(NULL, "_Z5shortILm1000000EEvv", NULL);
		launch_with(NULL, "_Z6middleILm3000000EEvv", NULL);
		launch_with(NULL, "_Z4longILm60000000EEvv", NULL);
		CHECK(cuCtxSynchronize);
	}
}

static void cooperative(void)
{
	CUfunction kernel = get_kernel(load_module(), SHORT);

	for (unsigned long i = 0; i < launches; i++)
		ENQUEUE(KERNEL, cuLaunchCooperativeKernel, kernel, 4, 1, 1, 256, 1, 1, 0, NULL,
			NULL);
}

static void event(void)
{
	CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT};
	CUlaunchConfig config = {4, 1, 1, 256, 1, 1, 0, NULL, &attribute, 1};
	CUfunction kernel = get_kernel(load_module(), SHORT);

	for (unsigned long i = 0; i < launches; i++)
		ENQUEUE(KERNEL, cuLaunchKernelEx, &config, kernel, NULL, NULL);
}

/* Releases what it has retained besides: the context and its memory stay. */
static void released(void)
{
	CUcontext same;

	CHECK(cuDevicePrimaryCtxRetain, &same, 0);
	CHECK(cuDevicePrimaryCtxRelease_v2, 0);
}

static void launch_anew(void)
{
	context = open_device(0);
	launch(get_kernel(load_module(), SHORT), NULL, launches);
}

static void reset(void)
{
	CHECK(cuDevicePrimaryCtxReset_v2, 0);
	launch_anew();
}

static void released_at_last(void)
{
	CHECK(cuDevicePrimaryCtxRelease_v2, 0);
	launch_anew();
}

static void destroyed(void)
{
	CUcontext other;

	CHECK(cuCtxCreate_v2, &other, 0, 0);
	CHECK(cuCtxDestroy_v2, other);
	launch_anew();
}

static void waits_for_host(void)
{
	CHECK(cuStreamWaitValue32_v2, NULL, words, 0, 0);
}

static void waits_in_batch(void)
{
	CHECK(cuStreamBatchMemOp_ptsz, NULL, 0, NULL, 0);
}

/* Nobody waits for it. */
static void writes_value(void)
{
	CHECK(cuStreamWriteValue64_v2, NULL, words, 0, 0);
}

static void *launch_many(void *unused)
{
	CUfunction kernel;
	CUstream stream;

	CHECK(cuCtxSetCurrent, context);
	kernel = get_kernel(load_module(), SHORT);
	stream = new_stream();
	launch(kernel, stream, 1000);
	return unused;
}

static void threads(void)
{
	pthread_t thread[4];

	for (size_t i = 0; i < COUNT_OF(thread); i++)
		if (pthread_create(&thread[i], NULL, launch_many, NULL))
			fail("no thread");
	for (size_t i = 0; i < COUNT_OF(thread); i++)
		pthread_join(thread[i], NULL);
}

static const struct test tests[] = {
	{"plain", NULL, false},
	{"managed", managed, false},
	{"peer", peer, false},
	{"shared", shared, false},
	{"surface", surface, false},
	{"host", host, false},
	{"pointed", pointed, false},
	{"unreached", unreached, false},
	{"large", large, false},
	{"large_memory", large_memory, false},
	{"freed", freed, false},
	{"threads", threads, false},
	{"waits_for_host", waits_for_host, false},
	{"waits_in_batch", waits_in_batch, false},
	{"waits_in_graph", waits_in_graph, false},
	{"writes_value", writes_value, false},
	{"released", released, false},
	{"reset", reset, true},
	{"released_at_last", released_at_last, true},
	{"destroyed", destroyed, true},
	{"grow", grows, true},
	{"refilled", refilled, true},
	{"shared_out", shared_out, true},
	{"sizes", sizes, true},
	{"short_sizes", short_sizes, true},
	{"cached", cached, true},
	{"cached_among_others", cached_among_others, true},
	{"cached_at_times", cached_at_times, true},
	{"collective", collective, false},
	{"hidden", hidden, true},
	{"addressed", addressed, true},
	{"fat", fat, true},
	{"slow", slow, true},
	{"sizes_among_many", sizes_among_many, true},
	{"rare", rare, true},
	{"unequal", unequal, true},
	{"cooperative", cooperative, true},
	{"event", event, true},
	{"captured", captured, true},
	{"graph", graph, true},
	{"graph_set", graph_set, true},
	{"graph_host", graph_host, true},
	{"graph_refilled", graph_refilled, true},
	{"graph_shared_out", graph_shared_out, true},
};

int main(int argc, char **argv)
{
	context = open_device(0);
	return run_test(tests, COUNT_OF(tests), argc, argv);
}
