/* SPDX-License-Identifier: MIT */
/* The parts of a page that C writes: they are there without JavaScript. */
#ifndef PWRTRACE_HTML_PAGE_H
#define PWRTRACE_HTML_PAGE_H

#include <stdio.h>

#include "analyzer/view/content/options.h"
#include "analyzer/view/html/html_gather.h"
#include "analyzer/view/text/text_name.h"

struct html_page {
	FILE *out;
	const struct ledger *ledger; /* as it was asked for */
	const struct ledger *flat;   /* kernels, or rows of another kind that are no tree */
	const struct ledger *tree;   /* layers; NULL: nothing named one */
	const struct view_options *options;
	const struct html_gathering *gathering;
};

/* What was measured, in a few large numbers, and the balance. */
void html_put_summary(const struct html_page *page);

/* The rows of a ledger as a table with bars of energies and their intervals; of layers, indented
 * as a tree. */
void html_put_rows(const struct html_page *page, const struct ledger *ledger);

/* Their name, with the colour that charts give it. */
void html_put_row_name(
	const struct html_page *page, const struct text_names *names, const struct ledger_row *row);

/* How busy rows kept the parts of their devices; nothing where that was not counted. */
void html_put_utilization(const struct html_page *page);

/* What each iteration cost; nothing where there are none. */
void html_put_iterations(const struct html_page *page);

/* How far to trust it, and what is missing, in words. */
void html_put_notes(const struct html_page *page);

#endif
