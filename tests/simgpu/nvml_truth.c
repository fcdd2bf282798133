/* SPDX-License-Identifier: MIT */
#include "tests/simgpu/nvml_truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simgpu/virtual_time.h"
#include "tests/truth/truth_settings.h"

#define NS_PER_US 1000
#define KEPT 1000     /* samples, as a ring */
#define BEFORE_NS 2e9 /* there are samples from before the run */

static struct truth_settings settings;
static struct truth *truth;

bool sim_truth_wanted(void)
{
	const char *text = getenv("SIMGPU_TRUTH");

	if (text && !truth) {
		settings = truth_settings_default;
		truth_settings_take(&settings, text);
		truth = truth_make(&settings.options);
	}
	return text != NULL;
}

bool sim_truth_lacks(const char *call)
{
	static const char *const gauges[] = {
		"nvmlDeviceGetSamples", "nvmlDeviceGetFieldValues", "nvmlDeviceGetPowerUsage"};

	for (size_t i = 0; i < sizeof(gauges) / sizeof(*gauges); i++)
		if (strcmp(call, gauges[i]) == 0)
			return settings.sensor.counter || i > 0;
	return false;
}

unsigned int sim_truth_architecture(void)
{
	bool hopper = settings.sensor.period_ns == 20e6 && settings.sensor.window_ns == 25e6;

	return hopper ? NVML_DEVICE_ARCH_HOPPER : NVML_DEVICE_ARCH_UNKNOWN;
}

/* The time since the begin of the run. */
static double ns_of(uint64_t time_us)
{
	return (double)(int64_t)(time_us * NS_PER_US - VIRTUAL_REALTIME_AHEAD_NS -
				 VIRTUAL_BEGIN_NS);
}

static uint64_t us_of(double time_ns)
{
	return (VIRTUAL_REALTIME_AHEAD_NS + VIRTUAL_BEGIN_NS + (uint64_t)llround(time_ns)) /
	       NS_PER_US;
}

static struct nvml_sample ring[KEPT];
static uint64_t made;

static void make_until(uint64_t now_us)
{
	static double due_ns;
	static struct nvml_sample next;
	struct truth_update update;

	if (!next.timeStamp)
		due_ns = -floor(BEFORE_NS / settings.sensor.period_ns) * settings.sensor.period_ns;
	while (next.timeStamp <= now_us) {
		if (next.timeStamp)
			ring[made++ % KEPT] = next;
		update = truth_update(truth, &settings.sensor, due_ns);
		next = (struct nvml_sample){.timeStamp = us_of(update.time_ns),
			.sampleValue.uiVal = (unsigned int)llround(1e3 * update.value)};
		due_ns += settings.sensor.period_ns;
	}
}

void sim_truth_samples(
	uint64_t seen_us, uint64_t now_us, struct nvml_sample *samples, unsigned int *count)
{
	unsigned int used = 0;

	make_until(now_us);
	for (uint64_t i = made > KEPT ? made - KEPT : 0; i < made && used < *count; i++)
		if (ring[i % KEPT].timeStamp > seen_us)
			samples[used++] = ring[i % KEPT];
	*count = used;
}

double sim_truth_speed(uint64_t now_us)
{
	return truth_speed_at(truth, ns_of(now_us));
}

uint64_t sim_truth_counter_mj(uint64_t now_us)
{
	struct truth_sensor counter = {.period_ns = 100e6, .gain = settings.sensor.gain};
	double now_ns = ns_of(now_us), base_j = counter.gain * settings.options.static_w * 10;

	if (settings.sensor.counter)
		counter = settings.sensor;
	counter.counter = true;
	/* The counter began to count before the run. */
	return (uint64_t)llround(
		1e3 * (base_j + truth_reading(truth, &counter,
					floor(now_ns / counter.period_ns) * counter.period_ns)));
}
