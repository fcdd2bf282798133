/* SPDX-License-Identifier: MIT */
#include "analyzer/print/quantity.h"

#include <math.h>

#include "tests/unit/unit.h"

static const struct {
	const char *text, *unit;
	double number; /* NAN: it is none */
} cases[] = {
	{"0.26", "s", 0.26},
	{"260ms", "s", 0.26},
	{"260 ms", "s", 0.26},
	{"260m", "s", 0.26},
	{"100us", "s", 1e-4},
	{"100µs", "s", 1e-4},
	{"700", "W", 700},
	{"700W", "W", 700},
	{"0.7kW", "W", 700},
	{"-3W", "W", -3},
	{"2%", "", 0.02},
	{"0.02", "", 0.02},
	{"2%", "W", NAN},
	{"700W", "s", NAN},
	{"W", "W", NAN},
	{"", "s", NAN},
	{"1msx", "s", NAN},
	{"inf", "s", NAN},
	{"nan", "s", NAN},
	{"1e999", "s", NAN},
};

static void parses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double number = quantity_parse(cases[i].text, cases[i].unit);

		if (isnan(cases[i].number))
			assert_true(isnan(number));
		else
			assert_float_equal(number, cases[i].number, 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parses)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
