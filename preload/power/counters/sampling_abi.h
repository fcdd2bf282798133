/* SPDX-License-Identifier: MIT */
/*
 * The few declarations of CUPTI's sampling of counters that we use, so that no vendor header is
 * needed to build; tests/abi/abi_sampling.c compares them with the real ones.
 *
 * Each function takes a structure, which begins with its own size up to its last member
 * (SAMPLING_SIZE).  Times are of the GPU's own clock, in nanoseconds.
 */
#ifndef PWRTRACE_SAMPLING_ABI_H
#define PWRTRACE_SAMPLING_ABI_H

#include <stddef.h>
#include <stdint.h>

enum {
	SAMPLING_SUCCESS = 0,
	SAMPLING_OUT_OF_MEMORY = 8,   /* CUPTI_ERROR_OUT_OF_MEMORY */
	SAMPLING_BUSY = 26,           /* CUPTI_ERROR_HARDWARE_BUSY */
	SAMPLING_NOT_PRIVILEGED = 35, /* CUPTI_ERROR_INSUFFICIENT_PRIVILEGES */
	SAMPLING_PROFILER = 1,        /* CUPTI_PROFILER_TYPE_PM_SAMPLING */
	SAMPLING_BY_TIME = 1,         /* CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL */
	SAMPLING_COUNTERS_FULL = 1,   /* CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL */
};

/* What each structure begins with. */
#define SAMPLING_HEAD                                                                              \
	size_t structSize;                                                                         \
	void *pPriv

struct sampling_initialize_params {
	SAMPLING_HEAD;
};

struct sampling_chip_params {
	SAMPLING_HEAD;
	size_t deviceIndex;
	const char *pChipName; /* out */
};

struct sampling_availability_params {
	SAMPLING_HEAD;
	size_t deviceIndex;
	size_t counterAvailabilityImageSize; /* out where the image is NULL */
	uint8_t *pCounterAvailabilityImage;
};

struct sampling_host_params {
	SAMPLING_HEAD;
	int profilerType;
	const char *pChipName;
	const uint8_t *pCounterAvailabilityImage;
	void *pHostObject; /* out */
};

struct sampling_host_end_params {
	SAMPLING_HEAD;
	void *pHostObject;
};

struct sampling_metrics_params {
	SAMPLING_HEAD;
	void *pHostObject;
	const char **ppMetricNames;
	size_t numMetrics;
};

struct sampling_config_size_params {
	SAMPLING_HEAD;
	void *pHostObject;
	size_t configImageSize; /* out */
};

struct sampling_config_params {
	SAMPLING_HEAD;
	void *pHostObject;
	size_t configImageSize;
	uint8_t *pConfigImage;
};

struct sampling_passes_params {
	SAMPLING_HEAD;
	size_t configImageSize;
	uint8_t *pConfigImage;
	size_t numOfPasses; /* out */
};

struct sampling_enable_params {
	SAMPLING_HEAD;
	size_t deviceIndex;
	void *pPmSamplingObject; /* out */
};

/* Of starting, stopping and disabling. */
struct sampling_object_params {
	SAMPLING_HEAD;
	void *pPmSamplingObject;
};

struct sampling_set_params {
	SAMPLING_HEAD;
	void *pPmSamplingObject;
	size_t configSize;
	const uint8_t *pConfig;
	size_t hardwareBufferSize;
	uint64_t samplingInterval;
	int triggerMode; /* CUDA 12.8's has more; 0 there is what we want */
};

struct sampling_data_size_params {
	SAMPLING_HEAD;
	void *pPmSamplingObject;
	const char **pMetricNames;
	size_t numMetrics;
	uint32_t maxSamples;
	size_t counterDataSize; /* out */
};

struct sampling_data_params {
	SAMPLING_HEAD;
	void *pPmSamplingObject;
	size_t counterDataSize;
	uint8_t *pCounterData;
};

struct sampling_decode_params {
	SAMPLING_HEAD;
	void *pPmSamplingObject;
	uint8_t *pCounterDataImage;
	size_t counterDataImageSize;
	int decodeStopReason; /* out */
	uint8_t overflow;     /* out */
};

struct sampling_info_params {
	SAMPLING_HEAD;
	const uint8_t *pCounterDataImage;
	size_t counterDataImageSize;
	size_t numTotalSamples, numPopulatedSamples, numCompletedSamples; /* out */
};

struct sampling_sample_params {
	SAMPLING_HEAD;
	void *pPmSamplingObject;
	const uint8_t *pCounterDataImage;
	size_t counterDataImageSize;
	size_t sampleIndex;
	uint64_t startTimestamp, endTimestamp; /* out */
};

struct sampling_values_params {
	SAMPLING_HEAD;
	void *pHostObject;
	const uint8_t *pCounterDataImage;
	size_t counterDataImageSize;
	size_t rangeIndex;
	const char **ppMetricNames;
	size_t numMetrics;
	double *pMetricValues;
};

/* FUNCTION(name, our structure, NVIDIA's, its last member): what the device does, and what is
 * computed for it. */
#define SAMPLING_OF_DEVICE(FUNCTION)                                                               \
	FUNCTION(cuptiProfilerInitialize, struct sampling_initialize_params,                       \
		CUpti_Profiler_Initialize_Params, pPriv)                                           \
	FUNCTION(cuptiDeviceGetChipName, struct sampling_chip_params,                              \
		CUpti_Device_GetChipName_Params, pChipName)                                        \
	FUNCTION(cuptiPmSamplingGetCounterAvailability, struct sampling_availability_params,       \
		CUpti_PmSampling_GetCounterAvailability_Params, pCounterAvailabilityImage)         \
	FUNCTION(cuptiPmSamplingEnable, struct sampling_enable_params,                             \
		CUpti_PmSampling_Enable_Params, pPmSamplingObject)                                 \
	FUNCTION(cuptiPmSamplingDisable, struct sampling_object_params,                            \
		CUpti_PmSampling_Disable_Params, pPmSamplingObject)                                \
	FUNCTION(cuptiPmSamplingStart, struct sampling_object_params,                              \
		CUpti_PmSampling_Start_Params, pPmSamplingObject)                                  \
	FUNCTION(cuptiPmSamplingStop, struct sampling_object_params, CUpti_PmSampling_Stop_Params, \
		pPmSamplingObject)                                                                 \
	FUNCTION(cuptiPmSamplingSetConfig, struct sampling_set_params,                             \
		CUpti_PmSampling_SetConfig_Params, triggerMode)                                    \
	FUNCTION(cuptiPmSamplingGetCounterDataSize, struct sampling_data_size_params,              \
		CUpti_PmSampling_GetCounterDataSize_Params, counterDataSize)                       \
	FUNCTION(cuptiPmSamplingCounterDataImageInitialize, struct sampling_data_params,           \
		CUpti_PmSampling_CounterDataImage_Initialize_Params, pCounterData)                 \
	FUNCTION(cuptiPmSamplingDecodeData, struct sampling_decode_params,                         \
		CUpti_PmSampling_DecodeData_Params, overflow)                                      \
	FUNCTION(cuptiPmSamplingGetCounterDataInfo, struct sampling_info_params,                   \
		CUpti_PmSampling_GetCounterDataInfo_Params, numCompletedSamples)                   \
	FUNCTION(cuptiPmSamplingCounterDataGetSampleInfo, struct sampling_sample_params,           \
		CUpti_PmSampling_CounterData_GetSampleInfo_Params, endTimestamp)

#define SAMPLING_OF_HOST(FUNCTION)                                                                 \
	FUNCTION(cuptiProfilerHostInitialize, struct sampling_host_params,                         \
		CUpti_Profiler_Host_Initialize_Params, pHostObject)                                \
	FUNCTION(cuptiProfilerHostDeinitialize, struct sampling_host_end_params,                   \
		CUpti_Profiler_Host_Deinitialize_Params, pHostObject)                              \
	FUNCTION(cuptiProfilerHostConfigAddMetrics, struct sampling_metrics_params,                \
		CUpti_Profiler_Host_ConfigAddMetrics_Params, numMetrics)                           \
	FUNCTION(cuptiProfilerHostGetConfigImageSize, struct sampling_config_size_params,          \
		CUpti_Profiler_Host_GetConfigImageSize_Params, configImageSize)                    \
	FUNCTION(cuptiProfilerHostGetConfigImage, struct sampling_config_params,                   \
		CUpti_Profiler_Host_GetConfigImage_Params, pConfigImage)                           \
	FUNCTION(cuptiProfilerHostGetNumOfPasses, struct sampling_passes_params,                   \
		CUpti_Profiler_Host_GetNumOfPasses_Params, numOfPasses)                            \
	FUNCTION(cuptiProfilerHostEvaluateToGpuValues, struct sampling_values_params,              \
		CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues)

#define SAMPLING_FUNCTIONS(FUNCTION) SAMPLING_OF_DEVICE(FUNCTION) SAMPLING_OF_HOST(FUNCTION)

#define SAMPLING_SIZE(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

#endif
