/* SPDX-License-Identifier: MIT */
#include "analyzer/view/html/html_page.h"
#include "analyzer/view/html/html_put.h"
#include "analyzer/view/text/text_facts.h"
#include "analyzer/view/text/text_replays.h"
#include "analyzer/view/text/text_trust.h"
#include "analyzer/view/text/text_work.h"

void html_put_notes(const struct html_page *page)
{
	const struct ledger *ledger = page->ledger;
	struct view_options all = *page->options;
	struct html_text text;
	char *notes;
	FILE *out;

	/* A page has room for all that -v adds. */
	all.verbose = true;
	out = html_begin_text(&text);
	text_put_work(out, ledger, &all);
	text_put_replays(out, ledger);
	text_put_trust(out, ledger, &all);
	text_put_coverage(out, ledger);
	text_put_sensors(out, ledger);
	text_put_words(out, ledger->model);
	notes = html_end_text(&text);
	fputs("<section id=\"notes\">\n<h2>Notes</h2>\n", page->out);
	html_put_sections(page->out, notes);
	fputs("</section>\n", page->out);
	g_free(notes);
}
