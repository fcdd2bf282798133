/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "analyzer/trace/tokens.h"
#include "tests/unit/unit.h"

static void layout_and_comments_do_not_matter(void **state)
{
	const char *text = "/* CTF */ trace{major=1 ;\n\tminor = 8; } /* end */ next";

	(void)state;
	assert_true(tokens_match(&text, "trace { major = 1; minor = 8; }"));
	assert_string_equal(text, "next");
}

static void values_are_taken(void **state)
{
	const char *text = "event { name = \"a:\\\"b\\\"\"; id = 18446744073709551615; } _field;";
	struct token name, word;
	uint64_t id;

	(void)state;
	assert_true(tokens_match(&text, "event { name = %s; id = %u; } %w;", &name, &id, &word));
	assert_int_equal(name.length, strlen("a:\\\"b\\\""));
	assert_memory_equal(name.text, "a:\\\"b\\\"", name.length);
	assert_true(id == UINT64_MAX);
	assert_int_equal(word.length, strlen("_field"));
	assert_true(tokens_end(text));
}

static void what_differs_is_left(void **state)
{
	static const char *const texts[] = {"id = 07;", "id = 0x7;", "id = -7;", "id = 7",
		"id = 18446744073709551616;", "id = \"7\";", "id == 7;", "idx = 7;", "i d = 7;",
		"id = 7 /* ;", "", "\"id = 7;", "// id\nid = 7;"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const char *text = texts[i];
		uint64_t id;

		assert_false(tokens_match(&text, "id = %u;", &id));
		assert_ptr_equal(text, texts[i]);
	}
	assert_false(tokens_end("/* "));
	assert_false(tokens_end("\""));
	assert_true(tokens_end(" /* */\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout_and_comments_do_not_matter),
		cmocka_unit_test(values_are_taken),
		cmocka_unit_test(what_differs_is_left),
	};

	return cmocka_run_group_tests_name("tokens", tests, NULL, NULL);
}
