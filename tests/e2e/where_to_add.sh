#!/bin/bash
# "Where do I add ...?" (CONTRIBUTING.md) is true of the analyzer: in a copy of the tree something of
# each kind below is added as exactly the row and the file that the page names, built, and seen to work.
# To try out one more kind: its two functions, add_KIND and has_KIND, and its word in the last loop.
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/e2e/lib_tree.sh"

export NO_COLOR=1 LC_ALL=C.UTF-8
GOLDEN=$ROOT/tests/golden/run1.txt
PWRTRACE=tree/build/bin/pwrtrace

report() { "$PWRTRACE" report "$@" trace; }
offers() { equal "$("$PWRTRACE" --complete "${@:2}" | grep -x "$1")" "$1"; }

# --- a column: a row of columns, and what its value is ----------------------------------------

add_column() {
	row analyzer/view/content/column.c 'VALUE(energy,' 'VALUE(dummy, count(7))' &&
		row analyzer/view/content/column.c 'static const struct column columns[]' \
			'	{"dummy", "", COLUMN_COUNT, .value = dummy, TEXT("DUMMY", 0, 8), BOTH("dummy", 0, 0)},' &&
		build bin/pwrtrace
}

has_column() {
	is "a column: text prints it, after the others" "$(report | head -2 | grep -oE ' DUMMY  kernel|  7  [a-z].*' |
		sed 's/  7  .*/7/')" " DUMMY  kernel
7"
	is "a column: JSON prints it, after the others" "$(report --format json | grep -c '"dummy":7}')" \
		"$(reported trace 'len(rows)')"
	is "a column: CSV prints it, after the others" \
		"$(report --format csv | sed -n '1p; 2p' | tr -d '\r' | sed 's/.*,//' | paste -sd' ')" "dummy 7"
	is "a column: it filters rows" "$(report --filter 'dummy < 7' --format csv | wc -l)" 1
	ok "a column: rows are sorted by it" report --sort dummy
	ok "a column: completion offers it" offers dummy report --sort
}

# --- a report format: a row of formats.def and its file ---------------------------------------

add_format() {
	row analyzer/view/content/formats.def 'FORMAT(csv)' 'FORMAT(dummy)' &&
		file analyzer/view/dummy.c <<-'END' && build bin/pwrtrace
		#include "analyzer/view/content/format.h"

		static void write_dummy(
			FILE *out, const struct ledger *ledger, const struct view_options *options)
		{
			(void)options;
			fprintf(out, "%u rows\n", ledger->rows->len);
		}

		const struct format format_dummy = {
			.name = "dummy", .help = "how many rows there are", .write = write_dummy};
	END
}

has_format() {
	like "a format: report writes it" "$(report --format dummy)" '^[1-9][0-9]* rows$'
	like "a format: --help lists it" "$("$PWRTRACE" report --help)" '--format FORMAT [^-]*, dummy'
	ok "a format: completion offers it" offers dummy report --format
}

# --- a command: a row of commands.def, its file and its manual page ---------------------------

add_command() {
	row analyzer/cmd/commands.def 'COMMAND(info)' 'COMMAND(dummy)' &&
		file analyzer/cmd/dummy.c <<-'END' && file analyzer/cmd/pwrtrace-dummy.1 </dev/null && build bin/pwrtrace
		#include "analyzer/cmd/command.h"

		struct dummy {
			struct command_options common;
			const char *what;
		};

		static const char *what_choice(size_t i)
		{
			static const char *const values[] = {"this", "that", NULL};

			return values[i];
		}

		static const struct command_option options[] = {
			{"what", 'w', "WHAT", "%s", .take = command_take_text,
				.offset = offsetof(struct dummy, what), .choice = what_choice,
				.first = "default"},
			{0},
		};

		static int run(int argc, char **argv)
		{
			struct dummy dummy = {.what = "this"};
			int status = command_parse(&command_dummy, argc, argv, &dummy);

			if (!status && !dummy.common.done)
				puts(dummy.what);
			return status;
		}

		const struct command command_dummy = {
			.name = "dummy",
			.help = "say this or that",
			.synopsis = (const char *const[]){"[OPTION]...", NULL},
			.about = "Says what it is told to say.",
			.options = options,
			.run = run,
		};
	END
}

has_command() {
	is "a command: it runs" "$("$PWRTRACE" dummy -w that; "$PWRTRACE" dummy)" "that
this"
	like "a command: --help lists it" "$("$PWRTRACE" --help)" '
  dummy +say this or that
'
	ok "a command: completion offers it" offers dummy
	like "a command: its own --help lists its options" "$("$PWRTRACE" dummy --help)" \
		'
  -w, --what WHAT +this \(default\), that
'
	ok "a command: completion offers what may be chosen" offers that dummy --what
	run "$PWRTRACE" dummy --what else
	refuses "a command: another choice" 2 '^pwrtrace: --what takes this or that, not "else"; see '
	is "a command: its manual page would be installed" \
		"$(env -u MAKEFLAGS make -s -C tree O=build -n install | grep -c 'pwrtrace-dummy.1 ')" 1
}

# --- something that power depends on: a row of influence_kinds ------------------------------------

add_influence() {
	row analyzer/regress/design/influence.c 'const struct influence_kind influence_kinds[]' \
		'	{"dummy", "a dummy", "% per dummy", 100, .states = true, PARAMETERS(none), .compute = compute_limit},' &&
		build bin/pwrtrace
}

has_influence() {
	ok "an influence: the program has it" grep -q "% per dummy" "$PWRTRACE"
	ok "an influence: reports find powers beside it" report --method regress
}

# --- a method of attribution: a row of methods.def and its file -----------------------------------

add_method() {
	row analyzer/attribute/methods.def 'METHOD(hold)' 'METHOD(dummy)' &&
		file analyzer/attribute/dummy.c <<-'END' && build bin/pwrtrace
		#include "analyzer/attribute/method.h"

		const struct method method_dummy = {"dummy", "power as the sensor says it", NULL, NULL};
	END
}

has_method() {
	like "a method: report attributes by it, and it balances" "$(report --method dummy)" ' attributed \+ '
	like "a method: --help lists it" "$("$PWRTRACE" report --help)" '--method METHOD [^-]*, dummy'
	ok "a method: completion offers it" offers dummy report --method
}

# --- a unit test: its file -----------------------------------------------------------------------

add_unit_test() {
	file tests/unit/analyzer/test_dummy.c <<-'END' && build tests/unit/analyzer/test_dummy
		#include "analyzer/view/content/sums.h"
		#include "tests/unit/unit.h"

		static void nothing_has_no_power(void **state)
		{
			(void)state;
			assert_true(sums_power(&(struct ledger_sums){0}) < 0);
		}

		int main(void)
		{
			const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_has_no_power)};

			return cmocka_run_group_tests(tests, NULL, NULL);
		}
	END
}

has_unit_test() {
	like "a unit test: it runs with the others" \
		"$(cd tree && tests/run build build/tests/unit/*/test_dummy)" '1 passed, 0 failed'
}

"$BUILD/tests/trace_text" trace <"$GOLDEN"
ok "a copy of the tree" copy_tree bin html bin-o/analyzer bin-o/analyzer.a bin-o/tests/unit/analyzer
for kind in column format command influence method unit_test; do
	ok "${kind/_/ }: it is added and built" add_$kind && has_$kind
done
finish
