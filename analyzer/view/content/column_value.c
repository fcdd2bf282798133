/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/column.h"

#include <math.h>
#include <string.h>

#include "analyzer/view/content/sums.h"

struct column_row column_row(const struct ledger *ledger, const struct view_options *options,
	const struct ledger_row *row)
{
	return (struct column_row){ledger, options, row, sums_own(row), sums_shown(row)};
}

struct column_value column_value(const struct column *column, const struct column_row *of)
{
	return column->value(of, column->own ? &of->own : &of->all);
}

double column_number(const struct column *column, const struct column_row *of)
{
	struct column_value value = column_value(column, of);

	if (value.state != VALUE_KNOWN)
		return NAN;
	switch (column->type) {
	case COLUMN_COUNT:
		return (double)value.count;
	case COLUMN_ENERGY:
		return (double)value.energy_nj / 1e9;
	case COLUMN_REAL:
		return value.real;
	default:
		return value.truth;
	}
}

const char *column_text(const struct column *column, const struct column_row *of)
{
	struct column_value value = column_value(column, of);

	return value.state == VALUE_KNOWN ? value.text : "";
}

void column_cell(char cell[CELL_MAX], const struct column *column, const struct column_row *of)
{
	struct column_value value = column_value(column, of);

	if (value.state != VALUE_KNOWN)
		strcpy(cell, value.state == VALUE_NONE ? "-" : "unknown");
	else if (column->type == COLUMN_ENERGY)
		cell_joules(cell, true, value.energy_nj);
	else if (column->type == COLUMN_COUNT)
		snprintf(cell, CELL_MAX, "%" G_GUINT64_FORMAT, value.count);
	else if (column->type == COLUMN_TRUTH)
		strcpy(cell, value.truth ? "yes" : "no");
	else if (column->places[COLUMN_IN_TEXT].format)
		snprintf(cell, CELL_MAX, column->places[COLUMN_IN_TEXT].format, value.real);
	else if (*column->unit)
		cell_scaled(cell, value.real, column->unit);
	else
		cell_percent(cell, value.real);
}

void column_put(FILE *out, const struct column *column, enum column_form form,
	const struct column_value *value)
{
	const char *format = column->places[form].format;
	char joules_cell[CELL_MAX];

	switch (column->type) {
	case COLUMN_COUNT:
		fprintf(out, "%" G_GUINT64_FORMAT, value->count);
		break;
	case COLUMN_ENERGY:
		fputs(cell_exact_joules(joules_cell, value->energy_nj), out);
		break;
	case COLUMN_TRUTH:
		fputs(value->truth ? "true" : "false", out);
		break;
	default:
		fprintf(out, format ? format : "%.9f", value->real);
	}
}
