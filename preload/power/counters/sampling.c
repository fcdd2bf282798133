/* SPDX-License-Identifier: MIT */
#include "preload/power/counters/sampling.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/conf.h"
#include "preload/common/cupti_places.h"
#include "preload/power/counters/sampling_abi.h"

/* At most so many intervals are decoded at one time.  Clearing what they are decoded into takes
 * time for all of them, each decode some time of its own. */
#define SAMPLES_MAX 256
#define HARDWARE_BYTES (64u << 20)

#define CUPTI_OLDEST 12
#define CUPTI_FILES "libcupti.so.1[2-9]" /* in Python's packages */
#define SHARE ".avg.pct_of_peak_sustained_elapsed"

/* The counter of each part, and the group in which GH100 schedules all of them in one pass; other
 * chips have no such groups. */
static const struct {
	const char *group, *counter;
} counters[PWRTRACE_PARTS] = {
	[PWRTRACE_PART_compute] = {"TPC.TriageCompute.", "sm__cycles_active" SHARE},
	[PWRTRACE_PART_issue] = {"TPC.TriageCompute.", "sm__inst_executed_realtime" SHARE},
	[PWRTRACE_PART_tensor] = {"TPC.TriageCompute.",
		"sm__pipe_tensor_cycles_active_realtime" SHARE},
	[PWRTRACE_PART_cache] = {"LTS.TriageCompute.", "lts__throughput" SHARE},
	[PWRTRACE_PART_read] = {"", "dram__read_throughput" SHARE},
	[PWRTRACE_PART_write] = {"", "dram__write_throughput" SHARE},
};

struct sampling {
	void *host;   /* NULL: not made */
	void *object; /* of the device; NULL: not enabled */
	char names[PWRTRACE_PARTS][128];
	const char *name_at[PWRTRACE_PARTS];
	uint8_t *availability, *config, *image;
	size_t config_bytes, image_bytes;
	bool started;
};

/* ---- the libraries ---- */

static struct {
	void *library;
#define FUNCTION(name, type, ...) int (*name)(type *);
	SAMPLING_FUNCTIONS(FUNCTION)
#undef FUNCTION
	int (*cuptiGetResultString)(int result, const char **text);
} cupti;

/* The driver: its devices are sampled without a context. */
static struct {
	int (*cuInit)(unsigned flags);
	int (*cuDeviceGetCount)(int *count);
	int (*cuDeviceGetUuid_v2)(unsigned char uuid[UUID_BYTES], int device);
} driver;

static void *open_matching(const char *pattern)
{
	void *library = NULL;
	glob_t found;

	/* Of CUPTI's names in one folder the newest comes last. */
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = found.gl_pathc; i-- && !library;)
			library = dlopen(found.gl_pathv[i], RTLD_LOCAL | RTLD_LAZY);
	globfree(&found);
	return library;
}

/* In the environment of a Python whose packages bring CUPTI: that which is activated, or that of
 * the python3 which a shell would find. */
static void *open_of_python(void)
{
	static const char *const environments[] = {"VIRTUAL_ENV", "CONDA_PREFIX"};
	const char *path = getenv("PATH");
	char pattern[PATH_MAX];
	void *library = NULL;

	for (size_t i = 0; i < 2 && !library; i++) {
		const char *environment = getenv(environments[i]);

		if (!environment)
			continue;
		snprintf(pattern, sizeof(pattern),
			"%s/lib/python3*/site-packages/nvidia/*/lib/" CUPTI_FILES, environment);
		library = open_matching(pattern);
	}
	while (path && *path && !library) {
		int length = (int)strcspn(path, ":");

		snprintf(pattern, sizeof(pattern),
			"%.*s/../lib/python3*/site-packages/nvidia/*/lib/" CUPTI_FILES, length,
			path);
		library = open_matching(pattern);
		path += length + (path[length] == ':');
	}
	return library;
}

static void *open_cupti(void)
{
	void *library = NULL;
	char path[128];

	if (*conf.cupti)
		return dlopen(conf.cupti, RTLD_LOCAL | RTLD_LAZY);
	for (size_t place = 0; place < CUPTI_PLACES && !library; place++)
		for (int major = CUPTI_NEWEST; major >= CUPTI_OLDEST && !library; major--) {
			snprintf(
				path, sizeof(path), "%slibcupti.so.%d", cupti_places[place], major);
			library = dlopen(path, RTLD_LOCAL | RTLD_LAZY);
		}
	return library ? library : open_of_python();
}

/* Returns whether CUPTI is there and has all functions; it stays open. */
static bool find_cupti(char *why, size_t size)
{
	const char *missing = NULL;

	if (cupti.library)
		return true;
	cupti.library = open_cupti();
	if (!cupti.library) {
		snprintf(
			why, size, "libcupti is not found (PWRTRACE_CUPTI=FILE tells where it is)");
		return false;
	}
#define FUNCTION(name, ...)                                                                        \
	*(void **)&cupti.name = dlsym(cupti.library, #name);                                       \
	if (!cupti.name)                                                                           \
		missing = #name;
	SAMPLING_FUNCTIONS(FUNCTION)
#undef FUNCTION
	*(void **)&cupti.cuptiGetResultString = dlsym(cupti.library, "cuptiGetResultString");
	if (!missing && cupti.cuptiGetResultString)
		return true;
	snprintf(why, size, "this libcupti has no %s; that of CUDA 12.6 or newer has",
		missing ? missing : "cuptiGetResultString");
	dlclose(cupti.library);
	cupti.library = NULL;
	return false;
}

int sampling_devices(char *why, size_t size)
{
	void *library = dlopen("libcuda.so.1", RTLD_LOCAL | RTLD_LAZY);
	int count = 0;

	if (!library) {
		snprintf(why, size, "libcuda.so.1 is not found; it comes with NVIDIA's driver");
		return -1;
	}
	*(void **)&driver.cuInit = dlsym(library, "cuInit");
	*(void **)&driver.cuDeviceGetCount = dlsym(library, "cuDeviceGetCount");
	*(void **)&driver.cuDeviceGetUuid_v2 = dlsym(library, "cuDeviceGetUuid_v2");
	if (!driver.cuInit || !driver.cuDeviceGetCount || !driver.cuDeviceGetUuid_v2 ||
		driver.cuInit(0) || driver.cuDeviceGetCount(&count)) {
		snprintf(why, size, "the CUDA driver cannot be used; nvidia-smi may tell more");
		return -1;
	}
	return count;
}

void sampling_uuid(unsigned device, char uuid[UUID_TEXT_BYTES])
{
	unsigned char bytes[UUID_BYTES] = {0};

	driver.cuDeviceGetUuid_v2(bytes, (int)device);
	uuid_write(uuid, bytes);
}

/* ---- calls ---- */

static const char *hint_of(int result)
{
	return result == SAMPLING_BUSY ? "; another profiler holds the counters"
	       : result == SAMPLING_NOT_PRIVILEGED
		       ? "; only root may read the counters, unless the driver is loaded with "
			 "NVreg_RestrictProfilingToAdminUsers=0"
		       : "";
}

/* Returns whether a call succeeded; else says which one was refused, and why. */
static bool succeeded(int result, const char *name, char *why, size_t size)
{
	const char *text = NULL;

	if (result == SAMPLING_SUCCESS)
		return true;
	cupti.cuptiGetResultString(result, &text);
	snprintf(why, size, "%s: %s%s", name, text ? text : "an unknown error", hint_of(result));
	return false;
}

#define CALL(name, params) succeeded(cupti.name(params), #name, why, size)
#define PARAMS(type, last, ...)                                                                    \
	{                                                                                          \
		.structSize = SAMPLING_SIZE(struct type, last), __VA_ARGS__                        \
	}

/* ---- taking hold of a device ---- */

static void name_counters(struct sampling *sampling, bool in_groups)
{
	for (int i = 0; i < PWRTRACE_PARTS; i++) {
		snprintf(sampling->names[i], sizeof(sampling->names[i]), "%s%s",
			in_groups ? counters[i].group : "", counters[i].counter);
		sampling->name_at[i] = sampling->names[i];
	}
}

static bool make_host(struct sampling *sampling, unsigned device, char *why, size_t size)
{
	struct sampling_chip_params chip =
		PARAMS(sampling_chip_params, pChipName, .deviceIndex = device);
	struct sampling_availability_params available = PARAMS(
		sampling_availability_params, pCounterAvailabilityImage, .deviceIndex = device);
	struct sampling_host_params host =
		PARAMS(sampling_host_params, pHostObject, .profilerType = SAMPLING_PROFILER);

	if (!CALL(cuptiDeviceGetChipName, &chip) ||
		!CALL(cuptiPmSamplingGetCounterAvailability, &available))
		return false;
	sampling->availability = calloc(1, available.counterAvailabilityImageSize + 1);
	available.pCounterAvailabilityImage = sampling->availability;
	host.pChipName = chip.pChipName;
	host.pCounterAvailabilityImage = sampling->availability;
	if (!sampling->availability || !CALL(cuptiPmSamplingGetCounterAvailability, &available) ||
		!CALL(cuptiProfilerHostInitialize, &host))
		return false;
	sampling->host = host.pHostObject;
	return true;
}

static bool add_counters(struct sampling *sampling, char *why, size_t size)
{
	struct sampling_metrics_params metrics =
		PARAMS(sampling_metrics_params, numMetrics, .pHostObject = sampling->host,
			.ppMetricNames = sampling->name_at, .numMetrics = PWRTRACE_PARTS);

	name_counters(sampling, true);
	if (cupti.cuptiProfilerHostConfigAddMetrics(&metrics) == SAMPLING_SUCCESS)
		return true;
	name_counters(sampling, false);
	return CALL(cuptiProfilerHostConfigAddMetrics, &metrics);
}

static bool make_config(struct sampling *sampling, char *why, size_t size)
{
	struct sampling_config_size_params bytes =
		PARAMS(sampling_config_size_params, configImageSize, .pHostObject = sampling->host);
	struct sampling_config_params config =
		PARAMS(sampling_config_params, pConfigImage, .pHostObject = sampling->host);
	struct sampling_passes_params passes = PARAMS(sampling_passes_params, numOfPasses);

	if (!add_counters(sampling, why, size) ||
		!CALL(cuptiProfilerHostGetConfigImageSize, &bytes))
		return false;
	sampling->config_bytes = config.configImageSize = passes.configImageSize =
		bytes.configImageSize;
	sampling->config = config.pConfigImage = passes.pConfigImage =
		calloc(1, bytes.configImageSize + 1);
	if (!sampling->config || !CALL(cuptiProfilerHostGetConfigImage, &config) ||
		!CALL(cuptiProfilerHostGetNumOfPasses, &passes))
		return false;
	if (passes.numOfPasses == 1)
		return true;
	snprintf(why, size, "this GPU counts the %d parts in %zu passes, so not at one time",
		PWRTRACE_PARTS, passes.numOfPasses);
	return false;
}

static bool clear_image(struct sampling *sampling, char *why, size_t size)
{
	struct sampling_data_params data =
		PARAMS(sampling_data_params, pCounterData, .pPmSamplingObject = sampling->object,
			.counterDataSize = sampling->image_bytes, .pCounterData = sampling->image);

	return CALL(cuptiPmSamplingCounterDataImageInitialize, &data);
}

static bool enable(
	struct sampling *sampling, unsigned device, uint64_t interval_ns, char *why, size_t size)
{
	struct sampling_enable_params on =
		PARAMS(sampling_enable_params, pPmSamplingObject, .deviceIndex = device);
	struct sampling_set_params set =
		PARAMS(sampling_set_params, triggerMode, .configSize = sampling->config_bytes,
			.pConfig = sampling->config, .hardwareBufferSize = HARDWARE_BYTES,
			.samplingInterval = interval_ns, .triggerMode = SAMPLING_BY_TIME);
	struct sampling_data_size_params data = PARAMS(sampling_data_size_params, counterDataSize,
		.pMetricNames = sampling->name_at, .numMetrics = PWRTRACE_PARTS,
		.maxSamples = SAMPLES_MAX);

	if (!CALL(cuptiPmSamplingEnable, &on))
		return false;
	sampling->object = set.pPmSamplingObject = data.pPmSamplingObject = on.pPmSamplingObject;
	if (!CALL(cuptiPmSamplingSetConfig, &set) ||
		!CALL(cuptiPmSamplingGetCounterDataSize, &data))
		return false;
	sampling->image_bytes = data.counterDataSize;
	sampling->image = calloc(1, data.counterDataSize + 1);
	return sampling->image && clear_image(sampling, why, size);
}

struct sampling *sampling_open(unsigned device, uint64_t interval_ns, char *why, size_t size)
{
	struct sampling_initialize_params first =
		PARAMS(sampling_initialize_params, pPriv, .pPriv = NULL);
	struct sampling *sampling;

	if (!find_cupti(why, size) || !CALL(cuptiProfilerInitialize, &first))
		return NULL;
	snprintf(why, size, "out of memory");
	sampling = calloc(1, sizeof(*sampling));
	if (sampling && make_host(sampling, device, why, size) &&
		make_config(sampling, why, size) &&
		enable(sampling, device, interval_ns, why, size))
		return sampling;
	sampling_close(sampling);
	return NULL;
}

void sampling_close(struct sampling *sampling)
{
	if (!sampling)
		return;
	struct sampling_object_params object = PARAMS(
		sampling_object_params, pPmSamplingObject, .pPmSamplingObject = sampling->object);
	struct sampling_host_end_params host =
		PARAMS(sampling_host_end_params, pHostObject, .pHostObject = sampling->host);

	if (sampling->started)
		cupti.cuptiPmSamplingStop(&object);
	if (sampling->object)
		cupti.cuptiPmSamplingDisable(&object);
	if (sampling->host)
		cupti.cuptiProfilerHostDeinitialize(&host);
	free(sampling->availability);
	free(sampling->config);
	free(sampling->image);
	free(sampling);
}

/* ---- sampling ---- */

bool sampling_start(struct sampling *sampling, char *why, size_t size)
{
	struct sampling_object_params object = PARAMS(
		sampling_object_params, pPmSamplingObject, .pPmSamplingObject = sampling->object);

	sampling->started = CALL(cuptiPmSamplingStart, &object);
	return sampling->started;
}

static bool take_sample(struct sampling *sampling, size_t index,
	void (*take)(void *context, const struct sample *sample), void *context, char *why,
	size_t size)
{
	struct sampling_sample_params times = PARAMS(sampling_sample_params, endTimestamp,
		.pPmSamplingObject = sampling->object, .pCounterDataImage = sampling->image,
		.counterDataImageSize = sampling->image_bytes, .sampleIndex = index);
	double percent[PWRTRACE_PARTS] = {0};
	struct sampling_values_params values = PARAMS(sampling_values_params, pMetricValues,
		.pHostObject = sampling->host, .pCounterDataImage = sampling->image,
		.counterDataImageSize = sampling->image_bytes, .rangeIndex = index,
		.ppMetricNames = sampling->name_at, .numMetrics = PWRTRACE_PARTS,
		.pMetricValues = percent);
	struct sample sample;

	if (!CALL(cuptiPmSamplingCounterDataGetSampleInfo, &times) ||
		!CALL(cuptiProfilerHostEvaluateToGpuValues, &values))
		return false;
	sample.begin_ns = times.startTimestamp;
	sample.end_ns = times.endTimestamp;
	/* Not a number where the counter has none. */
	for (int i = 0; i < PWRTRACE_PARTS; i++)
		sample.share[i] = percent[i] >= 0 ? percent[i] / 100 : 0;
	take(context, &sample);
	return true;
}

/* The GPU had no room for more samples: what it has is lost. */
static bool begin_anew(struct sampling *sampling, char *why, size_t size)
{
	struct sampling_object_params object = PARAMS(
		sampling_object_params, pPmSamplingObject, .pPmSamplingObject = sampling->object);

	return CALL(cuptiPmSamplingStop, &object) && CALL(cuptiPmSamplingStart, &object) &&
	       clear_image(sampling, why, size);
}

/* Sets *full where there may be more. */
static bool decode_some(struct sampling *sampling,
	void (*take)(void *context, const struct sample *sample), void *context, bool *full,
	char *why, size_t size)
{
	struct sampling_decode_params decode = PARAMS(sampling_decode_params, overflow,
		.pPmSamplingObject = sampling->object, .pCounterDataImage = sampling->image,
		.counterDataImageSize = sampling->image_bytes);
	struct sampling_info_params info = PARAMS(sampling_info_params, numCompletedSamples,
		.pCounterDataImage = sampling->image,
		.counterDataImageSize = sampling->image_bytes);

	int result = cupti.cuptiPmSamplingDecodeData(&decode);

	*full = false;
	if (result == SAMPLING_OUT_OF_MEMORY)
		return begin_anew(sampling, why, size);
	if (!succeeded(result, "cuptiPmSamplingDecodeData", why, size) ||
		!CALL(cuptiPmSamplingGetCounterDataInfo, &info))
		return false;
	*full = decode.decodeStopReason == SAMPLING_COUNTERS_FULL && info.numCompletedSamples;
	for (size_t i = 0; i < info.numCompletedSamples; i++)
		if (!take_sample(sampling, i, take, context, why, size))
			return false;
	return !info.numCompletedSamples || clear_image(sampling, why, size);
}

bool sampling_decode(struct sampling *sampling,
	void (*take)(void *context, const struct sample *sample), void *context, char *why,
	size_t size)
{
	bool full = true;

	while (full)
		if (!decode_some(sampling, take, context, &full, why, size))
			return false;
	return true;
}
