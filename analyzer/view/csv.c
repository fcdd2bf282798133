/* SPDX-License-Identifier: MIT */
#include "analyzer/print/csv.h"
#include "analyzer/view/content/column.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/content/shown_rows.h"

static void write_value(FILE *out, const struct column *column, const struct column_row *of)
{
	struct column_value value = column_value(column, of);

	if (value.state != VALUE_KNOWN)
		return;
	if (column->type == COLUMN_TEXT)
		csv_put_text(out, value.text);
	else
		column_put(out, column, COLUMN_IN_CSV, &value);
}

static void write_csv(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *rows = shown_rows(ledger, options);
	GPtrArray *columns = columns_printed(COLUMN_IN_CSV, ledger, options);

	for (guint i = 0; i < columns->len; i++) {
		const struct column *column = g_ptr_array_index(columns, i);

		fprintf(out, "%s%s", i ? "," : "", column->places[COLUMN_IN_CSV].heading);
	}
	fputs("\r\n", out);
	for (guint i = 0; i < rows->len; i++) {
		struct column_row of = column_row(ledger, options, g_ptr_array_index(rows, i));

		for (guint k = 0; k < columns->len; k++) {
			fputs(k ? "," : "", out);
			write_value(out, g_ptr_array_index(columns, k), &of);
		}
		fputs("\r\n", out);
	}
	g_ptr_array_free(columns, TRUE);
	g_ptr_array_free(rows, TRUE);
}

const struct format format_csv = {
	.name = "csv",
	.help = "comma-separated values, for spreadsheets",
	.write = write_csv,
};
