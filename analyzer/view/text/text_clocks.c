/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_clocks.h"

#include <string.h>

#include "analyzer/view/content/shown_rows.h"

static bool is_known(const struct ledger_row *row)
{
	return row->state.clock_ns || row->state.reasons_ns;
}

/* A row's clock, and how much of its time the device was throttled, as they are printed. */
static char *values_of(const struct ledger_row *row)
{
	GString *text = g_string_new(NULL);

	if (row->state.clock_ns)
		g_string_append_printf(text, "%6.0f MHz", state_clock_mhz(&row->state));
	else
		g_string_append(text, "   unknown");
	if (row->state.reasons_ns)
		g_string_append_printf(text, "%8.1f %%", state_throttled(&row->state) * 100);
	else
		g_string_append(text, "   unknown");
	return g_string_free(text, FALSE);
}

/* Whether rows, at least two, have the same values. */
static bool are_alike(const GPtrArray *rows)
{
	char *first = rows->len > 1 ? values_of(g_ptr_array_index(rows, 0)) : NULL;
	bool alike = first != NULL;

	for (guint i = 1; alike && i < rows->len; i++) {
		char *values = values_of(g_ptr_array_index(rows, i));

		alike = strcmp(values, first) == 0;
		g_free(values);
	}
	g_free(first);
	return alike;
}

void text_put_clocks(FILE *out, const struct ledger *ledger, const struct text_names *names,
	const struct view_options *options)
{
	GPtrArray *rows = shown_rows(ledger, options);
	bool alike;

	for (guint i = rows->len; i > 0; i--)
		if (!is_known(g_ptr_array_index(rows, i - 1)))
			g_ptr_array_remove_index(rows, i - 1);
	alike = are_alike(rows);
	if (rows->len)
		fprintf(out, "\nClocks\n     CLOCK THROTTLED  %s\n", ledger->by);
	for (guint i = 0; i < (alike ? 1 : rows->len); i++) {
		char *values = values_of(g_ptr_array_index(rows, i));

		fprintf(out, "%s  ", values);
		if (alike)
			fprintf(out, "all %u", rows->len);
		else
			text_put_name(out, names, g_ptr_array_index(rows, i));
		fputc('\n', out);
		g_free(values);
	}
	g_ptr_array_free(rows, TRUE);
}
