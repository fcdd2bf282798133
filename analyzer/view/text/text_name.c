/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_name.h"

#include <string.h>

#include "analyzer/name/kernel_label.h"
#include "analyzer/print/text.h"
#include "analyzer/view/text/call_path.h"

struct text_names {
	GHashTable *labels;    /* by full name */
	GHashTable *ambiguous; /* the full names that several rows have */
	bool by_launch;        /* all of them are */
	const struct ledger *ledger;
	guint shared; /* functions that all call paths begin with */
};

struct text_names *text_names_new(const struct ledger *ledger)
{
	struct text_names *names = g_new0(struct text_names, 1);
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *pairs = g_ptr_array_new();

	names->ledger = ledger;
	names->shared = call_path_shared(ledger);
	names->by_launch = strcmp(ledger->by, "launch") == 0;
	names->ambiguous = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < ledger->rows->len; i++) {
		const struct ledger_row *row = &g_array_index(ledger->rows, struct ledger_row, i);

		if (!g_hash_table_add(seen, row->name)) {
			g_hash_table_add(names->ambiguous, row->name);
		} else if (!row->call && g_strcmp0(row->kind, "kernel") == 0) {
			g_ptr_array_add(pairs, row->name);
			g_ptr_array_add(pairs, row->short_name);
		}
	}
	names->labels = kernel_labels(pairs);
	g_ptr_array_free(pairs, TRUE);
	g_hash_table_destroy(seen);
	return names;
}

void text_names_free(struct text_names *names)
{
	g_hash_table_destroy(names->labels);
	g_hash_table_destroy(names->ambiguous);
	g_free(names);
}

void text_put_names_end(FILE *out, const struct text_names *names)
{
	if (names->shared)
		call_path_put_shared(out, names->ledger, names->shared);
}

void text_put_name(FILE *out, const struct text_names *names, const struct ledger_row *row,
	const struct view_options *options)
{
	const char *label = g_hash_table_lookup(names->labels, row->name);
	char *path = row->call ? call_path_text(names->ledger, row, names->shared) : NULL;

	text_put(out, path ? path : label ? label : row->name);
	g_free(path);
	if (*row->shape &&
		(names->by_launch || g_hash_table_contains(names->ambiguous, row->name))) {
		fputs(options->color ? "\033[2m [" : " [", out);
		text_put(out, row->shape);
		fputs(options->color ? "]\033[0m" : "]", out);
	}
}
