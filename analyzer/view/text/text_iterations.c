/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_iterations.h"

#include <math.h>
#include <string.h>

#include "analyzer/ledger/iterations.h"
#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"
#include "analyzer/view/content/shown_rows.h"

/* NaN: not known. */
static void put_joules(FILE *out, double energy_j, int width)
{
	char cell[CELL_MAX];

	cell_scaled(cell, energy_j, "J");
	cell_put(out, cell, width);
}

static void put_steps(FILE *out, const struct ledger_steps *steps)
{
	char cell[CELL_MAX];

	put_joules(out, steps->known ? steps->first_j : NAN, 9);
	put_joules(out, steps->known ? steps->steady_j : NAN, 10);
	cell_percent(cell, steps->known && steps->steady_j > 0 && !isnan(steps->spread_j)
				   ? steps->spread_j / steps->steady_j
				   : -1);
	cell_put(out, cell, 10);
}

static void put_title(FILE *out, const struct iterations *iterations)
{
	char cell[CELL_MAX];

	fprintf(out, "\nIterations\n  %u", iterations->list->len);
	if (iterations->partly)
		fprintf(out, " (%u of them not wholly measured, and left out)", iterations->partly);
	fprintf(out, ", %s \"",
		strcmp(iterations->from, "mark") == 0
			? "each up to a mark"
			: "each from one opening to the next of the layer");
	text_put(out, iterations->name);
	fputs("\"", out);
	if (iterations->steady_amount > 0 && *iterations->unit) {
		fprintf(out, "; %.6g ", iterations->steady_amount);
		text_put(out, iterations->unit);
		fputs(" each after the first", out);
		if (iterations->steps.known && iterations->steps.steady_j > 0) {
			cell_scaled(
				cell, iterations->steps.steady_j / iterations->steady_amount, "J");
			fprintf(out, ", %s/", cell);
			text_put(out, iterations->unit);
		}
	}
	fputc('\n', out);
}

void text_put_iterations(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	const struct iterations *iterations = ledger->iterations;
	GArray *lines;

	if (!iterations)
		return;
	put_title(out, iterations);
	fprintf(out, "    FIRST    STEADY    SPREAD  %s\n", ledger->by);
	put_steps(out, &iterations->steps);
	fputs("  all, with what was drawn while nothing ran\n", out);
	lines = shown_lines(ledger, options);
	for (guint i = 0; i < lines->len; i++) {
		const struct shown_line *line = &g_array_index(lines, struct shown_line, i);
		const struct ledger_row *row = line->row;

		if (line->shown)
			put_steps(out, &row->node->steps);
		else
			fprintf(out, "%29s", "");
		fprintf(out, "%*s", (int)(2 * row->node->depth), "");
		text_put(out, *row->short_name ? row->short_name : "\"\"");
		fputc('\n', out);
	}
	g_array_free(lines, TRUE);
}
