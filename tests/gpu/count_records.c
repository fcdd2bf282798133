/* SPDX-License-Identifier: MIT */
/*
 * What the device did, counted by CUPTI alone and without pwrtrace: the second opinion on programs
 * that cannot count for themselves, and what recording costs at least.  Named in
 * CUDA_INJECTION64_PATH, it writes the lines of clients/client.h to $COUNT_RECORDS.PID at the end
 * of each process that used CUDA.
 *
 * CUPTI_SETUP="NAME=NUMBER ..." sets CUPTI up otherwise, for cupti_floor.py; what CUPTI refuses
 * is said on stderr.  The names are those of settings[] and of attributes[].
 */
#include <cupti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SPARE_BUFFERS 32

enum setting_id {
	HOST_BUFFER,     /* bytes of a buffer of records */
	SPARE,           /* buffers made at first, and used again */
	MEMORY,          /* whether copies and fills are recorded */
	SERIAL,          /* whether kernels are recorded one by one, which serializes them */
	SYNCHRONIZATION, /* whether it is recorded */
	CALLBACKS,       /* 0: none, 1: launches and waits, 2: all of the driver */
	FLUSH_MS,        /* how often a thread of ours flushes; 0: never */
	FLUSH_PERIOD_MS, /* how often CUPTI flushes; 0: when it likes */
	OUR_CLOCK,       /* whether records have the time of CLOCK_MONOTONIC */
	HARDWARE_TRACE,
	SETTINGS
};

static struct setting {
	const char *name;
	unsigned long value;
} settings[SETTINGS] = {
	[HOST_BUFFER] = {"host-buffer", 1 << 20},
	[SPARE] = {"spare-buffers", 0},
	[MEMORY] = {"memory", 1},
	[SERIAL] = {"serial", 0},
	[SYNCHRONIZATION] = {"synchronization", 0},
	[CALLBACKS] = {"callbacks", 0},
	[FLUSH_MS] = {"flush-ms", 0},
	[FLUSH_PERIOD_MS] = {"flush-period-ms", 0},
	[OUR_CLOCK] = {"our-clock", 0},
	[HARDWARE_TRACE] = {"hardware-trace", 0},
};

static const struct attribute {
	const char *name;
	CUpti_ActivityAttribute attribute;
	size_t bytes; /* of its value */
} attributes[] = {
	{"device-buffer", CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, sizeof(size_t)},
	{"device-buffers", CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, sizeof(size_t)},
	{"device-buffers-first", CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE,
		sizeof(size_t)},
	{"semaphores", CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_SIZE, sizeof(size_t)},
	{"zeroed", CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, sizeof(uint8_t)},
	{"pinned", CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, sizeof(uint8_t)},
	{"per-thread", CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, sizeof(uint8_t)},
};

static const CUpti_CallbackId launches_and_waits[] = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
	CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2, CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async,
	CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2, CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize,
	CUPTI_DRIVER_TRACE_CBID_cuEventRecord, CUPTI_DRIVER_TRACE_CBID_cuEventSynchronize,
	CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent, CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize};

/* Of single launches, and of nodes of graphs. */
static unsigned long kernels[2], memory[2], dropped, callbacks;

static uint8_t *spare[SPARE_BUFFERS];

static bool is_set(enum setting_id id)
{
	return settings[id].value != 0;
}

/* ---- records ---- */

/* Records of newer CUPTIs are longer, but their beginnings are the same. */
static void count(const CUpti_Activity *record)
{
	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_KERNEL:
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		kernels[((const CUpti_ActivityKernel9 *)record)->graphNodeId != 0]++;
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		memory[((const CUpti_ActivityMemcpy5 *)record)->graphNodeId != 0]++;
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY2:
		memory[((const CUpti_ActivityMemcpyPtoP4 *)record)->graphNodeId != 0]++;
		break;
	case CUPTI_ACTIVITY_KIND_MEMSET:
		memory[((const CUpti_ActivityMemset4 *)record)->graphNodeId != 0]++;
		break;
	default:
		break;
	}
}

static void CUPTIAPI request(uint8_t **buffer, size_t *bytes, size_t *records)
{
	*buffer = NULL;
	for (int i = 0; i < SPARE_BUFFERS && !*buffer; i++)
		*buffer = __atomic_exchange_n(&spare[i], NULL, __ATOMIC_ACQUIRE);
	if (!*buffer)
		*buffer = aligned_alloc(64, settings[HOST_BUFFER].value);
	*bytes = *buffer ? settings[HOST_BUFFER].value : 0;
	*records = 0;
}

/* Keeps a buffer for later; zeroed, as an attribute may have promised. */
static void recycle(uint8_t *buffer, size_t valid)
{
	memset(buffer, 0, valid);
	for (unsigned long i = 0; i < settings[SPARE].value && i < SPARE_BUFFERS; i++) {
		uint8_t *none = NULL;

		if (__atomic_compare_exchange_n(
			    &spare[i], &none, buffer, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return;
	}
	free(buffer);
}

static void CUPTIAPI complete(
	CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid)
{
	CUpti_Activity *record = NULL;
	size_t lost = 0;

	(void)bytes;
	while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
		count(record);
	cuptiActivityGetNumDroppedRecords(context, stream, &lost);
	dropped += lost;
	if (is_set(SPARE))
		recycle(buffer, valid);
	else
		free(buffer);
}

static void report(void)
{
	const char *prefix = getenv("COUNT_RECORDS");
	char path[4096];
	FILE *out;

	cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	snprintf(path, sizeof(path), "%s.%d", prefix ? prefix : "count_records", (int)getpid());
	out = fopen(path, "w");
	if (!out)
		return;
	fprintf(out, "kernels=%lu memory=%lu node_kernels=%lu node_memory=%lu dropped=%lu\n",
		kernels[0], memory[0], kernels[1], memory[1], dropped);
	fclose(out);
}

/* ---- setting CUPTI up ---- */

static void say_refused(const char *name, CUptiResult result)
{
	if (result != CUPTI_SUCCESS)
		fprintf(stderr, "count_records: %s is refused (%d)\n", name, (int)result);
}

static bool set(const char *name, size_t length, unsigned long value)
{
	for (int i = 0; i < SETTINGS; i++)
		if (strlen(settings[i].name) == length &&
			!strncmp(settings[i].name, name, length)) {
			settings[i].value = value;
			return true;
		}
	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		if (strlen(attributes[i].name) == length &&
			!strncmp(attributes[i].name, name, length)) {
			size_t bytes = attributes[i].bytes;

			say_refused(attributes[i].name,
				cuptiActivitySetAttribute(attributes[i].attribute, &bytes, &value));
			return true;
		}
	return false;
}

static void read_setup(void)
{
	const char *word = getenv("CUPTI_SETUP");

	while (word && *(word += strspn(word, " "))) {
		size_t length = strcspn(word, "= ");
		char *end = (char *)word + length;
		unsigned long value = *end == '=' ? strtoul(end + 1, &end, 10) : 1;

		if (!set(word, length, value))
			fprintf(stderr, "count_records: %.*s is unknown\n", (int)length, word);
		word = end + strcspn(end, " ");
	}
}

static uint64_t CUPTIAPI monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void *flush(void *none)
{
	unsigned long ms = settings[FLUSH_MS].value;
	struct timespec pause = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};

	for (;;) {
		nanosleep(&pause, NULL);
		cuptiActivityFlushAll(0);
	}
	return none;
}

static void CUPTIAPI on_callback(
	void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
	(void)user, (void)domain, (void)id, (void)data;
	callbacks++;
}

static void subscribe(void)
{
	CUpti_SubscriberHandle subscriber;

	say_refused("callbacks", cuptiSubscribe(&subscriber, on_callback, NULL));
	if (settings[CALLBACKS].value > 1) {
		cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
		return;
	}
	for (size_t i = 0; i < sizeof(launches_and_waits) / sizeof(*launches_and_waits); i++)
		cuptiEnableCallback(
			1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, launches_and_waits[i]);
}

static void enable(void)
{
	static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_MEMCPY,
		CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};

	if (is_set(HARDWARE_TRACE))
		say_refused("hardware-trace", cuptiActivityEnableHWTrace(1));
	say_refused("kernels",
		cuptiActivityEnable(is_set(SERIAL) ? CUPTI_ACTIVITY_KIND_KERNEL
						   : CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
	for (size_t i = 0; is_set(MEMORY) && i < sizeof(kinds) / sizeof(*kinds); i++)
		cuptiActivityEnable(kinds[i]);
	if (is_set(SYNCHRONIZATION))
		cuptiActivityEnable(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
	if (is_set(FLUSH_PERIOD_MS))
		say_refused("flush-period-ms",
			cuptiActivityFlushPeriod((uint32_t)settings[FLUSH_PERIOD_MS].value));
}

int InitializeInjection(void);
int InitializeInjection(void)
{
	pthread_t flusher;

	read_setup();
	for (unsigned long i = 0; i < settings[SPARE].value; i++) {
		uint8_t *buffer = aligned_alloc(64, settings[HOST_BUFFER].value);

		if (buffer)
			recycle(buffer, settings[HOST_BUFFER].value);
	}
	if (is_set(CALLBACKS))
		subscribe();
	if (is_set(OUR_CLOCK))
		say_refused("our-clock", cuptiActivityRegisterTimestampCallback(monotonic_ns));
	if (cuptiActivityRegisterCallbacks(request, complete) != CUPTI_SUCCESS)
		return 1;
	enable();
	if (is_set(FLUSH_MS))
		pthread_create(&flusher, NULL, flush, NULL);
	atexit(report);
	return 1;
}
