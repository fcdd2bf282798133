/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/power/kept_response.h"
#include "tests/unit/unit.h"

#define HEAD                                                                                       \
	"pwrtrace-response 1\ndevice GPU-1/a b\ndriver 580.159\ncalibrated 2026-11-21T09:00:00Z\n"
#define SAMPLES                                                                                    \
	"sensor nvml\tgpu\tpower\nperiod_ns 20000100\nwindow_ns 25800000\nlag_ns 2700000\n"        \
	"jitter_ns 590000\nnoise_w 4.5\ngain 0.9925\noff_grid 0.24\n"                              \
	"tap -1000000 0.25\ntap 9000000 0.75\n"
#define COUNTER "sensor nvml\tgpu\tenergy\nperiod_ns 100000000\n"

static char directory[] = "/tmp/pwrtrace-test-XXXXXX";
static char where[KEPT_RESPONSE_WHY_MAX];

static struct power_sensor sensor_of(const char *quantity)
{
	return (struct power_sensor){.device = "GPU-1/a b",
		.driver = "580.159",
		.domain = "gpu",
		.quantity = quantity,
		.period_ns = 1,
		.window_ns = PWRTRACE_UNKNOWN_U64,
		.lag_ns = 7};
}

static int keep(const char *text)
{
	FILE *file = tmpfile();
	int result;

	assert_non_null(file);
	fputs(text, file);
	rewind(file);
	result = kept_response_write(file, where, sizeof(where));
	fclose(file);
	return result;
}

static int make_home(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	setenv("HOME", directory, 1);
	unsetenv("XDG_CONFIG_HOME");
	return 0;
}

static int remove_home(void **state)
{
	char command[256];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command);
}

static void what_is_kept_is_found(void **state)
{
	struct power_sensor samples = sensor_of("power"), counter = sensor_of("energy");
	struct kept_response response;

	(void)state;
	assert_false(kept_response_apply(&response, "nvml", &samples));
	assert_int_equal(samples.period_ns, 1);
	assert_int_equal(keep(HEAD SAMPLES COUNTER), 0);
	assert_non_null(strstr(where, "/.config/pwrtrace/responses/GPU-1_a_b@580.159"));

	assert_true(kept_response_apply(&response, "nvml", &samples));
	assert_int_equal(samples.period_ns, 20000100);
	assert_int_equal(samples.window_ns, 25800000);
	assert_int_equal(samples.lag_ns, 2700000);
	assert_string_equal(response.calibrated, "2026-11-21T09:00:00Z");
	assert_int_equal(response.jitter_ns, 590000);
	assert_true(response.noise_w == 4.5 && response.gain == 0.9925);
	assert_true(response.off_grid == 0.24);
	assert_int_equal(response.tap_count, 2);
	assert_true(response.taps[0].lag_ns == -1000000 && response.taps[1].weight == 0.75);

	assert_true(kept_response_apply(&response, "nvml", &counter));
	assert_int_equal(counter.period_ns, 100000000);
	assert_int_equal(counter.lag_ns, 7);
	assert_int_equal(response.tap_count, 0);
	assert_true(isnan(response.gain));
}

static void another_sensor_has_none(void **state)
{
	struct power_sensor sensor = sensor_of("power");
	struct kept_response response;

	(void)state;
	assert_int_equal(keep(HEAD SAMPLES), 0);
	assert_false(kept_response_apply(&response, "replay", &sensor));
	sensor.domain = "memory";
	assert_false(kept_response_apply(&response, "nvml", &sensor));
	sensor = sensor_of("power");
	sensor.driver = "581";
	assert_false(kept_response_apply(&response, "nvml", &sensor));
	sensor = sensor_of("power");
	sensor.driver = NULL;
	assert_false(kept_response_apply(&response, "nvml", &sensor));
	/* The same file, but not the same name. */
	sensor = sensor_of("power");
	sensor.device = "GPU-1:a b";
	assert_false(kept_response_apply(&response, "nvml", &sensor));
}

static void a_wrong_line_is_named_and_keeps_nothing(void **state)
{
	static const struct {
		const char *text, *place;
	} rows[] = {
		{"", "line 1 "},
		{"pwrtrace-response 2\n", "line 1 "},
		{HEAD, "line 5 "},
		{"pwrtrace-response 1\n" COUNTER, "line 4 "},
		{HEAD "period_ns 1\n" SAMPLES, "line 5 "},
		{HEAD COUNTER "window_ns -1\n", "line 7 "},
		{HEAD COUNTER "gain\n", "line 7 "},
		{HEAD COUNTER "gain nan\n", "line 7 "},
		{HEAD COUNTER "tap 5\n", "line 7 "},
		{HEAD COUNTER "tap 5 0.5 1\n", "line 7 "},
		{HEAD COUNTER "colour 5\n", "line 7 "},
		{HEAD COUNTER "period_ns 99999999999999999999\n", "line 7 "},
	};
	struct power_sensor sensor = sensor_of("power");
	struct kept_response response;

	(void)state;
	assert_int_equal(keep(HEAD SAMPLES), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(keep(rows[i].text), -1);
		if (!strstr(where, rows[i].place))
			fail_msg("%zu: %s", i, where);
	}
	assert_true(kept_response_apply(&response, "nvml", &sensor));
}

static void taps_have_a_limit(void **state)
{
	char text[8192] = HEAD COUNTER;

	(void)state;
	for (int i = 0; i < KEPT_TAPS_MAX; i++)
		strcat(text, "tap 5 0.5\n");
	assert_int_equal(keep(text), 0);
	strcat(text, "tap 5 0.5\n");
	assert_int_equal(keep(text), -1);
}

static void a_file_that_cannot_be_made_is_named(void **state)
{
	char path[256];
	FILE *file;

	(void)state;
	snprintf(path, sizeof(path), "%s/file", directory);
	file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
	setenv("XDG_CONFIG_HOME", path, 1);
	assert_int_equal(keep(HEAD SAMPLES), -1);
	assert_non_null(strstr(where, "/file/pwrtrace"));
	/* A relative path in XDG_CONFIG_HOME is ignored. */
	setenv("XDG_CONFIG_HOME", "file", 1);
	assert_int_equal(keep(HEAD SAMPLES), 0);
	assert_non_null(strstr(where, "/.config/pwrtrace"));
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");
	assert_int_equal(keep(HEAD SAMPLES), -1);
	assert_non_null(strstr(where, "HOME"));
	setenv("HOME", directory, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_found),
		cmocka_unit_test(another_sensor_has_none),
		cmocka_unit_test(a_wrong_line_is_named_and_keeps_nothing),
		cmocka_unit_test(taps_have_a_limit),
		cmocka_unit_test(a_file_that_cannot_be_made_is_named),
	};

	return cmocka_run_group_tests_name("kept_response", tests, make_home, remove_home);
}
