/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/power/external/recorded_csv.h"
#include "preload/power/external/watts.h"
#include "pwrtrace/units.h"
#include "tests/unit/unit.h"

#define POWER_HEADER "time_ns,device,domain,power_mw\n"
#define ENERGY_HEADER "time_ns,device,domain,energy_uj\n"

static char why[512];

static int read_text(struct recorded_file *file, const char *text)
{
	char path[] = "/tmp/pwrtrace-test-XXXXXX";
	int fd = mkstemp(path), result;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	memset(file, 0, sizeof(*file));
	why[0] = 0;
	result = recorded_csv_read(file, path, why, sizeof(why));
	unlink(path);
	return result;
}

static void series_are_kept_apart(void **state)
{
	struct recorded_file file;

	(void)state;
	assert_int_equal(read_text(&file, POWER_HEADER "0,cpu,package-0,1000\n"
						       "0,\"my \"\"gpu\"\", 2\",gpu,5\n"
						       "100,cpu,package-0,2000\n"
						       "300,cpu,package-0,3000\r\n"),
		0);
	assert_string_equal(file.series[0].quantity, "power");
	assert_int_equal(file.count, 2);
	assert_int_equal(file.series[0].count, 3);
	assert_int_equal(file.series[0].rows[2].time_ns, 300);
	assert_int_equal(file.series[0].rows[2].value, 3000);
	assert_string_equal(file.series[1].device, "my \"gpu\", 2");
	assert_string_equal(file.series[1].domain, "gpu");
	assert_true(file.series[1].period_ns == PWRTRACE_UNKNOWN_U64);
	recorded_file_free(&file);
}

static void a_header_says_energy(void **state)
{
	struct recorded_file file;

	(void)state;
	assert_int_equal(read_text(&file, ENERGY_HEADER "0,gpu,gpu,10\n5,gpu,gpu,10\n"), 0);
	assert_string_equal(file.series[0].quantity, "energy");
	assert_int_equal(file.series[0].period_ns, 5);
	recorded_file_free(&file);
}

static void bad_lines_are_named(void **state)
{
	static const struct {
		const char *text;
		const char *place;
	} rows[] = {
		{"", ""},
		{"when,what\n", ":1: "},
		{POWER_HEADER "0,cpu,package-0\n", ":2: "},
		{POWER_HEADER "0,cpu,package-0,1,2\n", ":2: "},
		{POWER_HEADER "0,cpu,package-0,1\n1,cpu,package-0,-1\n", ":3: "},
		{POWER_HEADER "0,cpu,package-0,1\n1,cpu,package-0,1.5\n", ":3: "},
		{POWER_HEADER "0,cpu,package-0,99999999999999999999\n", ":2: "},
		{POWER_HEADER "0,\"cpu,package-0,1\n", ":2: "},
		{POWER_HEADER "5,cpu,package-0,1\n5,cpu,package-0,1\n", ":3: "},
		{POWER_HEADER "5,cpu,package-0,1\n4,cpu,package-0,1\n", ":3: "},
		{ENERGY_HEADER "5,cpu,package-0,9\n6,cpu,package-0,8\n", ":3: "},
		{POWER_HEADER, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct recorded_file file;

		assert_int_equal(read_text(&file, rows[i].text), -1);
		assert_non_null(strstr(why, rows[i].place));
		assert_null(strchr(why, '\n'));
		assert_true(*why);
	}
}

static void is_series(const struct recorded_series *series, const char *device, const char *domain,
	const char *part_of, const char *quantity, size_t count)
{
	assert_string_equal(series->device, device);
	assert_string_equal(series->domain, domain);
	assert_string_equal(series->part_of, part_of);
	assert_string_equal(series->quantity, quantity);
	assert_int_equal(series->count, count);
}

/* As driver 550 wrote it. */
static void what_nvidia_smi_writes(void **state)
{
	struct recorded_file file;

	(void)state;
	assert_int_equal(
		read_text(&file,
			"timestamp, clocks.current.sm [MHz], power.draw [W], power.draw.instant "
			"[W], temperature.gpu\n"
			"2025/03/09 23:59:59.990, 1980 MHz, 688.21 W, 701.55 W, 61\n"
			"2025/03/09 23:59:59.990, 1980 MHz, 688.21 W, 701.55 W, 61\n"
			"2025/03/10 00:00:00.010, 1755 MHz, 690.00 W, [N/A], 62\n"
			"2025/03/10 00:00:00.030, [N/A], 690.5 W, 650.125 W, [N/A]\n"),
		0);
	assert_int_equal(file.count, 3);
	is_series(&file.series[0], "gpu", "gpu", "", "power", 3);
	is_series(&file.series[1], "gpu", "power.draw", "*", "power", 2);
	is_series(&file.series[2], "gpu", "gpu", "", "state", 3);
	assert_int_equal(file.series[0].period_ns, 20 * PWRTRACE_NS_PER_MS);
	assert_int_equal(file.series[0].rows[0].time_ns, 0);
	assert_int_equal(file.series[0].rows[0].value, 701550);
	assert_int_equal(file.series[0].rows[1].value, 690000);
	assert_int_equal(file.series[0].rows[2].time_ns, 40 * PWRTRACE_NS_PER_MS);
	assert_int_equal(file.series[0].rows[2].value, 650125);
	assert_int_equal(file.series[1].rows[1].value, 690500);
	assert_int_equal(file.series[2].rows[1].sm_clock_mhz, 1755);
	assert_int_equal(file.series[2].rows[1].temperature_c, 62);
	assert_int_equal(file.series[2].rows[2].sm_clock_mhz, PWRTRACE_UNKNOWN_U32);
	assert_int_equal(file.series[2].rows[2].temperature_c, PWRTRACE_UNKNOWN_U32);
	recorded_file_free(&file);
}

static void what_nvidia_smi_writes_of_two_gpus_without_units(void **state)
{
	struct recorded_file file;

	(void)state;
	assert_int_equal(read_text(&file, "timestamp, pci.bus_id, name, power.draw [W]\n"
					  "2025/03/09 14:05:07.123, 00000000:41:00.0, A, 100.00\n"
					  "2025/03/09 14:05:07.124, 00000000:C1:00.0, A, 200.00\n"
					  "2025/03/09 14:05:07.223, 00000000:41:00.0, A, 110.00\n"),
		0);
	assert_int_equal(file.count, 2);
	is_series(&file.series[0], "0000:41:00.0", "gpu", "", "power", 2);
	is_series(&file.series[1], "0000:C1:00.0", "gpu", "", "power", 1);
	assert_int_equal(file.series[1].rows[0].time_ns, PWRTRACE_NS_PER_MS);
	assert_int_equal(file.series[0].rows[1].value, 110000);
	recorded_file_free(&file);
}

#define SMI "timestamp, power.draw [W]\n"

/* Rows of so many GPUs, 7 ms apart, each tenth of a second and once 3 s later, with what stands
 * before the power.  Returns what reading them does. */
static int read_gpus(struct recorded_file *file, int gpus, const char *header, bool index)
{
	char text[8192];
	size_t used = (size_t)snprintf(text, sizeof(text), "%s", header);

	for (int query = 0; query < 20; query++)
		for (int gpu = 0; gpu < gpus; gpu++) {
			int ms = query * 100 + query % 3 + gpu * 7 + (query > 10 ? 3000 : 0);

			used += (size_t)snprintf(text + used, sizeof(text) - used,
				"2025/03/09 14:05:%02d.%03d, ", ms / 1000, ms % 1000);
			if (index)
				used += (size_t)snprintf(
					text + used, sizeof(text) - used, "%d, ", gpu);
			used += (size_t)snprintf(
				text + used, sizeof(text) - used, "%d W\n", 100 + 400 * gpu);
		}
	return read_text(file, text);
}

static void several_gpus_need_a_column_that_tells_them_apart(void **state)
{
	struct recorded_file file;

	(void)state;
	assert_int_equal(read_gpus(&file, 1, SMI, false), 0);
	recorded_file_free(&file);
	assert_int_equal(read_gpus(&file, 2, SMI, false), -1);
	assert_non_null(strstr(why, "bursts of 2"));
	assert_int_equal(read_gpus(&file, 8, SMI, false), -1);
	assert_non_null(strstr(why, "bursts of 8"));
	assert_int_equal(
		read_gpus(&file, 2, "timestamp, index, power.draw.instant [W]\n", true), 0);
	assert_int_equal(file.count, 2);
	recorded_file_free(&file);
}

static void bad_lines_of_nvidia_smi_are_named(void **state)
{
	static const struct {
		const char *text;
		const char *place;
	} rows[] = {
		{"timestamp, temperature.gpu\n2025/03/09 14:05:07.123, 61\n", ":1: "},
		{SMI "2025/03/09 14:05:07.123\n", ":2: "},
		{SMI "yesterday, 100 W\n", ":2: "},
		{SMI "2025/03/09 14:05:07.123 UTC, 100 W\n", ":2: "},
		{SMI "2025/03/09 14:05:07.123, 1 W\n2025/03/09 14:05:06.123, 1 W\n", ":3: "},
		{SMI "2025/03/09 14:05:07.123, 1 W\n2025/03/09 14:05:07.123, 2 W\n", ":3: "},
		{SMI "2025/03/09 14:05:07.123, 1 W\n2025/03/09 14:05:07.423, 1 W\n"
		     "2025/03/09 14:05:07.323, 1 W\n",
			":4: "},
		{SMI "2025/03/09 14:05:07.123, [N/A]\n", "no rows"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct recorded_file file;

		assert_int_equal(read_text(&file, rows[i].text), -1);
		assert_non_null(strstr(why, rows[i].place));
	}
}

static void watts_become_milliwatts(void **state)
{
	static const struct {
		const char *text;
		uint64_t power_mw;
		const char *rest;
	} rows[] = {
		{"0", 0, ""},
		{"312.75 W", 312750, " W"},
		{".5", 500, ""},
		{"7.", 7000, ""},
		{"1.2344999", 1234, ""},
		{"1.2345", 1235, ""},
		{"0.0019999", 2, ""},
		{"999999999", 999999999000, ""},
	};
	static const char *const wrong[] = {"", "-1", ".", "W", "[N/A]", "99999999999999999999"};
	uint64_t power_mw;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *rest = watts_parse_mw(rows[i].text, &power_mw);

		assert_non_null(rest);
		assert_string_equal(rest, rows[i].rest);
		assert_int_equal(power_mw, rows[i].power_mw);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_null(watts_parse_mw(wrong[i], &power_mw));
}

static void a_missing_file_is_named(void **state)
{
	struct recorded_file file;

	(void)state;
	assert_int_equal(recorded_csv_read(&file, "/no/such.file", why, sizeof(why)), -1);
	assert_non_null(strstr(why, "/no/such.file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(series_are_kept_apart),
		cmocka_unit_test(a_header_says_energy),
		cmocka_unit_test(bad_lines_are_named),
		cmocka_unit_test(what_nvidia_smi_writes),
		cmocka_unit_test(what_nvidia_smi_writes_of_two_gpus_without_units),
		cmocka_unit_test(several_gpus_need_a_column_that_tells_them_apart),
		cmocka_unit_test(bad_lines_of_nvidia_smi_are_named),
		cmocka_unit_test(watts_become_milliwatts),
		cmocka_unit_test(a_missing_file_is_named),
	};

	return cmocka_run_group_tests_name("recorded_csv", tests, NULL, NULL);
}
