/* SPDX-License-Identifier: MIT */
/*
 * The simulated CUPTI's sampling of counters: how busy parts are follows from the watts that the
 * kernels listed in SIMGPU_NVML_LOAD draw (nvml_load.h), by the shares in parts[].  The clock of
 * the GPUs is two hours and a bit ahead of CLOCK_REALTIME and fast by 3 ppm.
 *
 * SIMGPU_SAMPLING_REFUSES=CODE is what enabling returns; SIMGPU_SAMPLING_LOSES=MS makes samples of
 * so many milliseconds of each second go missing; SIMGPU_SAMPLING_HANGS=MS makes decoding hang so
 * long after the start.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "preload/power/counters/sampling_abi.h"
#include "tests/simgpu/nvml_load.h"

#define EXPORT __attribute__((visibility("default")))
#define NS_PER_S 1000000000
#define AHEAD_NS (UINT64_C(7203) * NS_PER_S)
#define FAST 3e-6
#define FIRST_NS 300000000 /* the first sample began before the start */

/* What a kernel of 1000 W does. */
static const struct {
	const char *counter;
	double share;
} parts[] = {
	{"sm__cycles_active", 1},
	{"sm__inst_executed", 0.5},
	{"tensor", 0.25},
	{"lts__throughput", 0.2},
	{"dram__read", 0.1},
	{"dram__write", 0.05},
};

struct sim_sample {
	uint64_t begin_ns, end_ns;
	double load_w;
};

/* In place of CUPTI's image of counter data. */
struct sim_image {
	uint32_t room, used;
	struct sim_sample samples[];
};

static struct sim_sampling {
	size_t device;
	uint64_t interval_ns, from_ns, begun_ns; /* of CLOCK_REALTIME */
} sampled[16];

static uint64_t realtime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t gpu_ns(const struct sim_sampling *sampling, uint64_t time_ns)
{
	return time_ns + AHEAD_NS + (uint64_t)((double)(time_ns - sampling->begun_ns) * FAST);
}

#define SUCCEEDS(name, type)                                                                       \
	EXPORT int name(struct type *p);                                                           \
	int name(struct type *p)                                                                   \
	{                                                                                          \
		(void)p;                                                                           \
		return SAMPLING_SUCCESS;                                                           \
	}
#define FILLS(name, type, ...)                                                                     \
	EXPORT int name(struct type *p);                                                           \
	int name(struct type *p)                                                                   \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
		return SAMPLING_SUCCESS;                                                           \
	}

SUCCEEDS(cuptiProfilerInitialize, sampling_initialize_params)
SUCCEEDS(cuptiProfilerHostDeinitialize, sampling_host_end_params)
SUCCEEDS(cuptiProfilerHostConfigAddMetrics, sampling_metrics_params)
SUCCEEDS(cuptiProfilerHostGetConfigImage, sampling_config_params)
SUCCEEDS(cuptiPmSamplingStop, sampling_object_params)
SUCCEEDS(cuptiPmSamplingDisable, sampling_object_params)
FILLS(cuptiDeviceGetChipName, sampling_chip_params, p->pChipName = "SIM100")
FILLS(cuptiPmSamplingGetCounterAvailability, sampling_availability_params,
	p->counterAvailabilityImageSize = 16)
FILLS(cuptiProfilerHostInitialize, sampling_host_params, p->pHostObject = sampled)
FILLS(cuptiProfilerHostGetConfigImageSize, sampling_config_size_params, p->configImageSize = 16)
FILLS(cuptiProfilerHostGetNumOfPasses, sampling_passes_params, p->numOfPasses = 1)
FILLS(cuptiPmSamplingSetConfig, sampling_set_params,
	((struct sim_sampling *)p->pPmSamplingObject)->interval_ns = p->samplingInterval)
FILLS(cuptiPmSamplingGetCounterDataSize, sampling_data_size_params,
	p->counterDataSize = sizeof(struct sim_image) + p->maxSamples * sizeof(struct sim_sample))

EXPORT int cuptiPmSamplingEnable(struct sampling_enable_params *p);
int cuptiPmSamplingEnable(struct sampling_enable_params *p)
{
	const char *refused = getenv("SIMGPU_SAMPLING_REFUSES");

	sampled[p->deviceIndex].device = p->deviceIndex;
	p->pPmSamplingObject = &sampled[p->deviceIndex];
	return refused ? atoi(refused) : SAMPLING_SUCCESS;
}

FILLS(cuptiPmSamplingStart, sampling_object_params,
	struct sim_sampling *sampling = p->pPmSamplingObject;
	sampling->begun_ns = realtime_ns(); sampling->from_ns = sampling->begun_ns - FIRST_NS)

FILLS(cuptiPmSamplingCounterDataImageInitialize, sampling_data_params,
	struct sim_image *image = (struct sim_image *)(void *)p->pCounterData;
	image->used = 0;
	image->room = (uint32_t)((p->counterDataSize - sizeof(*image)) / sizeof(*image->samples)))

static int is_lost(uint64_t time_ns)
{
	const char *loses = getenv("SIMGPU_SAMPLING_LOSES");

	return loses && time_ns % NS_PER_S < strtoull(loses, NULL, 10) * 1000000;
}

static void hang_in_time(const struct sim_sampling *sampling, uint64_t time_ns)
{
	const char *hangs = getenv("SIMGPU_SAMPLING_HANGS");

	while (hangs && time_ns > sampling->begun_ns + strtoull(hangs, NULL, 10) * 1000000)
		pause();
}

/* The load of the time between, in W. */
static double load_w(size_t device, uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t begin_us = begin_ns / 1000, end_us = end_ns / 1000;

	return (double)(sim_load_energy_uj((unsigned int)device, 0, end_us) -
			sim_load_energy_uj((unsigned int)device, 0, begin_us)) /
	       (double)(end_us - begin_us);
}

EXPORT int cuptiPmSamplingDecodeData(struct sampling_decode_params *p);
int cuptiPmSamplingDecodeData(struct sampling_decode_params *p)
{
	struct sim_sampling *sampling = p->pPmSamplingObject;
	struct sim_image *image = (struct sim_image *)(void *)p->pCounterDataImage;
	uint64_t now_ns = realtime_ns();

	hang_in_time(sampling, now_ns);
	p->overflow = 0;
	for (uint64_t end_ns; image->used < image->room; sampling->from_ns = end_ns) {
		end_ns = sampling->from_ns < sampling->begun_ns
				 ? sampling->begun_ns
				 : sampling->from_ns + sampling->interval_ns;
		if (end_ns > now_ns)
			break;
		if (is_lost(end_ns)) {
			p->overflow = 1;
			continue;
		}
		image->samples[image->used++] = (struct sim_sample){
			gpu_ns(sampling, sampling->from_ns), gpu_ns(sampling, end_ns),
			load_w(sampling->device, sampling->from_ns, end_ns)};
	}
	p->decodeStopReason = image->used == image->room ? SAMPLING_COUNTERS_FULL : 2;
	return SAMPLING_SUCCESS;
}

FILLS(cuptiPmSamplingGetCounterDataInfo, sampling_info_params,
	p->numCompletedSamples =
		((const struct sim_image *)(const void *)p->pCounterDataImage)->used)

FILLS(cuptiPmSamplingCounterDataGetSampleInfo, sampling_sample_params,
	const struct sim_image *image = (const void *)p->pCounterDataImage;
	p->startTimestamp = image->samples[p->sampleIndex].begin_ns;
	p->endTimestamp = image->samples[p->sampleIndex].end_ns)

EXPORT int cuptiProfilerHostEvaluateToGpuValues(struct sampling_values_params *p);
int cuptiProfilerHostEvaluateToGpuValues(struct sampling_values_params *p)
{
	const struct sim_image *image = (const void *)p->pCounterDataImage;

	for (size_t i = 0; i < p->numMetrics; i++)
		for (size_t k = 0; k < sizeof(parts) / sizeof(*parts); k++)
			if (strstr(p->ppMetricNames[i], parts[k].counter))
				p->pMetricValues[i] = image->samples[p->rangeIndex].load_w / 1000 *
						      parts[k].share * 100;
	return SAMPLING_SUCCESS;
}
