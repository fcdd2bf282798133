/* SPDX-License-Identifier: MIT */
#include "analyzer/print/text.h"

#include <glib.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

static void what_is_no_utf8_is_escaped(void **state)
{
	static const char *const texts[][2] = {
		{"", ""}, {"plain é ×", "plain é ×"}, {"\xff", "\\xff"}, {"a\xc3", "a\\xc3"},
		{"\xe2\x82z\xfe", "\\xe2\\x82z\\xfe"},
		{"\xed\xa0\x80", "\\xed\\xa0\\x80"}, /* half of a surrogate pair */
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		char *valid = text_valid(texts[i][0]);

		assert_string_equal(valid, texts[i][1]);
		assert_true(g_utf8_validate(valid, -1, NULL));
		g_free(valid);
	}
}

static void controls_are_shown(void **state)
{
	char *buffer;
	size_t size;
	FILE *out = open_memstream(&buffer, &size);

	(void)state;
	text_put(out, "a\nb\tc\r\033[1m é \xc2\x9b\x7f");
	text_put_line(out, "|%s|%d\n", "x\ny\xff", 5);
	fclose(out);
	assert_string_equal(buffer, "a\\nb\\tc\\x0d\\x1b[1m é \\x9b\\x7f|x\\ny\\xff|5\\n\n");
	free(buffer);
	assert_int_equal(text_width("a\nb é \x1b"), 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_utf8_is_escaped),
		cmocka_unit_test(controls_are_shown),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
