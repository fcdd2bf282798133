/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_TEXT_TABLE_H
#define PWRTRACE_TEXT_TABLE_H

#include "analyzer/view/content/options.h"
#include "analyzer/view/text/text_name.h"

/* The rows of a report as a table, layers as a tree, and a line for each thing that is not in it.
 */
void text_put_table(FILE *out, const struct ledger *ledger, const struct text_names *names,
	const struct view_options *options);

/* A line that says how many rows are not shown, indented by some columns; nothing for 0. */
void text_put_more(FILE *out, const struct view_options *options, guint rows, int indent);

#endif
