/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_utilization.h"

#include "analyzer/view/content/utilization_cell.h"
#include "pwrtrace/parts.h"

static void put_row(FILE *out, const struct ledger_row *row)
{
	char cell[CELL_MAX];

	for (int part = 0; part < PWRTRACE_PARTS; part++) {
		utilization_cell(cell, &row->utilization[part]);
		cell_put(out, cell, 10);
	}
}

void text_put_utilization(FILE *out, const struct ledger *ledger, const struct text_names *names,
	const struct view_options *options)
{
	GPtrArray *rows = utilization_rows(ledger, options);

	if (rows->len) {
		fputs("\nUtilization, in % of all that a part can do\n", out);
		for (int part = 0; part < PWRTRACE_PARTS; part++)
			fprintf(out, "%10s", utilization_headings[part]);
		fprintf(out, "  %s\n", ledger->by);
	}
	for (guint i = 0; i < rows->len; i++) {
		const struct ledger_row *row = g_ptr_array_index(rows, i);

		put_row(out, row);
		fputs("  ", out);
		text_put_name(out, names, row);
		fputc('\n', out);
	}
	g_ptr_array_free(rows, TRUE);
}
