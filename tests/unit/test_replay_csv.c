/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/power/replay_csv.h"
#include "pwrtrace/units.h"
#include "tests/unit/unit.h"

#define POWER_HEADER "time_ns,device,domain,power_mw\n"
#define ENERGY_HEADER "time_ns,device,domain,energy_uj\n"

static char why[512];

static int read_text(struct replay_csv *csv, const char *text)
{
	char path[] = "/tmp/pwrtrace-test-XXXXXX";
	int fd = mkstemp(path), result;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	memset(csv, 0, sizeof(*csv));
	why[0] = 0;
	result = replay_csv_read(csv, path, why, sizeof(why));
	unlink(path);
	return result;
}

static void series_are_kept_apart(void **state)
{
	struct replay_csv csv;

	(void)state;
	assert_int_equal(read_text(&csv, POWER_HEADER "0,cpu,package-0,1000\n"
						      "0,\"my \"\"gpu\"\", 2\",gpu,5\n"
						      "100,cpu,package-0,2000\n"
						      "300,cpu,package-0,3000\r\n"),
		0);
	assert_false(csv.is_energy);
	assert_int_equal(csv.count, 2);
	assert_int_equal(csv.series[0].count, 3);
	assert_int_equal(csv.series[0].rows[2].time_ns, 300);
	assert_int_equal(csv.series[0].rows[2].value, 3000);
	assert_string_equal(csv.series[1].device, "my \"gpu\", 2");
	assert_string_equal(csv.series[1].domain, "gpu");
	assert_true(csv.series[1].period_ns == PWRTRACE_UNKNOWN_U64);
	replay_csv_free(&csv);
}

static void a_header_says_energy(void **state)
{
	struct replay_csv csv;

	(void)state;
	assert_int_equal(read_text(&csv, ENERGY_HEADER "0,gpu,gpu,10\n5,gpu,gpu,10\n"), 0);
	assert_true(csv.is_energy);
	assert_int_equal(csv.series[0].period_ns, 5);
	replay_csv_free(&csv);
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
		struct replay_csv csv;

		assert_int_equal(read_text(&csv, rows[i].text), -1);
		assert_non_null(strstr(why, rows[i].place));
		assert_null(strchr(why, '\n'));
		assert_true(*why);
	}
}

static void a_missing_file_is_named(void **state)
{
	struct replay_csv csv;

	(void)state;
	assert_int_equal(replay_csv_read(&csv, "/no/such.csv", why, sizeof(why)), -1);
	assert_non_null(strstr(why, "/no/such.csv"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(series_are_kept_apart),
		cmocka_unit_test(a_header_says_energy),
		cmocka_unit_test(bad_lines_are_named),
		cmocka_unit_test(a_missing_file_is_named),
	};

	return cmocka_run_group_tests_name("replay_csv", tests, NULL, NULL);
}
