/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pwrtrace/units.h"
#include "tests/unit/preload/taken.h"
#include "tests/unit/preload/tree.h"

#define RANGE_UJ 262143328850ULL /* of a real package */
#define POLL_NS (10 * PWRTRACE_NS_PER_MS)

static void put_zone(const char *zone, const char *name, const char *energy_uj)
{
	tree_put(name, "class/powercap/%s/name", zone);
	tree_put("262143328850", "class/powercap/%s/max_energy_range_uj", zone);
	tree_put(energy_uj, "class/powercap/%s/energy_uj", zone);
}

static void put_energy(const char *energy_uj)
{
	tree_put(energy_uj, "class/powercap/intel-rapl:0/energy_uj");
}

static uint64_t read_uj(void *rapl, size_t i)
{
	assert_true(read_sensor(&power_rapl, rapl, i));
	return taken_value;
}

static void every_zone_has_its_place(void **state)
{
	static const struct {
		const char *zone, *name, *domain, *part_of;
	} rows[] = {
		{"intel-rapl:0", "package-0", "package-0", ""},
		{"intel-rapl:0:0", "core", "core-0", "package-0"},
		{"intel-rapl:0:1", "uncore", "uncore-0", "package-0"},
		{"intel-rapl:0:2", "dram", "dram-0", ""},
		{"intel-rapl:1", "package-1-die-0", "package-1-die-0", ""},
		{"intel-rapl:1:0", "dram", "dram-1-die-0", ""},
		{"intel-rapl:2", "psys", "psys", "*"},
		{"intel-rapl:3", "something new", "something new", "*"},
	};
	const size_t count = sizeof(rows) / sizeof(*rows);
	const struct power_sensor *sensors;
	void *rapl;

	(void)state;
	for (size_t i = 0; i < count; i++)
		put_zone(rows[i].zone, rows[i].name, "1000");
	put_zone("intel-rapl-mmio:0", "package-0", "1000");
	rapl = power_rapl.open("", why);
	assert_non_null(rapl);
	assert_int_equal(power_rapl.sensors(rapl, &sensors), count);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(sensors[i].domain, rows[i].domain);
		assert_string_equal(sensors[i].part_of, rows[i].part_of);
		assert_null(sensors[i].problem);
	}
	power_rapl.close(rapl);
}

static void nothing_there_is_said(void **state)
{
	(void)state;
	assert_null(power_rapl.open("", why));
	assert_non_null(strstr(why, tree_root));
	assert_null(strchr(why, '\n'));
}

static void what_is_missing_is_a_problem_of_its_zone_alone(void **state)
{
	const struct power_sensor *sensors;
	void *rapl;

	(void)state;
	put_zone("intel-rapl:0", "package-0", "1000");
	put_zone("intel-rapl:1", "package-1", "junk");
	put_zone("intel-rapl:2", "package-2", "1000");
	tree_remove("class/powercap/intel-rapl:2/max_energy_range_uj");
	rapl = power_rapl.open("", why);
	assert_int_equal(power_rapl.sensors(rapl, &sensors), 3);
	assert_null(sensors[0].problem);
	assert_non_null(strstr(sensors[1].problem, "intel-rapl:1/energy_uj: "));
	assert_non_null(strstr(sensors[2].problem, "intel-rapl:2/max_energy_range_uj: "));
	power_rapl.close(rapl);
}

/* An hour of a package that draws 400 W, read every 10 ms: the counter wraps six times. */
static void an_hour_loses_no_wrap(void **state)
{
	const uint64_t step_uj = 4000000, steps = 3600 * PWRTRACE_NS_PER_S / POLL_NS;
	uint64_t counter_uj = RANGE_UJ - 1000000000, wraps = 0;
	char path[TREE_PATH_MAX], text[32];
	void *rapl;
	int fd;

	(void)state;
	put_zone("intel-rapl:0", "package-0", "0");
	tree_path(path, "class/powercap/intel-rapl:0/energy_uj");
	fd = open(path, O_WRONLY);
	rapl = power_rapl.open("", why);
	for (uint64_t i = 0; i <= steps; i++) {
		int length =
			snprintf(text, sizeof(text), "%012llu\n", (unsigned long long)counter_uj);

		assert_int_equal(pwrite(fd, text, length, 0), length);
		assert_int_equal(read_uj(rapl, 0), i * step_uj);
		counter_uj += step_uj;
		wraps += counter_uj > RANGE_UJ;
		counter_uj -= counter_uj > RANGE_UJ ? RANGE_UJ : 0;
	}
	assert_int_equal(wraps, 6);
	close(fd);
	power_rapl.close(rapl);
}

static void what_began_anew_is_seen_to_fall(void **state)
{
	void *rapl;

	(void)state;
	put_zone("intel-rapl:0", "package-0", "100000000");
	rapl = power_rapl.open("", why);
	read_uj(rapl, 0);
	put_energy("100005000");
	assert_int_equal(read_uj(rapl, 0), 5000);
	/* As after hibernation: no wrap, which would be 262 kJ at once. */
	put_energy("7000");
	assert_int_equal(read_uj(rapl, 0), 0);
	put_energy("8000");
	assert_int_equal(read_uj(rapl, 0), 1000);
	power_rapl.close(rapl);
}

static void a_zone_that_vanishes_is_said_once(void **state)
{
	const struct power_note *note;
	void *rapl;

	(void)state;
	put_zone("intel-rapl:0", "package-0", "1000");
	rapl = power_rapl.open("", why);
	read_uj(rapl, 0);
	assert_null(power_rapl.note(rapl, 0));
	tree_vanish("class/powercap/intel-rapl:0/energy_uj");
	assert_false(read_sensor(&power_rapl, rapl, 0));
	assert_false(read_sensor(&power_rapl, rapl, 0));
	note = power_rapl.note(rapl, 0);
	assert_string_equal(note->what, "energy_counter");
	assert_non_null(strstr(note->why, "package-0: "));
	assert_null(power_rapl.note(rapl, 1));
	power_rapl.close(rapl);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(every_zone_has_its_place),
		TREE_TEST(nothing_there_is_said),
		TREE_TEST(what_is_missing_is_a_problem_of_its_zone_alone),
		TREE_TEST(an_hour_loses_no_wrap),
		TREE_TEST(what_began_anew_is_seen_to_fall),
		TREE_TEST(a_zone_that_vanishes_is_said_once),
	};

	return cmocka_run_group_tests_name("rapl", tests, NULL, NULL);
}
