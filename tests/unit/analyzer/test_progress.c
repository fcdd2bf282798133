/* SPDX-License-Identifier: MIT */
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/print/message.h"
#include "tests/unit/unit.h"

#define MARK '#'

static int terminal;     /* of which stderr is the other end */
static char shown[4096]; /* since the last look */

static void put_stderr_on_terminal(void)
{
	int stderr_end;

	assert_int_equal(openpty(&terminal, &stderr_end, NULL, NULL, NULL), 0);
	assert_int_equal(dup2(stderr_end, STDERR_FILENO), STDERR_FILENO);
	close(stderr_end);
}

/* What was written to stderr arrives some time later: a mark is written behind it and awaited. */
static const char *look(void)
{
	size_t length = 0;

	fputc(MARK, stderr);
	while (length + 1 < sizeof(shown) && (!length || shown[length - 1] != MARK)) {
		ssize_t more = read(terminal, shown + length, sizeof(shown) - 1 - length);

		assert_true(more > 0);
		length += (size_t)more;
	}
	shown[length - 1] = 0;
	return shown;
}

/* Says how far it is until that is shown, for a minute at most. */
static const char *say_until_shown(uint64_t done)
{
	for (int i = 0; i < 6000 && !*look(); i++) {
		message_progress("counting", done, 40);
		usleep(10000);
	}
	return shown;
}

static void it_is_one_line_that_is_cleared(void **state)
{
	(void)state;
	assert_string_equal(say_until_shown(10), "\rpwrtrace: counting  25 %");
	assert_string_equal(say_until_shown(40), "\rpwrtrace: counting 100 %");
	message_progress_end();
	assert_string_equal(look(), "\r                        \r");
	message_progress_end();
	assert_string_equal(look(), "");
}

static void a_message_takes_its_place(void **state)
{
	(void)state;
	say_until_shown(20);
	message_error("wrong");
	look();
	assert_non_null(strstr(shown, " \rpwrtrace: wrong"));
}

static void quiet_is_quiet(void **state)
{
	(void)state;
	message_quiet = true;
	for (int i = 0; i < 30; i++) {
		message_progress("counting", 1, 2);
		usleep(10000);
	}
	message_quiet = false;
	assert_string_equal(look(), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_one_line_that_is_cleared),
		cmocka_unit_test(a_message_takes_its_place),
		cmocka_unit_test(quiet_is_quiet),
	};

	put_stderr_on_terminal();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
