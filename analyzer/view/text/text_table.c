/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_table.h"

#include <math.h>
#include <string.h>

#include "analyzer/print/bar.h"
#include "analyzer/print/cell.h"
#include "analyzer/print/terminal.h"
#include "analyzer/print/text.h"
#include "analyzer/view/content/column.h"
#include "analyzer/view/content/shown_rows.h"
#include "analyzer/view/content/sums.h"

#define NAME_ROOM                                                                                  \
	40 /* columns of a terminal that names have, while others can be left out for it */
#define NOTE_INDENT 10 /* columns before what is said below the rows */
#define BAR 8          /* columns that the bar of the largest share has */
#define LARGE 0.1      /* shares from here on are red, */
#define NOTABLE 0.03   /* and those from here on yellow */

/* ---- columns ---- */

/* The columns that such a report has. */
struct text_table {
	FILE *out;
	const struct ledger *ledger;
	const struct view_options *options;
	GPtrArray *columns; /* const struct column * */
	double share;       /* the largest; bars are drawn to it.  0: there are none */
};

static const struct column *column_at(const struct text_table *table, guint i)
{
	return g_ptr_array_index(table->columns, i);
}

static int width_of(const struct column *column)
{
	return column->places[COLUMN_IN_TEXT].width;
}

static const struct column *share_column(void)
{
	return column_find("share", strlen("share"));
}

/* Leaves out columns where a terminal has no room for them beside names. */
static void fit_columns(const struct text_table *table)
{
	int room = terminal_columns(table->out) - NAME_ROOM;

	for (;;) {
		guint sparest = 0;
		int width = table->share > 0 ? BAR + 2 : 0;

		for (guint i = 0; i < table->columns->len; i++) {
			width += width_of(column_at(table, i));
			if (column_at(table, i)->places[COLUMN_IN_TEXT].spare >
				column_at(table, sparest)->places[COLUMN_IN_TEXT].spare)
				sparest = i;
		}
		if (width <= room || !column_at(table, sparest)->places[COLUMN_IN_TEXT].spare)
			break;
		g_ptr_array_remove_index(table->columns, sparest);
	}
}

static void put_header(const struct text_table *table)
{
	FILE *out = table->out;

	fputs(table->options->color ? "\033[4m" : "", out);
	for (guint i = 0; i < table->columns->len; i++)
		fprintf(out, "%*s", width_of(column_at(table, i)),
			column_at(table, i)->places[COLUMN_IN_TEXT].heading);
	fprintf(out, "%*s  %s%s\n", table->share > 0 ? BAR + 2 : 0, "", table->ledger->by,
		table->options->color ? "\033[0m" : "");
}

static void put_value(FILE *out, const struct column *column, const struct column_row *of)
{
	char cell[CELL_MAX];

	if (column->type == COLUMN_TEXT) {
		const char *text = column_text(column, of);

		cell_put(out, "", width_of(column) - text_width(text));
		text_put(out, text);
		return;
	}
	column_cell(cell, column, of);
	cell_put(out, cell, width_of(column));
}

static void put_bar(const struct text_table *table, const struct column_row *of)
{
	double share = column_number(share_column(), of);
	bool color = table->options->color && share >= NOTABLE;

	fprintf(table->out, "  %s", !color ? "" : share >= LARGE ? "\033[31m" : "\033[33m");
	bar_put(table->out, isnan(share) ? 0 : share / table->share, BAR);
	fputs(color ? "\033[0m" : "", table->out);
}

/* Writes a row's values, the first of which, its energy, is bold. */
static void put_values(const struct text_table *table, const struct ledger_row *row)
{
	struct column_row of = column_row(table->ledger, table->options, row);
	bool color = table->options->color;

	for (guint i = 0; i < table->columns->len; i++) {
		fputs(color && i == 0 ? "\033[1m" : "", table->out);
		put_value(table->out, column_at(table, i), &of);
		fputs(color && i == 0 ? "\033[0m" : "", table->out);
	}
	if (table->share > 0)
		put_bar(table, &of);
}

/* Writes blanks in place of the values of a row. */
static void put_blanks(const struct text_table *table)
{
	for (guint i = 0; i < table->columns->len; i++)
		fprintf(table->out, "%*s", width_of(column_at(table, i)), "");
	fprintf(table->out, "%*s", table->share > 0 ? BAR + 2 : 0, "");
}

/* ---- names ---- */

/* After the name, where some of its energy is known: for how much of its time it is not. */
static void put_unmeasured(FILE *out, const struct ledger_sums *sums)
{
	char cell[CELL_MAX];

	if (!sums->energy_known || !ledger_notably_unmeasured(sums->unmeasured_ns, sums->busy_ns))
		return;
	cell_percent(cell, (double)sums->unmeasured_ns / (double)sums->busy_ns);
	fprintf(out, " (%s of its time unmeasured)", cell);
}

static void put_row_name(FILE *out, const struct text_names *names, const struct ledger_row *row)
{
	struct ledger_sums own = sums_own(row);

	fputs("  ", out);
	text_put_name(out, names, row);
	if (row->group)
		fprintf(out, " (%s)", row->group);
	put_unmeasured(out, &own);
	fputs(row->replays.executions ? " (replayed)" : "", out);
	fputs(row->modelled ? " (modelled)\n" : "\n", out);
}

void text_put_more(FILE *out, const struct view_options *options, guint rows, int indent)
{
	bool wanted = options->top || options->filter;

	if (rows)
		fprintf(out, "%*s(%u row%s more%s)\n", indent, "", rows, rows == 1 ? "" : "s",
			terminal_columns(out) && !wanted ? ": --wide shows them" : "");
}

/* ---- rows ---- */

static void put_rows(const struct text_table *table, const struct text_names *names)
{
	GPtrArray *rows = shown_rows(table->ledger, table->options);
	bool modelled = false;

	for (guint i = 0; i < rows->len; i++) {
		const struct ledger_row *row = g_ptr_array_index(rows, i);

		put_values(table, row);
		put_row_name(table->out, names, row);
		modelled |= row->modelled;
	}
	text_put_names_end(table->out, names);
	text_put_more(
		table->out, table->options, table->ledger->rows->len - rows->len, NOTE_INDENT);
	if (modelled)
		fputs("          (modelled: parts of graphs that were timed as one unit, by the "
		      "shares of another run)\n",
			table->out);
	g_ptr_array_free(rows, TRUE);
}

static void put_line(const struct text_table *table, const struct shown_line *line)
{
	const struct ledger_row *row = line->row;

	if (line->shown)
		put_values(table, row);
	else
		put_blanks(table);
	fprintf(table->out, "%*s", (int)(2 * row->node->depth), "");
	text_put(table->out, *row->short_name ? row->short_name : "\"\"");
	if (line->shown)
		put_unmeasured(table->out, &row->node->all);
	fputc('\n', table->out);
}

static void put_tree(const struct text_table *table)
{
	const struct ledger *ledger = table->ledger;
	GArray *lines = shown_lines(ledger, table->options);
	guint shown = 0;

	for (guint i = 0; i < lines->len; i++) {
		const struct shown_line *line = &g_array_index(lines, struct shown_line, i);

		put_line(table, line);
		shown += line->shown;
	}
	text_put_more(table->out, table->options, ledger->rows->len - shown, NOTE_INDENT);
	if (!ledger->model->event_count[PWRTRACE_EV_layer_def])
		fputs("          (nothing named a layer; pwrtrace-record(1) says what can)\n",
			table->out);
	fputs("          (all but OWN is with the layers inside; IDLE was drawn besides, while "
	      "they "
	      "waited)\n",
		table->out);
	g_array_free(lines, TRUE);
}

static double largest_share(const struct ledger *ledger, const struct view_options *options)
{
	double largest = 0;

	for (guint i = 0; i < ledger->rows->len; i++) {
		struct column_row of = column_row(
			ledger, options, &g_array_index(ledger->rows, struct ledger_row, i));

		largest = fmax(largest, column_number(share_column(), &of));
	}
	return largest;
}

void text_put_table(FILE *out, const struct ledger *ledger, const struct text_names *names,
	const struct view_options *options)
{
	struct text_table table = {out, ledger, options,
		columns_printed(COLUMN_IN_TEXT, ledger, options),
		terminal_columns(out) ? largest_share(ledger, options) : 0};

	if (terminal_columns(out))
		fit_columns(&table);
	put_header(&table);
	if (sums_in_tree(ledger))
		put_tree(&table);
	else
		put_rows(&table, names);
	if (!ledger_executions(ledger))
		fputs("          (nothing ran on a device)\n", out);
	g_ptr_array_free(table.columns, TRUE);
}
