/* SPDX-License-Identifier: MIT */
/*
 * The few declarations of NVML's binary interface that we use, so that no vendor header is needed
 * to build.  Values are NVML's own; tests/abi/abi_nvml.c compares them with the real nvml.h.
 *
 * Powers are milliwatts, energies millijoules, clocks MHz, temperatures degrees Celsius, and
 * stamps CLOCK_REALTIME in microseconds.  NVML's enums are all unsigned int.
 */
#ifndef PWRTRACE_NVML_ABI_H
#define PWRTRACE_NVML_ABI_H

#define NVML_LIBRARY "libnvidia-ml.so.1"

/* One row per constant: CONSTANT(name, value). */
#define NVML_CONSTANTS(CONSTANT)                                                                   \
	CONSTANT(NVML_SUCCESS, 0)                                                                  \
	CONSTANT(NVML_ERROR_NOT_SUPPORTED, 3)                                                      \
	CONSTANT(NVML_ERROR_NOT_FOUND, 6)                                                          \
	CONSTANT(NVML_ERROR_FUNCTION_NOT_FOUND, 13)                                                \
	CONSTANT(NVML_ERROR_GPU_IS_LOST, 15)                                                       \
	CONSTANT(NVML_ERROR_RESET_REQUIRED, 16)                                                    \
	CONSTANT(NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE, 80)                                       \
	CONSTANT(NVML_DEVICE_NAME_V2_BUFFER_SIZE, 96)                                              \
	CONSTANT(NVML_DEVICE_UUID_V2_BUFFER_SIZE, 96)                                              \
	CONSTANT(NVML_DEVICE_ARCH_VOLTA, 5)                                                        \
	CONSTANT(NVML_DEVICE_ARCH_TURING, 6)                                                       \
	CONSTANT(NVML_DEVICE_ARCH_ADA, 8)                                                          \
	CONSTANT(NVML_DEVICE_ARCH_HOPPER, 9)                                                       \
	CONSTANT(NVML_DEVICE_ARCH_UNKNOWN, 0xffffffff)                                             \
	CONSTANT(NVML_TOTAL_POWER_SAMPLES, 0)                                                      \
	CONSTANT(NVML_VALUE_TYPE_DOUBLE, 0)                                                        \
	CONSTANT(NVML_VALUE_TYPE_UNSIGNED_INT, 1)                                                  \
	CONSTANT(NVML_VALUE_TYPE_UNSIGNED_LONG, 2)                                                 \
	CONSTANT(NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, 3)                                            \
	CONSTANT(NVML_VALUE_TYPE_SIGNED_LONG_LONG, 4)                                              \
	CONSTANT(NVML_VALUE_TYPE_SIGNED_INT, 5)                                                    \
	CONSTANT(NVML_FI_DEV_POWER_AVERAGE, 185)                                                   \
	CONSTANT(NVML_FI_DEV_POWER_INSTANT, 186)                                                   \
	CONSTANT(NVML_POWER_SCOPE_GPU, 0)                                                          \
	CONSTANT(NVML_POWER_SCOPE_MEMORY, 2)                                                       \
	CONSTANT(NVML_CLOCK_SM, 1)                                                                 \
	CONSTANT(NVML_CLOCK_MEM, 2)                                                                \
	CONSTANT(NVML_TEMPERATURE_GPU, 0)                                                          \
	CONSTANT(NVML_DEVICE_MIG_ENABLE, 1)                                                        \
	CONSTANT(NVML_GPM_SUPPORT_VERSION, 1)                                                      \
	CONSTANT(NVML_GPM_METRICS_GET_VERSION, 1)                                                  \
	CONSTANT(NVML_GPM_METRIC_SM_UTIL, 2)                                                       \
	CONSTANT(NVML_GPM_METRIC_ANY_TENSOR_UTIL, 5)                                               \
	CONSTANT(NVML_GPM_METRIC_DRAM_BW_UTIL, 10)

#ifndef NVML_ABI_WITHOUT_CONSTANTS
#define NVML_ENUMERATOR(name, value) name = value,
enum { NVML_CONSTANTS(NVML_ENUMERATOR) };
#undef NVML_ENUMERATOR
#endif

/* Newer than headers that are in use: driver 590's. */
enum { NVML_NEW_FI_DEV_EDPP_MULTIPLIER = 274 };

typedef struct nvmlDevice_st *nvmlDevice_t;
typedef struct nvmlGpmSample_st *nvmlGpmSample_t;
typedef unsigned int nvml_return;

union nvml_value {
	double dVal;
	int siVal;
	unsigned int uiVal;
	unsigned long ulVal;
	unsigned long long ullVal;
	signed long long sllVal;
};

/* nvmlSample_t */
struct nvml_sample {
	unsigned long long timeStamp;
	union nvml_value sampleValue;
};

/* nvmlFieldValue_t */
struct nvml_field_value {
	unsigned int fieldId;
	unsigned int scopeId;
	long long timestamp;
	long long latencyUsec;
	unsigned int valueType;
	nvml_return nvmlReturn;
	union nvml_value value;
};

/* nvmlPciInfo_t */
struct nvml_pci_info {
	char busIdLegacy[16];
	unsigned int domain;
	unsigned int bus;
	unsigned int device;
	unsigned int pciDeviceId;
	unsigned int pciSubSystemId;
	char busId[32];
};

/* nvmlGpmSupport_t */
typedef struct {
	unsigned int version;
	unsigned int isSupportedDevice;
} nvml_gpm_support;

/* nvmlGpmMetric_t */
typedef struct {
	unsigned int metricId;
	nvml_return nvmlReturn;
	double value;
	struct {
		char *shortName;
		char *longName;
		char *unit;
	} metricInfo;
} nvml_gpm_metric;

/* nvmlGpmMetricsGet_t, whose array is as long as numMetrics says. */
typedef struct {
	unsigned int version;
	unsigned int numMetrics;
	nvmlGpmSample_t sample1;
	nvmlGpmSample_t sample2;
	nvml_gpm_metric metrics[3];
} nvml_gpm_metrics;

/*
 * One row per function: NEEDED where there is nothing to measure without it, MAYBE where an older
 * or a newer driver may lack it.
 */
#define NVML_FUNCTIONS(NEEDED, MAYBE)                                                              \
	NEEDED(nvml_return, nvmlInit_v2, (void))                                                   \
	NEEDED(nvml_return, nvmlShutdown, (void))                                                  \
	NEEDED(const char *, nvmlErrorString, (nvml_return))                                       \
	NEEDED(nvml_return, nvmlDeviceGetCount_v2, (unsigned int *))                               \
	NEEDED(nvml_return, nvmlDeviceGetHandleByIndex_v2, (unsigned int, nvmlDevice_t *))         \
	NEEDED(nvml_return, nvmlDeviceGetUUID, (nvmlDevice_t, char *, unsigned int))               \
	MAYBE(nvml_return, nvmlSystemGetDriverVersion, (char *, unsigned int))                     \
	MAYBE(nvml_return, nvmlDeviceGetName, (nvmlDevice_t, char *, unsigned int))                \
	MAYBE(nvml_return, nvmlDeviceGetPciInfo_v3, (nvmlDevice_t, struct nvml_pci_info *))        \
	MAYBE(nvml_return, nvmlDeviceGetArchitecture, (nvmlDevice_t, unsigned int *))              \
	MAYBE(nvml_return, nvmlDeviceGetMigMode, (nvmlDevice_t, unsigned int *, unsigned int *))   \
	MAYBE(nvml_return, nvmlDeviceGetSamples,                                                   \
		(nvmlDevice_t, unsigned int, unsigned long long, unsigned int *, unsigned int *,   \
			struct nvml_sample *))                                                     \
	MAYBE(nvml_return, nvmlDeviceGetFieldValues,                                               \
		(nvmlDevice_t, int, struct nvml_field_value *))                                    \
	MAYBE(nvml_return, nvmlDeviceGetPowerUsage, (nvmlDevice_t, unsigned int *))                \
	MAYBE(nvml_return, nvmlDeviceGetTotalEnergyConsumption,                                    \
		(nvmlDevice_t, unsigned long long *))                                              \
	MAYBE(nvml_return, nvmlDeviceGetClockInfo, (nvmlDevice_t, unsigned int, unsigned int *))   \
	MAYBE(nvml_return, nvmlDeviceGetEnforcedPowerLimit, (nvmlDevice_t, unsigned int *))        \
	MAYBE(nvml_return, nvmlDeviceGetTemperature, (nvmlDevice_t, unsigned int, unsigned int *)) \
	MAYBE(nvml_return, nvmlDeviceGetCurrentClocksThrottleReasons,                              \
		(nvmlDevice_t, unsigned long long *))                                              \
	MAYBE(nvml_return, nvmlDeviceGetCurrentClocksEventReasons,                                 \
		(nvmlDevice_t, unsigned long long *))                                              \
	MAYBE(nvml_return, nvmlGpmQueryDeviceSupport, (nvmlDevice_t, nvml_gpm_support *))          \
	MAYBE(nvml_return, nvmlGpmSampleAlloc, (nvmlGpmSample_t *))                                \
	MAYBE(nvml_return, nvmlGpmSampleFree, (nvmlGpmSample_t))                                   \
	MAYBE(nvml_return, nvmlGpmSampleGet, (nvmlDevice_t, nvmlGpmSample_t))                      \
	MAYBE(nvml_return, nvmlGpmMetricsGet, (nvml_gpm_metrics *))

#endif
