/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/power/external/meter.h"
#include "tests/unit/unit.h"

#define TAKEN_MAX 64

static struct meter_value taken[TAKEN_MAX];
static size_t taken_count;

static void take(const struct power_sink *sink, uint64_t time_ns, uint64_t value)
{
	(void)sink;
	assert_true(taken_count < TAKEN_MAX);
	taken[taken_count++] = (struct meter_value){time_ns, value};
}

static void write_all(struct meter *meter)
{
	struct power_sink sink = {.value = take};

	taken_count = 0;
	meter_write(meter, 0, &sink);
}

/* Returns the end to write into. */
static int begin(struct meter *meter)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	*meter = (struct meter){0};
	meter_begin(meter, fds[0], "/opt/lab/meter1 --all /dev/ttyACM0");
	return fds[1];
}

static void say(int fd, const char *text)
{
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static void lines_are_values_comments_or_wrong(void **state)
{
	static const struct {
		const char *line;
		int result;
		uint64_t time_ns, power_mw;
	} rows[] = {
		{"12.5", 1, PWRTRACE_UNKNOWN_U64, 12500},
		{"  12.5\r", 1, PWRTRACE_UNKNOWN_U64, 12500},
		{"1000 12.5", 1, 1000, 12500},
		{"1000,12.5", 1, 1000, 12500},
		{"1000;\t12.5 ", 1, 1000, 12500},
		{"", 0, 0, 0},
		{"# time watts", 0, 0, 0},
		{"time watts", -1, 0, 0},
		{"1 2 3", -1, 0, 0},
		{"1.5 2", -1, 0, 0},
		{"12 W", -1, 0, 0},
		{"-1", -1, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct meter_value value;

		assert_int_equal(meter_parse(rows[i].line, &value), rows[i].result);
		if (rows[i].result != 1)
			continue;
		assert_true(value.time_ns == rows[i].time_ns);
		assert_int_equal(value.power_mw, rows[i].power_mw);
	}
}

static void it_measures_beside_the_others(void **state)
{
	const struct power_sensor *sensor;
	struct meter meter;
	int fd = begin(&meter);

	(void)state;
	assert_int_equal(meter_sensors(&meter, &sensor), 1);
	assert_string_equal(sensor->domain, "meter1");
	assert_string_equal(sensor->device, "*");
	assert_string_equal(sensor->part_of, "*");
	close(fd);
	meter_end(&meter);
}

static void meters_of_one_program_are_domains_of_their_own(void **state)
{
	static const char long_name[] =
		"a-name-that-is-longer-than-what-a-domain-may-have-in-all-of-its-characters";
	struct meter meters[3], longer[2];
	int fd;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		close(begin(&meters[i]));
	assert_string_equal(meters[0].sensor.domain, "meter1");
	assert_string_equal(meters[1].sensor.domain, "meter1-2");
	assert_string_equal(meters[2].sensor.domain, "meter1-3");
	meter_end(&meters[1]);
	fd = begin(&meters[1]);
	assert_string_equal(meters[1].sensor.domain, "meter1-2");
	close(fd);
	for (size_t i = 0; i < 2; i++) {
		longer[i] = (struct meter){0};
		meter_begin(&longer[i], dup(0), long_name);
	}
	assert_string_not_equal(longer[0].sensor.domain, longer[1].sensor.domain);
	for (size_t i = 0; i < 2; i++)
		meter_end(&longer[i]);
	for (size_t i = 0; i < 3; i++)
		meter_end(&meters[i]);
}

static void lines_without_a_time_are_spread(void **state)
{
	uint64_t begin_ns = clock_now_ns(), end_ns;
	struct meter meter;
	int fd = begin(&meter);

	(void)state;
	say(fd, "100\n101\n102\n10");
	assert_true(meter_read(&meter));
	say(fd, "3\n");
	assert_true(meter_read(&meter));
	end_ns = clock_now_ns();
	write_all(&meter);
	assert_int_equal(taken_count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(taken[i].power_mw, 100000 + i * 1000);
		assert_in_range(taken[i].time_ns, i ? taken[i - 1].time_ns + 1 : begin_ns, end_ns);
	}
	write_all(&meter);
	assert_int_equal(taken_count, 0);
	close(fd);
	meter_end(&meter);
}

/* Two values that are a second apart by the meter's own clock, whatever its epoch. */
static void check_clock(uint64_t stamp_ns, uint64_t expected_ns, uint64_t slack_ns)
{
	char lines[128];
	struct meter meter;
	int fd = begin(&meter);

	snprintf(lines, sizeof(lines), "%llu 5\n%llu 6\n%llu 7\n",
		(unsigned long long)(stamp_ns - PWRTRACE_NS_PER_S), (unsigned long long)stamp_ns,
		(unsigned long long)stamp_ns);
	say(fd, lines);
	assert_true(meter_read(&meter));
	write_all(&meter);
	/* A value whose time does not increase is not taken. */
	assert_int_equal(taken_count, 2);
	assert_in_range(taken[1].time_ns, expected_ns - slack_ns, expected_ns + slack_ns);
	assert_int_equal(taken[1].power_mw, 6000);
	close(fd);
	meter_end(&meter);
}

static void times_are_of_any_clock(void **state)
{
	uint64_t now_ns = clock_now_ns();

	(void)state;
	check_clock(now_ns, now_ns, 0);
	check_clock(now_ns + (uint64_t)clock_realtime_offset_ns(), now_ns, PWRTRACE_NS_PER_S / 10);
}

static void a_clock_of_its_own_is_placed_by_when_lines_come(void **state)
{
	uint64_t begin_ns = clock_now_ns();
	struct meter meter;
	int fd = begin(&meter);

	(void)state;
	say(fd, "7777777000000000000 5\n");
	assert_true(meter_read(&meter));
	say(fd, "7777777000000000100 6\n");
	assert_true(meter_read(&meter));
	write_all(&meter);
	assert_int_equal(taken_count, 2);
	assert_in_range(taken[0].time_ns, begin_ns, clock_now_ns());
	assert_int_equal(taken[1].time_ns - taken[0].time_ns, 100);
	close(fd);
	meter_end(&meter);
}

static void what_is_no_line_is_said_once(void **state)
{
	struct meter meter;
	int fd = begin(&meter);

	(void)state;
	say(fd, "watts:\n100\nwatts:\n");
	assert_true(meter_read(&meter));
	write_all(&meter);
	assert_int_equal(taken_count, 1);
	assert_non_null(strstr(meter_note(&meter, 0)->why, "meter1 wrote \"watts:\""));
	assert_null(meter_note(&meter, 1));
	close(fd);
	assert_false(meter_read(&meter));
	meter_end(&meter);
}

static void a_line_without_end_does_no_harm(void **state)
{
	char bytes[1000];
	struct meter meter;
	int fd = begin(&meter);

	(void)state;
	memset(bytes, '7', sizeof(bytes));
	assert_int_equal(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
	say(fd, "\n5\n");
	assert_true(meter_read(&meter));
	write_all(&meter);
	assert_int_equal(taken_count, 1);
	assert_int_equal(taken[0].power_mw, 5000);
	close(fd);
	meter_end(&meter);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_values_comments_or_wrong),
		cmocka_unit_test(it_measures_beside_the_others),
		cmocka_unit_test(meters_of_one_program_are_domains_of_their_own),
		cmocka_unit_test(lines_without_a_time_are_spread),
		cmocka_unit_test(times_are_of_any_clock),
		cmocka_unit_test(a_clock_of_its_own_is_placed_by_when_lines_come),
		cmocka_unit_test(what_is_no_line_is_said_once),
		cmocka_unit_test(a_line_without_end_does_no_harm),
	};

	return cmocka_run_group_tests_name("meter", tests, NULL, NULL);
}
