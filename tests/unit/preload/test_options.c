/* SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/environment.h"
#include "preload/common/options.h"
#include "tests/unit/unit.h"

static struct {
	bool loud;
	const char *way;
	int count, mode;
} options;

static void take_way(const struct option_row *row, const char *value)
{
	options.way = value ? value : row->alone;
}

static const struct option_row rows[] = {
	{"loud", 'l', NULL, "says much", .take = option_flag, .into = &options.loud},
	{"way", 0, "[=WAY]",
		"one way or another, which is a text that has to go on in a second line",
		.take = take_way, .alone = "mine"},
	{"count", 'c', " N", NULL, .take = option_number, .into = &options.count},
	{"fast", 0, NULL, "a mode", .take = option_choice, .into = &options.mode, .choice = 7},
};

#define ROWS (sizeof(rows) / sizeof(*rows))

/* Returns as options_parse does; words are separated by blanks. */
static int parse(const char *line, const char **wrong)
{
	static char words[256];
	static char *argv[16];
	int argc = 0;

	memset(&options, 0, sizeof(options));
	snprintf(words, sizeof(words), "%s", line);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	optind = 0;
	return options_parse(rows, ROWS, argc, argv, wrong);
}

static void rows_take_their_options(void **state)
{
	const char *wrong;

	(void)state;
	assert_int_equal(parse("me -l --way=yours --count 3 --fast rest -l", &wrong), 6);
	assert_true(options.loud);
	assert_string_equal(options.way, "yours");
	assert_int_equal(options.count, 3);
	assert_int_equal(options.mode, 7);
	assert_int_equal(parse("me --way -c 5", &wrong), 4);
	assert_string_equal(options.way, "mine");
	assert_int_equal(options.count, 5);
	assert_int_equal(parse("me -- --fast", &wrong), 2);
	assert_int_equal(options.mode, 0);
}

static void what_is_no_option_is_named(void **state)
{
	static const char *const lines[][2] = {
		{"me --none", "--none"},
		{"me -x", "-x"},
		{"me --loud=3", "--loud=3"},
		{"me --count", "--count"},
	};
	const char *wrong;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		assert_int_equal(parse(lines[i][0], &wrong), -1);
		assert_string_equal(wrong, lines[i][1]);
	}
}

static void help_is_wrapped(void **state)
{
	char text[1024] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	(void)state;
	options_print(rows, ROWS, out);
	fclose(out);
	assert_string_equal(text,
		"  -l, --loud           says much\n"
		"      --way[=WAY]      one way or another, which is a text that has to go on in\n"
		"                       a second line\n"
		"      --fast           a mode\n");
}

static void environments_are_copied(void **state)
{
	static const char *const without[] = {"PWRTRACE_TEST_A", NULL};
	bool has_a = false, has_ab = false;
	char **copy;

	(void)state;
	setenv("PWRTRACE_TEST_A", "1", 1);
	setenv("PWRTRACE_TEST_AB", "2", 1);
	copy = environment_copy(1, without);
	assert_null(copy[0]);
	for (size_t i = 1; copy[i]; i++) {
		has_a |= strcmp(copy[i], "PWRTRACE_TEST_A=1") == 0;
		has_ab |= strcmp(copy[i], "PWRTRACE_TEST_AB=2") == 0;
	}
	assert_false(has_a);
	assert_true(has_ab);
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_take_their_options),
		cmocka_unit_test(what_is_no_option_is_named),
		cmocka_unit_test(help_is_wrapped),
		cmocka_unit_test(environments_are_copied),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
