/* SPDX-License-Identifier: MIT */
#include "analyzer/print/terminal.h"
#include "tests/unit/unit.h"

#define BEGIN "\016"
#define END "\017"

static void lays_out(const char *line, int columns, const char *expected)
{
	GString *rows = g_string_new(NULL);

	terminal_lay_out(rows, line, columns);
	assert_string_equal(rows->str, expected);
	g_string_free(rows, TRUE);
}

static void what_fits_is_left_alone(void **state)
{
	(void)state;
	lays_out("", 20, "\n");
	lays_out("  20 columns, no more", 21, "  20 columns, no more\n");
	lays_out("  " BEGIN "a name" END "  b", 20, "  a name  b\n");
	lays_out("\033[1m± 20 columns of it\033[0m", 20, "\033[1m± 20 columns of it\033[0m\n");
}

static void text_goes_on_below(void **state)
{
	(void)state;
	lays_out("  some words that do not fit", 20, "  some words that do\n      not fit\n");
	lays_out("a number keeps its 24.7 J together", 22,
		"a number keeps its\n    24.7 J together\n");
	lays_out("a number keeps 24.7 J  17.6 µJ apart", 22,
		"a number keeps 24.7 J\n    17.6 µJ apart\n");
	lays_out("1 2 3 4 5 6 7 8 9 10 11 12", 20, "1 2 3 4 5 6 7 8 9 10\n    11 12\n");
	lays_out("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", 20, "aaaaaaaaaaaaa…aaaaab\n");
}

static void names_are_cut_in_the_middle(void **state)
{
	(void)state;
	lays_out("  10 J  " BEGIN "void the::kernel<int, float>(int)" END " (group 1)", 38,
		"  10 J  void the::kernel<int…oat>(int)\n    (group 1)\n");
	lays_out("  10 J  " BEGIN "void the::kernel<int, float>(int)" END ": it", 40,
		"  10 J  void the::kernel<i…oat>(int): it\n");
	/* A short end of the line stays where the name keeps enough room. */
	lays_out("  10 J  " BEGIN "void the::kernel<int, float, double>(int)" END " (group 1)", 44,
		"  10 J  void the::kernel<…le>(int) (group 1)\n");
	/* A shape keeps its beginning, by which kernels of one name differ. */
	lays_out("  10 J  " BEGIN "Kernel2<simt_sgemm_nn_align1> [1048576 /256 49152 B]" END, 40,
		"  10 J  Kernel2<si…ign1> [1048576 /256 …\n");
	lays_out("  10 J  " BEGIN "Kernel2<simt_sgemm_nn_align1> [528 /256]" END, 40,
		"  10 J  Kernel2<simt_s…lign1> [528 /256]\n");
	lays_out("  10 J  " BEGIN "fill [1048576×1024×64 /256×1×1]" END, 36,
		"  10 J  fill [1048576×1024×64 /256×…\n");
	/* Of wide characters none is parted. */
	lays_out(BEGIN "核核核核核核核核核核核核核核" END, 25, "核核核核核核核核…核核核核\n");
}

static void a_name_without_room_begins_a_line(void **state)
{
	(void)state;
	lays_out("  10.0 J  20.0 W  30.0 s  " BEGIN "void the::kernel<int>(int)" END, 32,
		"  10.0 J  20.0 W  30.0 s\n    void the::kernel<int>(int)\n");
	/* Below that of its parent. */
	lays_out("  10.0 J  20.0 W  30.0 s      " BEGIN "void kernel(int)" END, 32,
		"  10.0 J  20.0 W  30.0 s\n        void kernel(int)\n");
}

static void no_line_is_endless(void **state)
{
	GString *line = g_string_new(NULL), *rows = g_string_new(NULL);
	guint count = 0;

	(void)state;
	for (int i = 0; i < 10000; i++)
		g_string_append(line, "word ");
	terminal_lay_out(rows, line->str, 40);
	for (gsize i = 0; i < rows->len; i++)
		count += rows->str[i] == '\n';
	assert_in_range(count, 2, 10);
	assert_true(g_str_has_suffix(rows->str, "…\n"));
	g_string_free(line, TRUE);
	g_string_free(rows, TRUE);
}

static void characters_are_replaced_by_some_of_ascii(void **state)
{
	GString *line = g_string_new("10 J ± 2 µJ, 40 °C ▁▅█ █▋▏ 核 plain");

	(void)state;
	terminal_to_ascii(line);
	assert_string_equal(line->str, "10 J +- 2 uJ, 40  C _+# ##. ? plain");
	g_string_free(line, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_is_left_alone),
		cmocka_unit_test(text_goes_on_below),
		cmocka_unit_test(names_are_cut_in_the_middle),
		cmocka_unit_test(a_name_without_room_begins_a_line),
		cmocka_unit_test(no_line_is_endless),
		cmocka_unit_test(characters_are_replaced_by_some_of_ascii),
	};

	return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
