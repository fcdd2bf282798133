/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_clocks.h"

#include "analyzer/view/content/shown_rows.h"

static bool is_known(const struct ledger_row *row)
{
	return row->state.clock_ns || row->state.reasons_ns;
}

static void put_row(FILE *out, const struct text_names *names, const struct ledger_row *row)
{
	if (row->state.clock_ns)
		fprintf(out, "%6.0f MHz", state_clock_mhz(&row->state));
	else
		fputs("   unknown", out);
	if (row->state.reasons_ns)
		fprintf(out, "%8.1f %%  ", state_throttled(&row->state) * 100);
	else
		fputs("   unknown  ", out);
	text_put_name(out, names, row);
	fputc('\n', out);
}

void text_put_clocks(FILE *out, const struct ledger *ledger, const struct text_names *names,
	const struct view_options *options)
{
	GPtrArray *rows = shown_rows(ledger, options);
	bool any = false;

	for (guint i = 0; i < rows->len; i++) {
		if (!is_known(g_ptr_array_index(rows, i)))
			continue;
		if (!any)
			fprintf(out, "\nClocks\n     CLOCK THROTTLED  %s\n", ledger->by);
		any = true;
		put_row(out, names, g_ptr_array_index(rows, i));
	}
	g_ptr_array_free(rows, TRUE);
}
