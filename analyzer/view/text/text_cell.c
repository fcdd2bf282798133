/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_cell.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* Three significant digits with an SI prefix. */
void text_scaled(char cell[TEXT_CELL], double value, const char *unit)
{
	static const char *const prefixes[] = {"n", "µ", "m", "", "k", "M", "G"};
	int prefix = 3;

	while (prefix < 6 && fabs(value) >= 999.5) {
		value /= 1000;
		prefix++;
	}
	while (prefix > 0 && value > 0 && value < 0.9995) {
		value *= 1000;
		prefix--;
	}
	if (value <= 0)
		prefix = 3;
	snprintf(cell, TEXT_CELL, "%.*f %s%s",
		value >= 99.95 || value <= 0 ? 0
		: value >= 9.995             ? 1
					     : 2,
		value, prefixes[prefix], unit);
}

void text_joules(char cell[TEXT_CELL], bool known, uint64_t energy_nj)
{
	if (known)
		text_scaled(cell, (double)energy_nj / 1e9, "J");
	else
		strcpy(cell, "unknown");
}

/* Of a part; negative: not known. */
void text_percent(char cell[TEXT_CELL], double part)
{
	if (part >= 0)
		snprintf(cell, TEXT_CELL, "%.1f %%", part * 100);
	else
		strcpy(cell, "unknown");
}

/* "µ" and "±" are two bytes and one column. */
void text_put_right(FILE *out, const char *cell, int width)
{
	fprintf(out, "%*s%s", width - (int)g_utf8_strlen(cell, -1), "", cell);
}
