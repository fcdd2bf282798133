/* SPDX-License-Identifier: MIT */
#include "preload/common/names.h"
#include "tests/unit/unit.h"

static void any_of_the_prefixes_counts(void **state)
{
	(void)state;
	assert_true(name_begins("libcuda.so.1", "libcuda.so"));
	assert_true(name_begins("libcuda.so", "libcuda.so"));
	assert_false(name_begins("libcuda", "libcuda.so"));
	assert_true(name_begins("libroctx64.so.4", "libroctx64.so librocprofiler-sdk-roctx.so"));
	assert_true(name_begins(
		"librocprofiler-sdk-roctx.so.1", "libroctx64.so librocprofiler-sdk-roctx.so"));
	assert_false(
		name_begins("librocprofiler-sdk.so", "libroctx64.so librocprofiler-sdk-roctx.so"));
}

static void without_prefixes_nothing_does(void **state)
{
	(void)state;
	assert_false(name_begins("libcuda.so", ""));
	assert_false(name_begins("", "libcuda.so"));
	/* As tables of rows end: with a blank. */
	assert_false(name_begins("libmine.so", "libcuda.so libcupti.so "));
}

static void files_are_named_by_their_last_component(void **state)
{
	(void)state;
	assert_string_equal(name_of_file("/usr/lib/libcuda.so.1"), "libcuda.so.1");
	assert_string_equal(name_of_file("libcuda.so.1"), "libcuda.so.1");
	assert_string_equal(name_of_file("/usr/lib/"), "");
	assert_string_equal(name_of_file(""), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_of_the_prefixes_counts),
		cmocka_unit_test(without_prefixes_nothing_does),
		cmocka_unit_test(files_are_named_by_their_last_component),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
