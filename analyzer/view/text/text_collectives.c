/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_collectives.h"

#include <math.h>
#include <string.h>

#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"
#include "analyzer/view/content/shown_rows.h"
#include "analyzer/view/text/text_table.h"

#define CELLS 5

/* A line before it is aligned; the words come first, then numbers. */
struct line {
	const char *name;
	char cells[CELLS - 1][2 * CELL_MAX];
};

static void put_number(char *cell, const char *words, double value, const char *unit)
{
	char number[CELL_MAX] = "unknown";

	if (value >= 0)
		cell_scaled_short(number, value, unit);
	snprintf(cell, 2 * CELL_MAX, "%s%s", words, number);
}

static const char *bound_of(const struct ledger_row *row)
{
	if (isnan(row->slope))
		return "unknown";
	return row->slope < LEDGER_LATENCY_SLOPE ? "latency-bound" : "bandwidth-bound";
}

/* Of one execution, in the mean.  What ran outside collectives has no bound, and waits for no rank.
 */
static struct line line_of(const struct ledger_row *row)
{
	const struct ledger_meetings *met = &row->meetings;
	double executions = (double)row->executions;
	struct line line = {.name = row->label};

	strcpy(line.cells[0], row->exchange ? bound_of(row) : "-");
	put_number(line.cells[1], "",
		row->timed ? (double)row->time_ns / 1e9 / (double)row->timed : NAN, "s");
	if (row->exchange)
		put_number(line.cells[2], "waiting ",
			met->executions ? (double)met->waited_ns / 1e9 / (double)met->executions
					: NAN,
			"s");
	else
		strcpy(line.cells[2], "-");
	put_number(line.cells[3], "",
		row->energy_known ? (double)row->energy_nj / 1e9 / executions : NAN, "J");
	return line;
}

static const char *cell_at(const struct line *line, size_t i)
{
	return i ? line->cells[i - 1] : line->name;
}

static void put_lines(FILE *out, const GArray *lines)
{
	int widths[CELLS] = {0};

	for (guint i = 0; i < lines->len; i++)
		for (size_t k = 0; k < CELLS; k++) {
			const char *cell = cell_at(&g_array_index(lines, struct line, i), k);

			widths[k] = MAX(widths[k], text_width(cell));
		}
	for (guint i = 0; i < lines->len; i++) {
		for (size_t k = 0; k < CELLS; k++) {
			const char *cell = cell_at(&g_array_index(lines, struct line, i), k);
			int blanks = widths[k] - text_width(cell);
			bool words = k < 2;

			fprintf(out, "%s%*s", k ? "  " : "", words ? 0 : blanks, "");
			if (k)
				fputs(cell, out);
			else
				text_put(out, cell);
			fprintf(out, "%*s", words ? blanks : 0, "");
		}
		fputc('\n', out);
	}
}

static void put_unknown(FILE *out, const struct collectives *collectives)
{
	if (collectives->not_run)
		fprintf(out,
			"  (calls that launched nothing that was seen, as where it became part of "
			"a graph: %u)\n",
			collectives->not_run);
	if (collectives->not_met)
		fprintf(out,
			"  (calls whose other ranks are not all known, nor so their waiting: %u)\n",
			collectives->not_met);
}

void text_put_collectives(
	FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *rows = shown_rows(ledger, options);
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct line));

	for (guint i = 0; i < rows->len; i++) {
		struct line line = line_of(g_ptr_array_index(rows, i));

		g_array_append_val(lines, line);
	}
	put_lines(out, lines);
	text_put_more(out, options, ledger->rows->len - rows->len, 2);
	if (lines->len)
		fputs("  (of one execution each: its time, what of it waited for other ranks, its "
		      "energy)\n",
			out);
	if (!ledger->model->collectives->list->len)
		fputs("  (no call of NCCL or RCCL was recorded)\n", out);
	put_unknown(out, ledger->model->collectives);
	g_array_free(lines, TRUE);
	g_ptr_array_free(rows, TRUE);
}
