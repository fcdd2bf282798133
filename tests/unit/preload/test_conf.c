/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/common/conf.h"
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

static void each_takes_what_its_row_says(void **state)
{
	static const struct {
		const char *variable, *value, *takes; /* NULL: the value */
	} rows[] = {
		{"PWRTRACE_GRAPHS", "graph", NULL},
		{"PWRTRACE_GRAPHS", "graphs", "node or graph"},
		{"PWRTRACE_GRAPHS", "node,graph", "node or graph"},
		{"PWRTRACE_GRAPHS", "", "node or graph"},
		{"PWRTRACE_OPENCL", "symbols,layer", NULL},
		{"PWRTRACE_OPENCL", "symbols,all", "layer, symbols or none, separated by commas"},
		{"PWRTRACE_LAYERS", "ompt,none", NULL},
		{"PWRTRACE_LAYERS", "omp",
			"api, nvtx, roctx, torch, transformers, kokkos, ompt or none, separated by "
			"commas"},
		{"PWRTRACE_REPLAY", "0", NULL},
		{"PWRTRACE_REPLAY", "0.5", NULL},
		{"PWRTRACE_REPLAY", "60", NULL},
		{"PWRTRACE_REPLAY", "", "0 to 60 seconds"},
		{"PWRTRACE_REPLAY", "often", "0 to 60 seconds"},
		{"PWRTRACE_REPLAY", "-1", "0 to 60 seconds"},
		{"PWRTRACE_REPLAY", "1s", "0 to 60 seconds"},
		{"PWRTRACE_REPLAY", "61", "0 to 60 seconds"},
		{"PWRTRACE_REPLAY", "nan", "0 to 60 seconds"},
		{"PWRTRACE_REPLAY", "inf", "0 to 60 seconds"},
		{"PWRTRACE_REPLAY_BUDGET", "0.5", NULL},
		{"PWRTRACE_REPLAY_BUDGET", "-1", "0 to 86400 seconds"},
		{"PWRTRACE_OUTPUT", "any where", NULL},
	};
	char text[CONF_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *takes = conf_refuses(rows[i].variable, rows[i].value, text);

		if (rows[i].takes)
			assert_string_equal(takes, rows[i].takes);
		else
			assert_null(takes);
	}
}

static char said[512];

static void hear(const char *line)
{
	assert_string_equal(said, "");
	snprintf(said, sizeof(said), "%s", line);
}

static void what_is_refused_has_its_default(void **state)
{
	(void)state;
	setenv("PWRTRACE_STACKS", "wrong", 1);
	setenv("PWRTRACE_GRAPHS", "graph", 1);
	conf_read();
	assert_string_equal(conf.stacks, "site");
	assert_string_equal(conf.graphs, "graph");
	conf_say_refused(hear);
	assert_string_equal(said, "PWRTRACE_STACKS=wrong: it takes site, launch or none; the "
				  "default is taken");
	unsetenv("PWRTRACE_STACKS");
	unsetenv("PWRTRACE_GRAPHS");
}

/* Numbers get a comma, as in many languages: of C.UTF-8's numbers, every point becomes one. */
static void speak_with_a_comma(void)
{
	char directory[] = "locale-XXXXXX";
	char path[PATH_MAX], bytes[256];
	FILE *file = fopen("/usr/lib/locale/C.utf8/LC_NUMERIC", "re");
	size_t length;

	assert_non_null(file);
	length = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	for (size_t i = 0; i < length; i++)
		if (bytes[i] == '.')
			bytes[i] = ',';
	assert_non_null(mkdtemp(directory));
	setenv("LOCPATH", directory, 1);
	snprintf(path, sizeof(path), "%s/comma", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/comma/LC_NUMERIC", directory);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
	assert_non_null(setlocale(LC_NUMERIC, "comma"));
	assert_int_equal(strtod("0,5", NULL) * 10, 5);
	unlink(path);
	*strrchr(path, '/') = 0;
	rmdir(path);
	rmdir(directory);
}

static void numbers_have_a_point_in_any_locale(void **state)
{
	char text[CONF_TEXT_MAX];

	(void)state;
	setenv("PWRTRACE_REPLAY", "0.5", 1);
	speak_with_a_comma();
	assert_null(conf_refuses("PWRTRACE_REPLAY", "0.5", text));
	assert_non_null(conf_refuses("PWRTRACE_REPLAY", "0,5", text));
	conf_read();
	assert_string_equal(conf.replay, "0.5");
	assert_true(conf_number(conf.replay) == 0.5);
	assert_true(isnan(conf_number("0,5")));
	assert_true(isnan(conf_number("")));
	setlocale(LC_NUMERIC, "C");
	unsetenv("PWRTRACE_REPLAY");
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
		cmocka_unit_test(each_takes_what_its_row_says),
		cmocka_unit_test(what_is_refused_has_its_default),
		cmocka_unit_test(numbers_have_a_point_in_any_locale),
		cmocka_unit_test(output_patterns),
		cmocka_unit_test(names_that_do_not_fit),
	};

	return cmocka_run_group_tests_name("conf", tests, NULL, NULL);
}
