/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/utilization_cell.h"
#include "analyzer/view/html/html_page.h"
#include "analyzer/view/html/html_put.h"
#include "analyzer/view/text/text_name.h"
#include "pwrtrace/parts.h"

/* More cannot be read. */
#define ROWS_MAX 200

static void put_head(FILE *out, const char *by)
{
	fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"rows\" "
	      "id=\"utilization\">\n<thead><tr><th scope=\"col\" data-sort-method=\"text\">",
		out);
	html_put_text(out, by);
	fputs("</th>", out);
	for (int part = 0; part < PWRTRACE_PARTS; part++) {
		char *heading = g_utf8_strdown(utilization_headings[part], -1);

		fprintf(out, "<th scope=\"col\" class=\"part\">%s</th>", heading);
		g_free(heading);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

static void put_part(FILE *out, const struct ledger_utilization *of_part)
{
	bool known = utilization_known(of_part);
	char cell[CELL_MAX];

	utilization_cell(cell, of_part);
	fprintf(out, "<td class=\"bar part\" data-sort=\"%.6f\"><div>",
		known ? of_part->share : -1);
	if (known)
		html_put_bar(out, of_part->share, of_part->ci95, 1);
	fprintf(out, "</div>%s</td>", cell);
}

static void put_rows(const struct html_page *page, const GPtrArray *rows)
{
	struct text_names *names = text_names_new(page->flat);

	for (guint i = 0; i < MIN(rows->len, ROWS_MAX); i++) {
		const struct ledger_row *row = g_ptr_array_index(rows, i);

		fputs("<tr><th scope=\"row\">", page->out);
		html_put_row_name(page, names, row);
		fputs("</th>", page->out);
		for (int part = 0; part < PWRTRACE_PARTS; part++)
			put_part(page->out, &row->utilization[part]);
		fputs("</tr>\n", page->out);
	}
	text_names_free(names);
}

void html_put_utilization(const struct html_page *page)
{
	GPtrArray *rows = utilization_rows(page->flat, page->options);

	if (rows->len) {
		fputs("<section>\n<h2>Utilization</h2>\n", page->out);
		put_head(page->out, page->flat->by);
		put_rows(page, rows);
		fputs("</tbody></table></div>\n<p class=\"hint\">In % of all that a part of the "
		      "device can do, with the 95 % interval.</p>\n</section>\n",
			page->out);
	}
	g_ptr_array_free(rows, TRUE);
}
