/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/ledger/iterations.h"
#include "analyzer/print/cell.h"
#include "analyzer/view/html/html_page.h"
#include "analyzer/view/html/html_put.h"

/* Of more iterations the chart shows all, and the table the first ones. */
#define ITERATIONS_MAX 500

/* A cell by whose value the table is sorted; NaN: not known. */
static void put_value(FILE *out, double value, const char *text)
{
	if (isfinite(value))
		fprintf(out, "<td data-sort=\"%.9f\">%s</td>", value, text);
	else
		fputs("<td data-sort=\"-1\">unknown</td>", out);
}

static void put_scaled(FILE *out, double value, const char *unit)
{
	char cell[CELL_MAX];

	cell_scaled(cell, value, unit);
	put_value(out, value, cell);
}

static void put_iteration(const struct html_page *page, guint i)
{
	const struct iteration *iteration = iterations_at(page->ledger->iterations, i);
	bool known = page->ledger->total.known;
	bool measured = !iteration->unmeasured_ns || iteration->unmeasured_ns < iteration->busy_ns;
	char amount[CELL_MAX];

	fprintf(page->out, "<tr><th scope=\"row\">%u</th>", i);
	put_scaled(page->out, known && measured ? (double)iteration->energy_nj / 1e9 : NAN, "J");
	put_scaled(page->out, known ? (double)iteration->idle_nj / 1e9 : NAN, "J");
	put_scaled(page->out, (double)(iteration->end_ns - iteration->begin_ns) / 1e9, "s");
	snprintf(amount, sizeof(amount), "%.12g", iteration->amount);
	if (*page->ledger->iterations->unit)
		put_value(page->out, iteration->amount, amount);
	fputs("</tr>\n", page->out);
}

static void put_steps(const struct html_page *page)
{
	const struct iterations *iterations = page->ledger->iterations;
	const struct ledger_steps *steps = &iterations->steps;
	char first[CELL_MAX], steady[CELL_MAX], spread[CELL_MAX];

	fprintf(page->out, "<p>%u, ", iterations->list->len);
	fputs(strcmp(iterations->from, "mark") == 0
			? "each up to a mark "
			: "each from one opening to the next of the layer ",
		page->out);
	html_put_name(page->out, iterations->name, iterations->name);
	if (steps->known && isfinite(steps->steady_j)) {
		cell_scaled(first, steps->first_j, "J");
		cell_scaled(steady, steps->steady_j, "J");
		fprintf(page->out, ": the first cost %s, one of the others %s", first, steady);
		if (isfinite(steps->spread_j)) {
			cell_scaled(spread, steps->spread_j, "J");
			fprintf(page->out, " (standard deviation %s)", spread);
		}
		fputs(", idle energy included", page->out);
	}
	if (iterations->partly)
		fprintf(page->out, "; %u not wholly measured, and left out of this",
			iterations->partly);
	fputs(".</p>\n", page->out);
}

void html_put_iterations(const struct html_page *page)
{
	const struct iterations *iterations = page->ledger->iterations;
	guint shown;

	if (!iterations)
		return;
	shown = MIN(iterations->list->len, ITERATIONS_MAX);
	fputs("<section id=\"iterations\">\n<h2>Iterations</h2>\n", page->out);
	put_steps(page);
	fputs("<div id=\"iterations-chart\" class=\"chart\" hidden></div>\n<details><summary>each "
	      "of "
	      "them</summary>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"sums\" "
	      "id=\"each-iteration\"><thead><tr><th scope=\"col\">iteration</th><th scope=\"col\">"
	      "energy</th><th scope=\"col\">idle</th><th scope=\"col\">time</th>",
		page->out);
	if (*iterations->unit) {
		fputs("<th scope=\"col\">", page->out);
		html_put_name(page->out, iterations->unit, iterations->unit);
		fputs("</th>", page->out);
	}
	fputs("</tr></thead>\n<tbody>\n", page->out);
	for (guint i = 0; i < shown; i++)
		put_iteration(page, i);
	fputs("</tbody></table></div>\n", page->out);
	if (shown < iterations->list->len)
		fprintf(page->out, "<p class=\"hint\">%u more are not in this table.</p>\n",
			iterations->list->len - shown);
	fputs("</details></section>\n", page->out);
}
