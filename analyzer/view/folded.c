/* SPDX-License-Identifier: MIT */
/*
 * Collapsed stacks, as flamegraph.pl, speedscope and others read them: a line per row, its names
 * from the outermost to the innermost joined by semicolons, a space, and how many microjoules it
 * cost by itself.
 */
#include "analyzer/print/message.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/content/row_path.h"
#include "analyzer/view/content/shown_rows.h"

/* Semicolons and line ends mean something there. */
static void put_name(FILE *out, const char *name)
{
	if (!*name)
		fputs("(no name)", out);
	for (; *name; name++)
		fputc(*name == ';'                                   ? ':'
			: (unsigned char)*name < ' ' || *name == 127 ? ' '
								     : *name,
			out);
}

static void put_row(FILE *out, const struct ledger *ledger, const struct ledger_row *row)
{
	GPtrArray *names = row_path(ledger, row);

	for (guint i = 0; i < names->len; i++) {
		if (i)
			fputc(';', out);
		put_name(out, g_ptr_array_index(names, i));
	}
	fprintf(out, " %" G_GUINT64_FORMAT "\n", (row->energy_nj + 500) / 1000);
	g_ptr_array_free(names, TRUE);
}

static void write_folded(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *rows = shown_rows(ledger, options);
	unsigned unknown = 0;

	for (guint i = 0; i < rows->len; i++) {
		const struct ledger_row *row = g_ptr_array_index(rows, i);

		/* Layers that only contain others cost nothing by themselves. */
		if (row->energy_known && row->executions)
			put_row(out, ledger, row);
		unknown += !row->energy_known;
	}
	if (unknown)
		message_warn("%u of %u rows are left out: their energy is not known", unknown,
			rows->len);
	g_ptr_array_free(rows, TRUE);
}

const struct format format_folded = {
	.name = "folded",
	.help = "collapsed stacks in microjoules, for flame graphs",
	.write = write_folded,
};
