/* SPDX-License-Identifier: MIT */
/*
 * When the load is on and when not: long pulses for the two levels, then dwells of random length,
 * uniform in their logarithm, so that a sensor of any period sees edges at all of its phases.
 */
#include "preload/sensors/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/log.h"
#include "preload/sensors/sensors.h"

#define SETTLE_NS (1500 * PWRTRACE_NS_PER_MS) /* a second-long average has seen it */
#define LONG_NS (500 * PWRTRACE_NS_PER_MS)
#define LONG_SHARE 4 /* of the time goes to long pulses */
#define DWELL_LEAST_NS (4 * PWRTRACE_NS_PER_MS)
#define DWELL_MOST_NS (160 * PWRTRACE_NS_PER_MS)

/* In the order in which they are tried. */
static const struct load_api *const apis[] = {
#define LOAD(name) &load_##name,
#include "pwrtrace/loads.def"
#undef LOAD
	NULL,
};

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014): the same dwells every time. */
static double uniform(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)((z ^ z >> 31) >> 11) / (double)(UINT64_C(1) << 53);
}

static uint64_t dwell_ns(uint64_t *state)
{
	double ratio = (double)DWELL_MOST_NS / (double)DWELL_LEAST_NS;

	return (uint64_t)((double)DWELL_LEAST_NS * pow(ratio, uniform(state)));
}

static void rest(uint64_t duration_ns)
{
	uint64_t until_ns = clock_now_ns() + duration_ns;
	struct timespec until = clock_timespec(until_ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL))
		;
}

static void show_progress(const char *name, uint64_t begin_ns, int seconds)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K%s: %.0f of %d s", name,
			(double)(clock_now_ns() - begin_ns) / 1e9, seconds);
}

static void end_progress(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

static int pulse(const struct load_api *api, uint64_t on_ns, uint64_t off_ns, char *why)
{
	int failed = api->run(on_ns, why);

	rest(off_ns);
	return failed;
}

static int run_load(const struct load_api *api, const char *name, int seconds, char *why)
{
	uint64_t begin_ns = clock_now_ns(), length_ns = (uint64_t)seconds * PWRTRACE_NS_PER_S,
		 state = 1;
	int failed = 0;

	rest(SETTLE_NS);
	while (!failed && clock_now_ns() - begin_ns < length_ns / LONG_SHARE + SETTLE_NS) {
		show_progress(name, begin_ns, seconds);
		failed = pulse(api, LONG_NS, LONG_NS, why);
	}
	while (!failed && clock_now_ns() - begin_ns < length_ns) {
		uint64_t on_ns = dwell_ns(&state);

		show_progress(name, begin_ns, seconds);
		failed = pulse(api, on_ns, dwell_ns(&state), why);
	}
	if (!failed)
		rest(LONG_NS);
	end_progress();
	return failed;
}

static int run_device(const struct load_api *api, int device, int seconds)
{
	char name[LOAD_NAME_MAX], why[LOAD_WHY_MAX];
	int failed = api->begin(device, name, why);

	if (!failed) {
		failed = run_load(api, name, seconds, why);
		api->end();
	}
	if (failed)
		log_error("%s: %s", api->name, why);
	return failed;
}

/* Returns the API, opened, with the number of its devices; or NULL after saying why. */
static const struct load_api *open_api(const char *name, int *devices)
{
	char why[LOAD_WHY_MAX] = "there is no such API";

	for (const struct load_api *const *api = apis; *api; api++) {
		if (name && strcmp((*api)->name, name) != 0)
			continue;
		*devices = (*api)->open(why);
		if (*devices > 0)
			return *api;
	}
	log_error("no device can be loaded: %s", why);
	return NULL;
}

int sensors_load(const struct sensors_load *load)
{
	int devices, failed = 0, first = load->device < 0 ? 0 : load->device;
	const struct load_api *api = open_api(load->api, &devices);

	if (!api)
		return SENSORS_BAD_INPUT;
	if (first >= devices) {
		log_error("%s has %d device%s, counted from 0", api->name, devices,
			devices == 1 ? "" : "s");
		return SENSORS_BAD_INPUT;
	}
	for (int i = first; !failed && i < (load->device < 0 ? devices : first + 1); i++)
		failed = run_device(api, i, load->seconds);
	return failed ? SENSORS_BAD_INPUT : SENSORS_FINE;
}
