/* SPDX-License-Identifier: MIT */
/* The source of AMD's power, on tables of gpu_metrics v1.3, v1.7 and v2.1; test_amd_metrics.c
 * checks their layouts. */
#include <stdbool.h>
#include <string.h>

#include "pwrtrace/units.h"
#include "tests/unit/preload/taken.h"
#include "tests/unit/preload/tree.h"

#define DEVICE "class/drm/card0/device"
#define TABLE DEVICE "/gpu_metrics"

enum { TABLE_MAX = 4096 };

struct place {
	size_t offset, bytes;
};

static const struct place energy_1_3 = {24, 8}, power_1_3 = {22, 2}, energy = {24, 8},
			  stamp = {288, 8}, power = {10, 2}, temperature = {4, 2}, clock = {296, 2},
			  residency = {48, 4}, apu_power = {40, 2}, apu_gfx = {46, 2};

static uint8_t table[TABLE_MAX];
static size_t table_size;

static bool read_one(void *amd, size_t i)
{
	return read_sensor(&power_amd, amd, i);
}

static void begin_table(size_t size, uint8_t format, uint8_t content)
{
	memset(table, 0xff, sizeof(table));
	memcpy(table, &(uint16_t){(uint16_t)size}, 2);
	table[2] = format;
	table[3] = content;
	table_size = size;
}

static void set(struct place place, uint64_t value)
{
	memcpy(table + place.offset, &value, place.bytes);
}

static void put_table(void)
{
	char path[TREE_PATH_MAX];

	tree_path(path, TABLE);
	tree_write(path, table, table_size);
}

static void put_card(void)
{
	tree_put("DRIVER=amdgpu\nPCI_ID=1002:74A1\nPCI_SLOT_NAME=0000:c1:00.0", DEVICE "/uevent");
}

/* The table of an MI300, which has energy with a time stamp. */
static void put_accelerator(uint64_t units, uint64_t stamp_10ns)
{
	put_card();
	begin_table(2208, 1, 7);
	set(energy, units);
	set(stamp, stamp_10ns);
	set(power, 500);
	put_table();
}

static void an_accelerator_counts_energy(void **state)
{
	const struct power_sensor *sensors;
	uint64_t first_ns;
	void *amd;

	(void)state;
	tree_put("0123456789abcdef", DEVICE "/unique_id");
	tree_put("AMD Instinct MI300X", DEVICE "/product_name");
	put_accelerator(1000000, 100);
	amd = power_amd.open("", why);
	assert_non_null(amd);
	assert_int_equal(power_amd.sensors(amd, &sensors), 3);
	is_sensor(&sensors[0], "gpu", "", "energy");
	is_sensor(&sensors[1], "gpu", "", "power");
	is_sensor(&sensors[2], "gpu", "", "state");
	assert_string_equal(sensors[0].device, "GPU-0123456789abcdef");
	assert_string_equal(sensors[0].device_name, "AMD Instinct MI300X");
	assert_string_equal(sensors[0].pci, "0000:c1:00.0");
	assert_int_equal(strncmp(sensors[0].driver, "amdgpu", 6), 0);

	assert_true(read_one(amd, 0));
	assert_int_equal(taken_value, 0);
	first_ns = taken_ns;
	/* The driver's table is still the same. */
	assert_false(read_one(amd, 0));
	/* 65536 units of energy are a joule and 100 units of its stamp 1 µs, whenever we read it.
	 */
	put_accelerator(1000000 + 65536, 200);
	assert_true(read_one(amd, 0));
	assert_int_equal(taken_value, 1000000);
	assert_int_equal(taken_ns - first_ns, 1000);
	assert_true(read_one(amd, 1));
	assert_int_equal(taken_value, 500000);
	power_amd.close(amd);
}

static void a_card_has_power(void **state)
{
	const struct power_sensor *sensors;
	void *amd;

	(void)state;
	put_card();
	begin_table(120, 1, 3);
	set(energy_1_3, 77);
	set(power_1_3, 211);
	put_table();
	tree_put("180000000", DEVICE "/hwmon/hwmon2/power1_average");
	amd = power_amd.open("", why);
	/* No source says what the accumulator of such a card counts. */
	assert_int_equal(power_amd.sensors(amd, &sensors), 2);
	is_sensor(&sensors[0], "gpu", "", "power");
	assert_string_equal(sensors[0].device, "0000:c1:00.0");
	assert_string_equal(sensors[0].device_name, "AMD GPU 1002:74A1");
	assert_true(read_one(amd, 0));
	assert_int_equal(taken_value, 211000);
	power_amd.close(amd);
}

static void hwmon_where_the_table_has_no_power(void **state)
{
	const struct power_sensor *sensors;
	void *amd;

	(void)state;
	put_card();
	begin_table(120, 1, 3);
	put_table();
	tree_put("180000999", DEVICE "/hwmon/hwmon2/power1_average");
	amd = power_amd.open("", why);
	assert_int_equal(power_amd.sensors(amd, &sensors), 2);
	assert_true(read_one(amd, 0));
	assert_int_equal(taken_value, 180000);
	power_amd.close(amd);

	tree_put("95000000", DEVICE "/hwmon/hwmon2/power1_input");
	tree_remove(TABLE);
	amd = power_amd.open("", why);
	assert_int_equal(power_amd.sensors(amd, &sensors), 1);
	is_sensor(&sensors[0], "gpu", "", "power");
	assert_true(read_one(amd, 0));
	assert_int_equal(taken_value, 95000);
	power_amd.close(amd);
}

static void an_apu_holds_the_cpu(void **state)
{
	const struct power_sensor *sensors;
	void *amd;

	(void)state;
	put_card();
	begin_table(120, 2, 1);
	set(apu_power, 28000);
	set(apu_gfx, 15000);
	put_table();
	amd = power_amd.open("", why);
	assert_int_equal(power_amd.sensors(amd, &sensors), 3);
	is_sensor(&sensors[0], "socket", "", "power");
	is_sensor(&sensors[1], "gfx", "socket", "power");
	is_sensor(&sensors[2], "socket", "", "state");
	assert_true(sensors[0].holds_cpu);
	assert_false(sensors[1].holds_cpu);
	assert_true(read_one(amd, 1));
	assert_int_equal(taken_value, 15000);
	power_amd.close(amd);
}

static void a_state_says_what_throttled_meanwhile(void **state)
{
	void *amd;

	(void)state;
	put_accelerator(0, 0);
	set(temperature, 81);
	set(clock, 2100);
	set(residency, 10);
	put_table();
	tree_put("750000000", DEVICE "/hwmon/hwmon2/power1_cap");
	amd = power_amd.open("", why);
	assert_true(read_one(amd, 2));
	assert_int_equal(taken_state.temperature_c, 81);
	assert_int_equal(taken_state.sm_clock_mhz, 2100);
	assert_int_equal(taken_state.limit_mw, 750000);
	assert_int_equal(taken_state.memory_clock_mhz, PWRTRACE_UNKNOWN_U32);
	assert_int_equal(taken_state.sm_percent, PWRTRACE_UNKNOWN_U32);
	assert_true(taken_state.throttle_reasons == PWRTRACE_UNKNOWN_U64);
	set(residency, 12);
	put_table();
	assert_true(read_one(amd, 2));
	assert_true(taken_state.throttle_reasons == 1);
	assert_true(read_one(amd, 2));
	assert_true(taken_state.throttle_reasons == 0);
	power_amd.close(amd);
}

static void has_problem(const char *text)
{
	const struct power_sensor *sensors;
	void *amd = power_amd.open("", why);

	assert_non_null(amd);
	assert_int_equal(power_amd.sensors(amd, &sensors), 1);
	assert_non_null(sensors[0].problem);
	assert_non_null(strstr(sensors[0].problem, text));
	assert_null(strchr(sensors[0].problem, '\n'));
	power_amd.close(amd);
}

static void a_card_that_says_nothing_has_a_problem(void **state)
{
	(void)state;
	assert_null(power_amd.open("", why));
	assert_non_null(strstr(why, "amdgpu"));
	put_card();
	has_problem("gpu_metrics: No such file or directory");
	begin_table(120, 1, 3);
	put_table();
	has_problem("says no power");
	begin_table(120, 7, 2);
	put_table();
	has_problem("7.2");
}

static void a_card_that_vanishes_is_said_once(void **state)
{
	void *amd;

	(void)state;
	put_accelerator(5, 6);
	amd = power_amd.open("", why);
	assert_true(read_one(amd, 0));
	tree_vanish(TABLE);
	for (size_t i = 0; i < 3; i++)
		assert_false(read_one(amd, i));
	assert_non_null(strstr(power_amd.note(amd, 0)->why, "0000:c1:00.0: "));
	assert_null(power_amd.note(amd, 1));
	power_amd.close(amd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(an_accelerator_counts_energy),
		TREE_TEST(a_card_has_power),
		TREE_TEST(hwmon_where_the_table_has_no_power),
		TREE_TEST(an_apu_holds_the_cpu),
		TREE_TEST(a_state_says_what_throttled_meanwhile),
		TREE_TEST(a_card_that_says_nothing_has_a_problem),
		TREE_TEST(a_card_that_vanishes_is_said_once),
	};

	return cmocka_run_group_tests_name("amd", tests, NULL, NULL);
}
