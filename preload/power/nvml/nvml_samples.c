/* SPDX-License-Identifier: MIT */
#include "preload/power/nvml/nvml_samples.h"

#include "pwrtrace/units.h"

#define NS_PER_US INT64_C(1000)

uint64_t nvml_value(unsigned int type, const union nvml_value *value)
{
	switch (type) {
	case NVML_VALUE_TYPE_DOUBLE:
		return value->dVal >= 0 ? (uint64_t)value->dVal : PWRTRACE_UNKNOWN_U64;
	case NVML_VALUE_TYPE_UNSIGNED_INT:
		return value->uiVal;
	case NVML_VALUE_TYPE_UNSIGNED_LONG:
		return value->ulVal;
	case NVML_VALUE_TYPE_UNSIGNED_LONG_LONG:
		return value->ullVal;
	case NVML_VALUE_TYPE_SIGNED_LONG_LONG:
		return value->sllVal >= 0 ? (uint64_t)value->sllVal : PWRTRACE_UNKNOWN_U64;
	case NVML_VALUE_TYPE_SIGNED_INT:
		return value->siVal >= 0 ? (uint64_t)value->siVal : PWRTRACE_UNKNOWN_U64;
	default:
		return PWRTRACE_UNKNOWN_U64;
	}
}

size_t nvml_convert(struct nvml_power *power, const struct nvml_sample *samples, size_t count,
	unsigned int type, int64_t realtime_offset_ns, uint64_t after_ns, uint64_t until_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		int64_t time_ns = (int64_t)samples[i].timeStamp * NS_PER_US - realtime_offset_ns;
		uint64_t power_mw = nvml_value(type, &samples[i].sampleValue);

		if (time_ns <= (int64_t)after_ns || time_ns > (int64_t)until_ns ||
			power_mw == PWRTRACE_UNKNOWN_U64)
			continue;
		power[kept++] = (struct nvml_power){(uint64_t)time_ns, power_mw};
		after_ns = (uint64_t)time_ns;
	}
	return kept;
}
