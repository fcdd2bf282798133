/* SPDX-License-Identifier: MIT */
/*
 * A clock plugin of LTTng (LTTNG_UST_CLOCK_PLUGIN) for processes in virtual time (virtual_time.c):
 * it gives events time stamps in real time, as LTTng's daemons have it.
 */
#include <lttng/ust-clock.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S UINT64_C(1000000000)

__attribute__((visibility("default"))) void lttng_ust_clock_plugin_init(void);

static uint64_t now_ns(void)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t frequency(void)
{
	return NS_PER_S;
}

static int boot_id(char *text)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	bool found = file && fgets(text, LTTNG_UST_UUID_STR_LEN, file);

	if (file)
		fclose(file);
	return found ? 0 : -1;
}

static const char *name(void)
{
	return "monotonic";
}

static const char *description(void)
{
	return "Monotonic Clock";
}

void lttng_ust_clock_plugin_init(void)
{
	if (lttng_ust_trace_clock_set_read64_cb(now_ns) ||
		lttng_ust_trace_clock_set_freq_cb(frequency) ||
		lttng_ust_trace_clock_set_uuid_cb(boot_id) ||
		lttng_ust_trace_clock_set_name_cb(name) ||
		lttng_ust_trace_clock_set_description_cb(description) ||
		lttng_ust_enable_trace_clock_override())
		fputs("the clock of LTTng-UST cannot be set\n", stderr);
}
