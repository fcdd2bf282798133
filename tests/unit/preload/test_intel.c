/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <string.h>

#include "pwrtrace/units.h"
#include "tests/unit/preload/taken.h"
#include "tests/unit/preload/tree.h"

#define DEVICE "class/drm/card1/device"
#define XE_THROTTLE DEVICE "/tile0/gt0/freq0/throttle"

static bool read_one(void *intel, size_t i)
{
	return read_sensor(&power_intel, intel, i);
}

static void put_card(const char *driver)
{
	char uevent[256];

	snprintf(uevent, sizeof(uevent), "DRIVER=%s\nPCI_ID=8086:E20B\nPCI_SLOT_NAME=0000:03:00.0",
		driver);
	tree_put(uevent, DEVICE "/uevent");
	tree_put("a connector", "class/drm/card1-DP-1/device/uevent");
}

static void put_xe(void)
{
	put_card("xe");
	tree_put("xe", DEVICE "/hwmon/hwmon4/name");
	tree_put("1000000", DEVICE "/hwmon/hwmon4/energy1_input");
	tree_put("card", DEVICE "/hwmon/hwmon4/energy1_label");
	tree_put("600000", DEVICE "/hwmon/hwmon4/energy2_input");
	tree_put("pkg", DEVICE "/hwmon/hwmon4/energy2_label");
}

static void a_card_and_its_package(void **state)
{
	const struct power_sensor *sensors;
	void *intel;

	(void)state;
	put_xe();
	intel = power_intel.open("", why);
	assert_non_null(intel);
	assert_int_equal(power_intel.sensors(intel, &sensors), 3);
	assert_string_equal(sensors[0].device, "0000:03:00.0");
	is_sensor(&sensors[0], "gpu", "", "energy");
	is_sensor(&sensors[1], "pkg", "gpu", "energy");
	is_sensor(&sensors[2], "gpu", "", "state");
	assert_string_equal(sensors[0].device_name, "Intel GPU 8086:E20B");
	assert_int_equal(strncmp(sensors[0].driver, "xe", 2), 0);
	assert_true(read_one(intel, 0));
	assert_int_equal(taken_value, 0);
	tree_put("1250000", DEVICE "/hwmon/hwmon4/energy1_input");
	assert_true(read_one(intel, 0));
	assert_int_equal(taken_value, 250000);
	/* The driver was loaded anew. */
	tree_put("17", DEVICE "/hwmon/hwmon4/energy1_input");
	assert_true(read_one(intel, 0));
	assert_int_equal(taken_value, 0);
	power_intel.close(intel);
}

static void a_package_alone_stands_for_itself(void **state)
{
	const struct power_sensor *sensors;
	void *intel;

	(void)state;
	put_xe();
	tree_remove(DEVICE "/hwmon/hwmon4/energy1_input");
	intel = power_intel.open("", why);
	assert_int_equal(power_intel.sensors(intel, &sensors), 2);
	is_sensor(&sensors[0], "pkg", "", "energy");
	power_intel.close(intel);
}

static void tiles_of_i915(void **state)
{
	const struct power_sensor *sensors;
	void *intel;

	(void)state;
	put_card("i915");
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = {"i915", "i915_gt0", "i915_gt1"};

		tree_put(names[i], DEVICE "/hwmon/hwmon%d/name", i);
		tree_put("5", DEVICE "/hwmon/hwmon%d/energy1_input", i);
	}
	intel = power_intel.open("", why);
	assert_int_equal(power_intel.sensors(intel, &sensors), 4);
	is_sensor(&sensors[0], "gpu", "", "energy");
	is_sensor(&sensors[1], "gt0", "gpu", "energy");
	is_sensor(&sensors[2], "gt1", "gpu", "energy");
	power_intel.close(intel);
}

static void a_state_by_xe(void **state)
{
	void *intel;

	(void)state;
	put_xe();
	tree_put("2850", DEVICE "/tile0/gt0/freq0/act_freq");
	tree_put("190000000", DEVICE "/hwmon/hwmon4/power1_max");
	tree_put("vram", DEVICE "/hwmon/hwmon4/temp2_label");
	tree_put("77000", DEVICE "/hwmon/hwmon4/temp2_input");
	tree_put("pkg", DEVICE "/hwmon/hwmon4/temp3_label");
	tree_put("66000", DEVICE "/hwmon/hwmon4/temp3_input");
	tree_put("1", XE_THROTTLE "/status");
	tree_put("1", XE_THROTTLE "/reason_pl1");
	tree_put("0", XE_THROTTLE "/reason_pl2");
	tree_put("1", XE_THROTTLE "/reason_thermal");
	intel = power_intel.open("", why);
	assert_true(read_one(intel, 2));
	assert_int_equal(taken_state.sm_clock_mhz, 2850);
	assert_int_equal(taken_state.limit_mw, 190000);
	assert_int_equal(taken_state.temperature_c, 66);
	assert_int_equal(taken_state.throttle_reasons, 1 | 1 << 3);
	assert_int_equal(taken_state.memory_clock_mhz, PWRTRACE_UNKNOWN_U32);
	tree_put("0", XE_THROTTLE "/status");
	tree_put("0", DEVICE "/hwmon/hwmon4/power1_max");
	assert_true(read_one(intel, 2));
	assert_int_equal(taken_state.throttle_reasons, 0);
	assert_int_equal(taken_state.limit_mw, PWRTRACE_UNKNOWN_U32);
	power_intel.close(intel);
}

static void a_state_of_absent_files_is_unknown(void **state)
{
	void *intel;

	(void)state;
	put_xe();
	intel = power_intel.open("", why);
	assert_true(read_one(intel, 2));
	assert_int_equal(taken_state.sm_clock_mhz, PWRTRACE_UNKNOWN_U32);
	assert_int_equal(taken_state.limit_mw, PWRTRACE_UNKNOWN_U32);
	assert_int_equal(taken_state.temperature_c, PWRTRACE_UNKNOWN_U32);
	assert_true(taken_state.throttle_reasons == PWRTRACE_UNKNOWN_U64);
	power_intel.close(intel);
}

static void a_clock_by_i915(void **state)
{
	void *intel;

	(void)state;
	put_card("i915");
	tree_put("i915", DEVICE "/hwmon/hwmon0/name");
	tree_put("5", DEVICE "/hwmon/hwmon0/energy1_input");
	tree_put("2100", DEVICE "/drm/card1/gt/gt0/rps_act_freq_mhz");
	tree_put("1", DEVICE "/drm/card1/gt/gt0/throttle_reason_status");
	tree_put("1", DEVICE "/drm/card1/gt/gt0/throttle_reason_vr_tdc");
	intel = power_intel.open("", why);
	assert_true(read_one(intel, 1));
	assert_int_equal(taken_state.sm_clock_mhz, 2100);
	assert_int_equal(taken_state.throttle_reasons, 1 << 7);
	power_intel.close(intel);
}

static void no_card_is_said(void **state)
{
	(void)state;
	assert_null(power_intel.open("", why));
	assert_null(strchr(why, '\n'));
	/* Graphics within a processor have no counter. */
	put_card("i915");
	assert_null(power_intel.open("", why));
}

static void a_counter_that_cannot_be_read_is_a_problem(void **state)
{
	const struct power_sensor *sensors;
	void *intel;

	(void)state;
	put_xe();
	tree_put("junk", DEVICE "/hwmon/hwmon4/energy1_input");
	intel = power_intel.open("", why);
	power_intel.sensors(intel, &sensors);
	assert_non_null(strstr(sensors[0].problem, "hwmon4/energy1_input: "));
	is_sensor(&sensors[1], "pkg", "", "energy");
	power_intel.close(intel);
}

static void a_card_that_vanishes_is_said_once(void **state)
{
	void *intel;

	(void)state;
	put_xe();
	intel = power_intel.open("", why);
	tree_vanish(DEVICE "/hwmon/hwmon4/energy1_input");
	tree_vanish(DEVICE "/hwmon/hwmon4/energy2_input");
	for (size_t i = 0; i < 2; i++) {
		assert_false(read_one(intel, i));
		assert_false(read_one(intel, i));
	}
	assert_non_null(strstr(power_intel.note(intel, 0)->why, "0000:03:00.0: "));
	assert_null(power_intel.note(intel, 1));
	power_intel.close(intel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_card_and_its_package),
		TREE_TEST(a_package_alone_stands_for_itself),
		TREE_TEST(tiles_of_i915),
		TREE_TEST(a_state_by_xe),
		TREE_TEST(a_state_of_absent_files_is_unknown),
		TREE_TEST(a_clock_by_i915),
		TREE_TEST(no_card_is_said),
		TREE_TEST(a_counter_that_cannot_be_read_is_a_problem),
		TREE_TEST(a_card_that_vanishes_is_said_once),
	};

	return cmocka_run_group_tests_name("intel", tests, NULL, NULL);
}
