/* SPDX-License-Identifier: MIT */
#include "preload/power/nvml/nvml_samples.h"
#include "pwrtrace/units.h"
#include "tests/unit/unit.h"

#define OFFSET_NS INT64_C(1700000000000000000)
#define STAMP_US(time_ns) ((unsigned long long)((OFFSET_NS + (time_ns)) / 1000))
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct nvml_sample sample(uint64_t time_ns, unsigned int power_mw)
{
	return (struct nvml_sample){STAMP_US(time_ns), {.uiVal = power_mw}};
}

static size_t convert(struct nvml_power *power, const struct nvml_sample *samples, size_t count,
	uint64_t after_ns, uint64_t until_ns)
{
	return nvml_convert(
		power, samples, count, NVML_VALUE_TYPE_UNSIGNED_INT, OFFSET_NS, after_ns, until_ns);
}

static void stamps_are_moved_to_the_trace_s_clock(void **state)
{
	const struct nvml_sample samples[] = {sample(1000000, 80000), sample(21000000, 90000)};
	struct nvml_power power[COUNT(samples)];

	(void)state;
	assert_int_equal(convert(power, samples, COUNT(samples), 0, UINT32_MAX), 2);
	assert_int_equal(power[0].time_ns, 1000000);
	assert_int_equal(power[0].power_mw, 80000);
	assert_int_equal(power[1].time_ns, 21000000);
	assert_int_equal(power[1].power_mw, 90000);
}

static void samples_are_taken_once(void **state)
{
	const struct nvml_sample samples[] = {sample(1000000, 1), sample(2000000, 2),
		sample(2000000, 3), sample(3000000, 4), sample(4000000, 5)};
	struct nvml_power power[COUNT(samples)];

	(void)state;
	assert_int_equal(convert(power, samples, COUNT(samples), 1000000, 3000000), 2);
	assert_int_equal(power[0].power_mw, 2);
	assert_int_equal(power[1].power_mw, 4);
	assert_int_equal(convert(power, samples, COUNT(samples), 4000000, 5000000), 0);
	assert_int_equal(convert(power, samples, 0, 0, 5000000), 0);
}

/* Stamps from before the clock was set lie in the future, or before the epoch of the trace. */
static void stamps_of_another_clock_are_left_out(void **state)
{
	const struct nvml_sample samples[] = {
		sample(3600 * PWRTRACE_NS_PER_S, 1), {1000, {.uiVal = 2}}, sample(2000000, 3)};
	struct nvml_power power[COUNT(samples)];

	(void)state;
	assert_int_equal(convert(power, samples, COUNT(samples), 0, 5000000), 1);
	assert_int_equal(power[0].power_mw, 3);
}

static void values_of_all_types(void **state)
{
	static const struct {
		unsigned int type;
		union nvml_value value;
		uint64_t expected;
	} cases[] = {
		{NVML_VALUE_TYPE_DOUBLE, {.dVal = 71234.9}, 71234},
		{NVML_VALUE_TYPE_DOUBLE, {.dVal = -1}, PWRTRACE_UNKNOWN_U64},
		{NVML_VALUE_TYPE_UNSIGNED_INT, {.uiVal = 4000000000U}, 4000000000U},
		{NVML_VALUE_TYPE_UNSIGNED_LONG, {.ulVal = 5000000000UL}, 5000000000UL},
		{NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, {.ullVal = 5000000001ULL}, 5000000001ULL},
		{NVML_VALUE_TYPE_SIGNED_LONG_LONG, {.sllVal = 5000000002LL}, 5000000002ULL},
		{NVML_VALUE_TYPE_SIGNED_LONG_LONG, {.sllVal = -1}, PWRTRACE_UNKNOWN_U64},
		{NVML_VALUE_TYPE_SIGNED_INT, {.siVal = 7}, 7},
		{NVML_VALUE_TYPE_SIGNED_INT, {.siVal = -1}, PWRTRACE_UNKNOWN_U64},
		{99, {.ullVal = 0}, PWRTRACE_UNKNOWN_U64},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(nvml_value(cases[i].type, &cases[i].value), cases[i].expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stamps_are_moved_to_the_trace_s_clock),
		cmocka_unit_test(samples_are_taken_once),
		cmocka_unit_test(stamps_of_another_clock_are_left_out),
		cmocka_unit_test(values_of_all_types),
	};

	return cmocka_run_group_tests_name("nvml_samples", tests, NULL, NULL);
}
