/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/print/text.h"
#include "analyzer/view/content/column.h"
#include "analyzer/view/content/shown_rows.h"
#include "analyzer/view/content/sums.h"
#include "analyzer/view/html/html_page.h"
#include "analyzer/view/html/html_put.h"

/* More rows make a browser slow; --top and --filter choose others. */
#define ROWS_MAX 2000

#define COLORS 8 /* that the style sheet has for kernels */

struct html_table {
	FILE *out;
	const struct html_page *page;
	const struct ledger *ledger;
	const struct text_names *names;
	GPtrArray *columns; /* const struct column * */
	double most_j;      /* the energy at the right end of bars; 0: there are none */
};

static struct column_row row_of(const struct html_table *table, const struct ledger_row *row)
{
	return column_row(table->ledger, table->page->options, row);
}

/* ---- cells ---- */

/* The value as --format json has it, by which a browser sorts. */
static void put_exact(FILE *out, const struct column *column, const struct column_row *of)
{
	struct column_value value = column_value(column, of);

	if (value.state != VALUE_KNOWN)
		fputs("-1", out);
	else if (column->type == COLUMN_TEXT)
		html_put_text(out, value.text);
	else
		column_put(out, column, COLUMN_IN_JSON, &value);
}

static void put_cell(FILE *out, const struct column *column, const struct column_row *of)
{
	char cell[CELL_MAX];

	fputs("<td data-sort=\"", out);
	put_exact(out, column, of);
	fputs("\">", out);
	if (column->type == COLUMN_TEXT) {
		html_put_text(out, column_text(column, of));
	} else {
		column_cell(cell, column, of);
		html_put_text(out, cell);
	}
	fputs("</td>", out);
}

/* A bar as long as the energy, and over its end the 95 % interval. */
static void put_bar(const struct html_table *table, const struct ledger_sums *sums)
{
	double energy_j = (double)sums->energy_nj / 1e9;

	fprintf(table->out, "<td class=\"bar\" data-sort=\"%.9f\"><div>",
		sums->energy_known ? energy_j : -1);
	if (sums->energy_known && table->most_j > 0)
		html_put_bar(table->out, energy_j, sums_ci95(sums), table->most_j);
	fputs("</div></td>", table->out);
}

static void put_remarks(FILE *out, const struct ledger_row *row)
{
	if (row->group) {
		fputs(" <small title=\"the readings do not tell the rows of a group apart\">", out);
		html_put_text(out, row->group);
		fputs("</small>", out);
	}
	fputs(row->replays.executions ? " <small>replayed</small>" : "", out);
	fputs(row->modelled ? " <small>modelled</small>" : "", out);
}

void html_put_row_name(
	const struct html_page *page, const struct text_names *names, const struct ledger_row *row)
{
	guint label = html_label_of(page->gathering, row->label);
	struct html_text text;
	char *name;

	text_put_name(html_begin_text(&text), names, row);
	name = html_end_text(&text);
	if (label < COLORS)
		fprintf(page->out, "<i class=\"color%u\"></i>", label);
	else if (label != G_MAXUINT)
		fputs("<i></i>", page->out);
	html_put_name(page->out, name, row->name);
	g_free(name);
}

/* ---- rows ---- */

static void put_values(const struct html_table *table, const struct ledger_row *row)
{
	struct column_row of = row_of(table, row);

	put_bar(table, &of.all);
	for (guint i = 0; i < table->columns->len; i++)
		put_cell(table->out, g_ptr_array_index(table->columns, i), &of);
}

static void put_head(const struct html_table *table)
{
	fputs("<thead><tr><th scope=\"col\" data-sort-method=\"text\">", table->out);
	html_put_text(table->out, table->ledger->by);
	fputs("</th><th scope=\"col\" class=\"bar\">energy and interval</th>", table->out);
	for (guint i = 0; i < table->columns->len; i++) {
		const struct column *column = g_ptr_array_index(table->columns, i);
		char *heading = g_utf8_strdown(column->places[COLUMN_IN_TEXT].heading, -1);

		fputs("<th scope=\"col\">", table->out);
		html_put_text(table->out, heading);
		fputs("</th>", table->out);
		g_free(heading);
	}
	fputs("</tr></thead>\n", table->out);
}

static void put_flat(const struct html_table *table)
{
	GPtrArray *rows = shown_rows(table->ledger, table->page->options);
	guint shown = MIN(rows->len, ROWS_MAX);

	for (guint i = 0; i < shown; i++) {
		fputs("<tr><th scope=\"row\">", table->out);
		html_put_row_name(table->page, table->names, g_ptr_array_index(rows, i));
		put_remarks(table->out, g_ptr_array_index(rows, i));
		fputs("</th>", table->out);
		put_values(table, g_ptr_array_index(rows, i));
		fputs("</tr>\n", table->out);
	}
	fputs("</tbody></table></div>\n", table->out);
	if (shown < table->ledger->rows->len)
		fprintf(table->out, "<p class=\"hint\">%u rows more are not shown here.</p>\n",
			table->ledger->rows->len - shown);
	g_ptr_array_free(rows, TRUE);
}

static void put_line(const struct html_table *table, const struct shown_line *line)
{
	const struct ledger_row *row = line->row;

	fprintf(table->out, "<tr data-depth=\"%u\"><th scope=\"row\" style=\"--depth:%u\">",
		row->node->depth, MIN(row->node->depth, 24) - 1);
	html_put_name(table->out, row->short_name, row->name);
	fputs("</th>", table->out);
	if (line->shown)
		put_values(table, row);
	else
		fprintf(table->out, "<td colspan=\"%u\"></td>", table->columns->len + 1);
	fputs("</tr>\n", table->out);
}

static void put_tree(const struct html_table *table)
{
	GArray *lines = shown_lines(table->ledger, table->page->options);

	for (guint i = 0; i < MIN(lines->len, ROWS_MAX); i++)
		put_line(table, &g_array_index(lines, struct shown_line, i));
	fputs("</tbody></table></div>\n<p class=\"hint\">All but own is with the layers inside; "
	      "idle was drawn besides, while they waited.",
		table->out);
	if (lines->len > ROWS_MAX)
		fprintf(table->out, " %u layers more are not shown here.", lines->len - ROWS_MAX);
	fputs("</p>\n", table->out);
	g_array_free(lines, TRUE);
}

static double most_j(const struct ledger *ledger)
{
	double most = 0;

	for (guint i = 0; i < ledger->rows->len; i++) {
		struct ledger_sums sums =
			sums_shown(&g_array_index(ledger->rows, struct ledger_row, i));

		if (sums.energy_known)
			most = fmax(most, (double)sums.energy_nj / 1e9 + fmax(sums_ci95(&sums), 0));
	}
	return most;
}

void html_put_rows(const struct html_page *page, const struct ledger *ledger)
{
	bool tree = sums_in_tree(ledger);
	struct text_names *names = text_names_new(ledger);
	struct html_table table = {page->out, page, ledger, names,
		columns_printed(COLUMN_IN_TEXT, ledger, page->options), most_j(ledger)};

	fprintf(page->out, "<div class=\"scroll\" tabindex=\"0\"><table class=\"%s\" id=\"%s\">\n",
		tree ? "rows tree" : "rows", tree ? "layers" : "rows");
	put_head(&table);
	fputs("<tbody>\n", page->out);
	if (tree)
		put_tree(&table);
	else
		put_flat(&table);
	if (!ledger_executions(ledger))
		fputs("<p class=\"hint\">Nothing ran on a device.</p>\n", page->out);
	g_ptr_array_free(table.columns, TRUE);
	text_names_free(names);
}
