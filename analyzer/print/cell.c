/* SPDX-License-Identifier: MIT */
#include "analyzer/print/cell.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "pwrtrace/units.h"

void cell_scaled(char cell[CELL_MAX], double value, const char *unit)
{
	static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G"};
	int prefix = 4;

	if (!isfinite(value)) {
		strcpy(cell, "unknown");
		return;
	}
	while (prefix < 7 && fabs(value) >= 999.5) {
		value /= 1000;
		prefix++;
	}
	while (prefix > 0 && value > 0 && value < 0.9995) {
		value *= 1000;
		prefix--;
	}
	if (value <= 0)
		prefix = 4;
	snprintf(cell, CELL_MAX, "%.*f %s%s",
		value >= 99.95 || value <= 0 ? 0
		: value >= 9.995             ? 1
		: value >= 0.9995            ? 2
					     : 3,
		value, prefixes[prefix], unit);
}

void cell_range(char cell[CELL_RANGE_MAX], double low, double high, const char *unit)
{
	char from[CELL_MAX], to[CELL_MAX], *from_unit, *to_unit;
	bool same;

	cell_scaled(from, low, unit);
	cell_scaled(to, high, unit);
	same = strcmp(from, to) == 0;
	from_unit = strchr(from, ' ');
	to_unit = strchr(to, ' ');
	if (!same && from_unit && to_unit && strcmp(from_unit, to_unit) == 0)
		*from_unit = 0;
	snprintf(cell, CELL_RANGE_MAX, "%s%s%s", from, same ? "" : " to ", same ? "" : to);
}

void cell_scaled_short(char cell[CELL_MAX], double value, const char *unit)
{
	char *space, *end;

	cell_scaled(cell, value, unit);
	space = end = strchr(cell, ' ');
	if (!space || !memchr(cell, '.', (size_t)(space - cell)))
		return;
	while (end[-1] == '0')
		end--;
	end -= end[-1] == '.';
	memmove(end, space, strlen(space) + 1);
}

void cell_joules(char cell[CELL_MAX], bool known, uint64_t energy_nj)
{
	if (known)
		cell_scaled(cell, (double)energy_nj / 1e9, "J");
	else
		strcpy(cell, "unknown");
}

void cell_percent(char cell[CELL_MAX], double part)
{
	if (part >= 0)
		snprintf(cell, CELL_MAX, "%.1f %%", part * 100);
	else
		strcpy(cell, "unknown");
}

/* printf counts bytes, and "µ" and "±" have two of them in one column. */
void cell_put(FILE *out, const char *cell, int width)
{
	fprintf(out, "%*s%s", width - (int)g_utf8_strlen(cell, -1), "", cell);
}

const char *cell_exact_joules(char cell[CELL_MAX], uint64_t energy_nj)
{
	snprintf(cell, CELL_MAX, "%" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT,
		energy_nj / PWRTRACE_NJ_PER_J, energy_nj % PWRTRACE_NJ_PER_J);
	return cell;
}
