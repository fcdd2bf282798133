/* SPDX-License-Identifier: MIT */
#include "analyzer/print/quantity.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* What a number's ending makes of it, as "m" or "mJ" of joules; NaN where it is none. */
static double factor_of(const char *ending, const char *unit)
{
	static const struct {
		const char *prefix;
		double factor;
	} prefixes[] = {{"", 1}, {"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6}, {"µ", 1e-6}, {"m", 1e-3},
		{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};

	if (strcmp(ending, "%") == 0 && !*unit)
		return 0.01;
	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		const char *rest = ending + strlen(prefixes[i].prefix);

		if (g_str_has_prefix(ending, prefixes[i].prefix) &&
			(!*rest || strcmp(rest, unit) == 0))
			return prefixes[i].factor;
	}
	return NAN;
}

double quantity_parse(const char *text, const char *unit)
{
	char *ending;
	double number = g_ascii_strtod(text, &ending);

	if (ending == text || !isfinite(number))
		return NAN;
	while (*ending == ' ')
		ending++;
	return number * factor_of(ending, unit);
}

const char *quantity_name(const char *unit)
{
	static const struct {
		const char *unit, *name;
	} names[] = {
		{"s", "time"}, {"W", "power"}, {"J", "energy"}, {"Hz", "frequency"}, {"", "part"}};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(unit, names[i].unit) == 0)
			return names[i].name;
	return "number";
}
