/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/row_label.h"

#include <string.h>

#include "analyzer/name/choose.h"
#include "analyzer/name/kernel_label.h"

static const char *shape_of(const struct ledger_row *row)
{
	return row->shape ? row->shape : "";
}

/* The names that several shapes have (const char *). */
static GHashTable *find_ambiguous(const struct ledger_row *rows, guint count)
{
	GHashTable *first = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTable *ambiguous = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < count; i++) {
		const char *known = g_hash_table_lookup(first, rows[i].name);

		if (!known)
			g_hash_table_insert(first, rows[i].name, (gpointer)shape_of(&rows[i]));
		else if (strcmp(known, shape_of(&rows[i])) != 0)
			g_hash_table_add(ambiguous, rows[i].name);
	}
	g_hash_table_destroy(first);
	return ambiguous;
}

static GHashTable *labels_of_kernels(const struct ledger_row *rows, guint count)
{
	GPtrArray *names = g_ptr_array_new();
	GHashTable *labels;

	for (guint i = 0; i < count; i++) {
		if (rows[i].call || g_strcmp0(rows[i].kind, "kernel") != 0)
			continue;
		g_ptr_array_add(names, rows[i].name);
		g_ptr_array_add(names, rows[i].short_name);
	}
	labels = kernel_labels(names);
	g_ptr_array_free(names, TRUE);
	return labels;
}

void row_label_all(struct ledger_row *rows, guint count, bool shaped)
{
	GHashTable *ambiguous = find_ambiguous(rows, count);
	GHashTable *labels = labels_of_kernels(rows, count);

	for (guint i = 0; i < count; i++) {
		const char *label = g_hash_table_lookup(labels, rows[i].name);
		bool with_shape = shaped || g_hash_table_contains(ambiguous, rows[i].name);

		rows[i].label = choose_shaped(
			label ? label : rows[i].name, with_shape ? shape_of(&rows[i]) : "");
	}
	g_hash_table_destroy(labels);
	g_hash_table_destroy(ambiguous);
}
