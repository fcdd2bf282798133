/* SPDX-License-Identifier: MIT */
/*
 * Records of what the devices did.  A record gets its place in a buffer at the launch.  A buffer is
 * handed out when all of its work is done, or at once by a forced flush: then the records of
 * unfinished work have no times and do not come again.  After any flush, new work gets another
 * buffer: on an H200 records came within 0.1 s though there was always work under way.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/simgpu/cupti_parts.h"

#define NS_PER_S INT64_C(1000000000)
#define OWN_CLOCK_AHEAD_NS (1000 * NS_PER_S) /* of CLOCK_MONOTONIC */
#define KINDS 64
#define BUFFERS 256

/* ---- clocks ---- */

static uint64_t (*timestamp)(void);

static int64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* The rate of the clock of the records, where it is the device's own. */
static const char *drift_ppm(void)
{
	return getenv("SIMGPU_CUPTI_DRIFT_PPM");
}

/* How far the clock of the records is ahead of CLOCK_MONOTONIC when it is first asked for. */
static int64_t ahead_ns(void)
{
	const char *skew = getenv("SIMGPU_CUPTI_SKEW_NS");
	static int64_t ahead_ns = INT64_MIN;

	if (ahead_ns == INT64_MIN) {
		int64_t before_ns = monotonic_ns();
		int64_t told_ns = timestamp ? (int64_t)timestamp() : before_ns + OWN_CLOCK_AHEAD_NS;
		bool same = before_ns <= told_ns && told_ns <= monotonic_ns();

		ahead_ns = (same ? 0 : told_ns - before_ns) - (skew ? atoll(skew) : 0);
	}
	return ahead_ns;
}

static uint64_t told_ns(uint64_t time_ns)
{
	int64_t drift_ns = drift_ppm() ? (int64_t)((double)time_ns * atof(drift_ppm()) / 1e6) : 0;

	return time_ns + (uint64_t)(ahead_ns() + drift_ns);
}

/* ---- buffers, oldest first; the last one is being filled ---- */

struct buffer {
	uint8_t *bytes;
	size_t size, used;
	uint64_t end_ns; /* when all of its work has ended */
	bool closed;     /* nothing is added to it any more */
};

static struct buffer buffers[BUFFERS];
static int buffer_count;
static size_t dropped;
static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void hand_out_first(void)
{
	struct buffer first = buffers[0];

	memmove(buffers, buffers + 1, (size_t)--buffer_count * sizeof(*buffers));
	complete(NULL, 0, first.bytes, first.size, first.used);
}

static bool is_done(const struct buffer *buffer)
{
	return buffer->end_ns <= (uint64_t)monotonic_ns();
}

/* NULL where the subscriber has no room. */
static struct buffer *buffer_for(size_t bytes)
{
	struct buffer *last = buffer_count ? &buffers[buffer_count - 1] : NULL;
	size_t max_records = 0;

	if (last && !last->closed && last->used + bytes <= last->size)
		return last;
	while (buffer_count && is_done(&buffers[0]))
		hand_out_first();
	if (buffer_count == BUFFERS || !request)
		return NULL;
	last = &buffers[buffer_count];
	*last = (struct buffer){0};
	request(&last->bytes, &last->size, &max_records);
	if (!last->bytes || last->size < bytes)
		return NULL;
	buffer_count++;
	return last;
}

#define ALIGNED(bytes) (((bytes) + 7) & ~(size_t)7)

static void put(const void *record, size_t bytes, uint64_t end_ns)
{
	struct buffer *buffer;

	pthread_mutex_lock(&lock);
	buffer = buffer_for(ALIGNED(bytes));
	if (buffer) {
		memcpy(buffer->bytes + buffer->used, record, bytes);
		buffer->used += ALIGNED(bytes);
		if (end_ns > buffer->end_ns)
			buffer->end_ns = end_ns;
	} else {
		dropped++;
	}
	pthread_mutex_unlock(&lock);
}

/* ---- records ---- */

static bool enabled[KINDS];

/* For each kind of record, its size and the offset of its begin time, which the end time follows.
 */
static const struct layout {
	size_t bytes, begin;
} layouts[KINDS] = {
	[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL] = {sizeof(struct cupti_kernel),
		offsetof(struct cupti_kernel, start)},
	[CUPTI_ACTIVITY_KIND_MEMCPY] = {sizeof(struct cupti_memcpy),
		offsetof(struct cupti_memcpy, start)},
	[CUPTI_ACTIVITY_KIND_MEMSET] = {sizeof(struct cupti_memset),
		offsetof(struct cupti_memset, start)},
	[CUPTI_ACTIVITY_KIND_GRAPH_TRACE] = {sizeof(struct cupti_graph_trace),
		offsetof(struct cupti_graph_trace, start)},
};

static uint32_t kind_at(const uint8_t *record)
{
	uint32_t kind;

	memcpy(&kind, record, sizeof(kind));
	return kind;
}

static void blank_unfinished(struct buffer *buffer)
{
	uint64_t now_ns = told_ns((uint64_t)monotonic_ns()), times[2];
	const struct layout *layout;

	for (size_t at = 0; at < buffer->used; at += ALIGNED(layout->bytes)) {
		uint8_t *place;

		layout = &layouts[kind_at(buffer->bytes + at)];
		place = buffer->bytes + at + layout->begin;
		memcpy(times, place, sizeof(times));
		if (times[1] > now_ns)
			memset(place, 0, sizeof(times));
	}
}

/* The name in a record is that of the first kernel that had the handle, as with CUPTI 13.0. */
static const char *name_of(CUfunction function, const char *name)
{
	static struct kept {
		struct kept *next;
		CUfunction function;
		char name[];
	} * first;
	struct kept *one = first;

	while (one && one->function != function)
		one = one->next;
	if (!one) {
		one = malloc(sizeof(*one) + strlen(name) + 1);
		strcpy(one->name, name);
		one->function = function;
		one->next = first;
		first = one;
	}
	return one->name;
}

#define WORK(of, kind_)                                                                            \
	.kind = kind_, .correlationId = (of)->correlation, .deviceId = (of)->device,               \
	.contextId = (of)->context, .streamId = (of)->stream, .start = told_ns((of)->begin_ns),    \
	.end = told_ns((of)->end_ns)
#define PUT(of, type, ...) put(&(struct type){__VA_ARGS__}, sizeof(struct type), (of)->end_ns)

static void put_kernel(const struct sim_record *of)
{
	PUT(of, cupti_kernel, WORK(of, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL),
		.registersPerThread = REGISTERS, .gridX = of->grid[0], .gridY = of->grid[1],
		.gridZ = of->grid[2], .blockX = of->block[0], .blockY = of->block[1],
		.blockZ = of->block[2], .staticSharedMemory = STATIC_SHARED_BYTES,
		.dynamicSharedMemory = (int32_t)of->shared_bytes,
		.name = name_of(of->function, of->name), .graphNodeId = of->node,
		.graphId = of->graph);
}

static void put_memory(const struct sim_record *of)
{
	enum { DEVICE_TO_DEVICE = 8 };
	uint8_t kind = strcmp(of->name, "write") == 0  ? CUPTI_ACTIVITY_MEMCPY_KIND_HTOD
		       : strcmp(of->name, "read") == 0 ? CUPTI_ACTIVITY_MEMCPY_KIND_DTOH
						       : DEVICE_TO_DEVICE;

	if (strcmp(of->name, "fill") == 0)
		PUT(of, cupti_memset, WORK(of, CUPTI_ACTIVITY_KIND_MEMSET), .bytes = of->bytes,
			.graphNodeId = of->node, .graphId = of->graph);
	else
		PUT(of, cupti_memcpy, WORK(of, CUPTI_ACTIVITY_KIND_MEMCPY), .copyKind = kind,
			.bytes = of->bytes, .graphNodeId = of->node, .graphId = of->graph);
}

void cupti_record(const struct sim_record *of)
{
	bool whole = of->node && enabled[CUPTI_ACTIVITY_KIND_GRAPH_TRACE];
	bool fill = of->kind == SIM_MEMORY && strcmp(of->name, "fill") == 0;

	if (of->kind == SIM_KERNEL && enabled[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL] && !whole)
		put_kernel(of);
	else if (of->kind == SIM_MEMORY && !whole &&
		 enabled[fill ? CUPTI_ACTIVITY_KIND_MEMSET : CUPTI_ACTIVITY_KIND_MEMCPY])
		put_memory(of);
	else if (of->kind == SIM_GRAPH && enabled[CUPTI_ACTIVITY_KIND_GRAPH_TRACE])
		PUT(of, cupti_graph_trace, WORK(of, CUPTI_ACTIVITY_KIND_GRAPH_TRACE),
			.graphId = of->graph);
}

bool cupti_whole_graphs(void)
{
	return enabled[CUPTI_ACTIVITY_KIND_GRAPH_TRACE];
}

/* ---- entry points ---- */

CUptiResult cuptiActivityRegisterTimestampCallback(uint64_t (*callback)(void))
{
	if (drift_ppm())
		return CUPTI_ERROR_NOT_INITIALIZED;
	timestamp = callback;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request_callback,
	CUpti_BuffersCallbackCompleteFunc complete_callback)
{
	request = request_callback;
	complete = complete_callback;
	return CUPTI_SUCCESS;
}

static CUptiResult set_enabled(uint32_t kind, bool enable)
{
	if (kind >= KINDS)
		return CUPTI_ERROR_INVALID_PARAMETER;
	enabled[kind] = enable;
	return cupti_observe();
}

CUptiResult cuptiActivityEnable(uint32_t kind)
{
	return set_enabled(kind, true);
}

CUptiResult cuptiActivityDisable(uint32_t kind)
{
	return set_enabled(kind, false);
}

/* In the child of a process that has used CUPTI, this hangs for ever. */
CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
	bool forced = flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED;

	if (cupti_is_forked()) {
		fputs("simgpu: CUPTI was flushed in a forked child\n", stderr);
		abort();
	}
	pthread_mutex_lock(&lock);
	while (buffer_count && (forced || is_done(&buffers[0]))) {
		blank_unfinished(&buffers[0]);
		hand_out_first();
	}
	if (buffer_count)
		buffers[buffer_count - 1].closed = true;
	pthread_mutex_unlock(&lock);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(
	uint8_t *buffer, size_t valid_bytes, CUpti_Activity **record_)
{
	uint8_t *next = buffer;

	if (*record_)
		next = (uint8_t *)*record_ + ALIGNED(layouts[(*record_)->kind].bytes);
	if (next >= buffer + valid_bytes)
		return CUPTI_ERROR_MAX_LIMIT_REACHED;
	*record_ = (CUpti_Activity *)next;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *count)
{
	(void)context, (void)stream;
	*count = dropped;
	dropped = 0;
	return CUPTI_SUCCESS;
}

/* A reading of a device's own clock takes 0.2 to 1.2 us each way. */
static void go_to_device(void)
{
	static uint32_t random;

	random = random * 1664525 + 1013904223;
	if (drift_ppm())
		nanosleep(&(struct timespec){.tv_nsec = 200 + random / (UINT32_MAX / 1000)}, NULL);
}

CUptiResult cuptiGetTimestamp(uint64_t *timestamp_ns)
{
	go_to_device();
	*timestamp_ns = told_ns((uint64_t)monotonic_ns());
	go_to_device();
	return CUPTI_SUCCESS;
}
