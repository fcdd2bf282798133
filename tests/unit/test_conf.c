/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "preload/conf.h"
#include "tests/unit/unit.h"

static void defaults_hold(void **state)
{
	(void)state;
	unsetenv("PWRTRACE_LAYERS");
	unsetenv("PWRTRACE_OUTPUT");
	conf_read();
	assert_string_equal(conf.layers, "api,nvtx,roctx");
	assert_string_equal(conf.output, "");
	setenv("PWRTRACE_LAYERS", "none", 1);
	conf_read();
	assert_string_equal(conf.layers, "none");
}

static void lists_hold_whole_words(void **state)
{
	(void)state;
	assert_true(conf_lists("layer,symbols", "layer"));
	assert_true(conf_lists("layer,symbols", "symbols"));
	assert_false(conf_lists("layers,symbols", "layer"));
	assert_false(conf_lists("layer,symbols", "symbol"));
	assert_false(conf_lists("", "layer"));
}

static void replay_times(void **state)
{
	static const char *const wrong[] = {"", "often", "-1", "1s", "61", "nan", "inf"};

	(void)state;
	assert_int_equal(conf_replay_ns("0"), 0);
	assert_int_equal(conf_replay_ns("0.5"), 500000000);
	assert_int_equal(conf_replay_ns("60"), 60000000000);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_true(conf_replay_ns(wrong[i]) == UINT64_MAX);
}

static void output_patterns(void **state)
{
	char host[HOST_NAME_MAX + 1] = "", dir[PATH_MAX], expected[PATH_MAX];
	static const struct {
		const char *pattern;
		const char *expected;
	} rows[] = {
		{"", "pwrtrace-app-42"},
		{"here", "here"},
		{"%a/%p", "app/42"},
		{"100%%", "100%"},
		{"%", "%"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		conf.output = rows[i].pattern;
		assert_int_equal(conf_output_dir(dir, sizeof(dir), "app", 42), 0);
		assert_string_equal(dir, rows[i].expected);
	}
	gethostname(host, sizeof(host) - 1);
	snprintf(expected, sizeof(expected), "at-%s", host);
	conf.output = "at-%h";
	assert_int_equal(conf_output_dir(dir, sizeof(dir), "app", 42), 0);
	assert_string_equal(dir, expected);
}

static void names_that_do_not_fit(void **state)
{
	char dir[8];

	(void)state;
	conf.output = "1234567";
	assert_int_equal(conf_output_dir(dir, sizeof(dir), "app", 1), 0);
	conf.output = "12345678";
	assert_int_equal(conf_output_dir(dir, sizeof(dir), "app", 1), -1);
	conf.output = "1234%a";
	assert_int_equal(conf_output_dir(dir, sizeof(dir), "long-name", 1), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_hold),
		cmocka_unit_test(lists_hold_whole_words),
		cmocka_unit_test(replay_times),
		cmocka_unit_test(output_patterns),
		cmocka_unit_test(names_that_do_not_fit),
	};

	return cmocka_run_group_tests_name("conf", tests, NULL, NULL);
}
