/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "preload/common/plain.h"
#include "tests/unit/unit.h"

static void expect(const char *text, const char *expected)
{
	char plain[64];

	assert_int_equal(plain_copy(plain, sizeof(plain), text), strlen(expected));
	assert_string_equal(plain, expected);
}

static void text_stays(void **state)
{
	(void)state;
	expect("", "");
	expect("a name: 5 µs, 名, 😀, \xc2\xa0", "a name: 5 µs, 名, 😀, \xc2\xa0");
}

static void control_characters_are_escaped(void **state)
{
	(void)state;
	expect("\033[31mred\a\n\t\177", "\\x1b[31mred\\x07\\n\\t\\x7f");
	expect("\xc2\x9b", "\\x9b"); /* CSI, as one character */
}

static void what_is_no_utf8_is_escaped(void **state)
{
	(void)state;
	expect("\x9b\xff\xc3", "\\x9b\\xff\\xc3");
	expect("\xc0\x80", "\\xc0\\x80");                   /* overlong */
	expect("\xed\xa0\x80", "\\xed\\xa0\\x80");          /* a surrogate */
	expect("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* above the last one */
	expect("\xe2\x82x", "\\xe2\\x82x");
}

static void nothing_is_written_in_part(void **state)
{
	char plain[6];

	(void)state;
	assert_int_equal(plain_copy(plain, sizeof(plain), "abc\033"), 3);
	assert_string_equal(plain, "abc");
	assert_int_equal(plain_copy(plain, sizeof(plain), "abcdµ"), 4);
	assert_string_equal(plain, "abcd");
	assert_int_equal(plain_copy(plain, 0, "a"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_stays),
		cmocka_unit_test(control_characters_are_escaped),
		cmocka_unit_test(what_is_no_utf8_is_escaped),
		cmocka_unit_test(nothing_is_written_in_part),
	};

	return cmocka_run_group_tests_name("plain", tests, NULL, NULL);
}
