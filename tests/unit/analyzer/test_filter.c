/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/filter.h"
#include "tests/unit/unit.h"

/* A kernel of 2 J in 0.5 s, a fifth of all, whose interval nobody knows. */
static const struct ledger ledger = {.total = {.known = true, .attributed_nj = 10000000000}};
static const struct ledger_row row = {.name = (char *)"encoder/self \"attention\"",
	.short_name = (char *)"",
	.shape = (char *)"8×8",
	.kind = "kernel",
	.device = "GPU 0",
	.api = "cuda",
	.executions = 3,
	.timed = 3,
	.time_ns = 500000000,
	.energy_nj = 2000000000,
	.ci95_j = -1,
	.energy_known = true};

static const struct {
	const char *expression;
	bool passes;
} cases[] = {
	{"energy > 1", true},
	{"energy > 2J", false},
	{"energy >= 2000mJ", true},
	{"energy == 2", true},
	{"energy != 2", false},
	{"energy<=2e9nJ", true},
	{"energy < 0.002k", false},
	{"own == 2000000µJ", true},
	{"own == 2000000uJ", true},
	{"share == 20%", true},
	{"share > .2", false},
	{"power == 4W", true},
	{"time < 1s", true},
	{"time > 499ms && time < 501ms", true},
	{"executions = 3", true},
	{"depth == 1", false}, /* of rows that are no layers it is not known */
	{"api == cuda", true},
	{"api = cuda", true},
	{"api != cuda", false},
	{"api == \"cuda\"", true},
	{"device == 'GPU 0'", true},
	{"device == GPU", false},
	{"device ~ GPU", true},
	{"name ~ ^encoder/", true},
	{"kernel ~ ^encoder/", true},
	{"layer ~ 'self \"att.*n\"$'", true},
	{"name ~ ENCODER", false},
	{"name ~ '(?i)ENCODER'", true},
	{"name !~ decoder", true},
	{"name !~ encoder", false},
	{"shape == 8×8", true},
	{"short_name == ''", true},
	{"group == ''", true},
	{"!api == cuda", false},
	{"!(api == cuda)", false},
	{"!!(api == cuda)", true},
	{"api == cuda || energy > 5 && energy > 6", true},
	{"(api == cuda || energy > 5) && energy > 6", false},
	{"api==cuda&&energy>1||api==hip", true},
	{"  \tapi\n==  cuda ", true},
	/* What is not known passes no comparison. */
	{"ci95 > 0", false},
	{"ci95 <= 0", false},
	{"ci95 != 0", false},
	{"!(ci95 > 0)", true},
	{"clock > 0 || static >= 0", false},
};

static void rows_pass_or_do_not(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *why;
		struct filter *filter = filter_parse(cases[i].expression, &why);

		if (!filter)
			fail_msg("\"%s\": %s", cases[i].expression, why);
		if (filter_passes(filter, &ledger, &row) != cases[i].passes)
			fail_msg("\"%s\"", cases[i].expression);
		filter_free(filter);
		g_free(why);
	}
}

static const struct {
	const char *expression;
	const char *why;
} mistakes[] = {
	{"", "character 1: expected a column"},
	{"energy", "character 7: expected == != < <= > or >= after energy"},
	{"name", "character 5: expected == != ~ or !~ after name"},
	{"energy >", "character 9: a value is missing"},
	{"energy > much", "character 10: energy is a number of J, not \"much\""},
	{"energy > 1W", "character 10: energy is a number of J, not \"1W\""},
	{"energy > inf", "character 10: energy is a number of J, not \"inf\""},
	{"energy > 5%", "character 10: energy is a number of J, not \"5%\""},
	{"executions > 1x", "character 14: executions is a number, not \"1x\""},
	{"energy ~ 1", "character 8: energy is a number: compare it with"},
	{"name < 1", "character 6: name is a text: compare it with"},
	{"energies > 1", "character 1: no column is called \"energies\"; there are energy, share"},
	{"µ > 1 && name", "character 1: no column is called \"µ\""},
	{"shape == µ && enrgy > 1", "character 15: no column is called \"enrgy\""},
	{"name == \"x", "character 9: the closing \" is missing"},
	{"name == 'x\"", "character 9: the closing ' is missing"},
	{"name ~ \"a[\"", "character 8: "},
	{"(energy > 1", "character 12: expected \")\", \"&&\" or \"||\""},
	{"energy > 1)", "character 11: expected \"&&\", \"||\" or the end"},
	{"energy > 1 api == cuda", "character 12: expected \"&&\", \"||\" or the end"},
	{"energy > 1 && ", "character 15: expected a column"},
	{"energy > 1 & energy > 2", "character 12: expected \"&&\", \"||\" or the end"},
	{"name ~ \xff", "is not UTF-8"},
};

static void mistakes_are_found_where_they_are(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(mistakes); i++) {
		char *why = NULL;
		struct filter *filter = filter_parse(mistakes[i].expression, &why);

		if (filter || !strstr(why, mistakes[i].why))
			fail_msg("\"%s\": %s", mistakes[i].expression, why ? why : "passed");
		g_free(why);
	}
}

static void nesting_has_an_end(void **state)
{
	char *deep = g_strnfill(100000, '('), *why;

	(void)state;
	assert_null(filter_parse(deep, &why));
	assert_non_null(strstr(why, "nested too deeply"));
	g_free(why);
	g_free(deep);
	deep = g_strnfill(100000, '!');
	assert_null(filter_parse(deep, &why));
	g_free(why);
	g_free(deep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_pass_or_do_not),
		cmocka_unit_test(mistakes_are_found_where_they_are),
		cmocka_unit_test(nesting_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
