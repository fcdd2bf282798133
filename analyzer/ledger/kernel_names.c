/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/kernel_names.h"

#include <string.h>

#include "analyzer/ledger/row_name.h"
#include "analyzer/name/choose.h"
#include "analyzer/name/kernel_label.h"
#include "analyzer/print/message.h"

/* ---- names ---- */

static void clear_row(struct ledger_row *row)
{
	g_free(row->name);
	g_free(row->short_name);
	g_free(row->shape);
}

/* The names that several shapes have (const char *): they are behind the label then. */
static GHashTable *find_ambiguous(const struct ledger_row *rows, guint count)
{
	GHashTable *shape_of = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTable *ambiguous = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < count; i++) {
		const char *shape = rows[i].shape ? rows[i].shape : "";
		const char *known = g_hash_table_lookup(shape_of, rows[i].name);

		if (!known)
			g_hash_table_insert(shape_of, rows[i].name, (gpointer)shape);
		else if (strcmp(known, shape) != 0)
			g_hash_table_add(ambiguous, rows[i].name);
	}
	g_hash_table_destroy(shape_of);
	return ambiguous;
}

static void set_labels(struct kernel_names *names, const struct ledger_row *rows)
{
	GHashTable *ambiguous = find_ambiguous(rows, names->origins), *labels;
	GPtrArray *pairs = g_ptr_array_new();

	for (guint i = 0; i < names->origins; i++) {
		g_ptr_array_add(pairs, rows[i].name);
		g_ptr_array_add(pairs, rows[i].short_name);
	}
	labels = kernel_labels(pairs);
	for (guint i = 0; i < names->origins; i++) {
		const char *label = g_hash_table_lookup(labels, rows[i].name);
		char *whole = choose_shaped(
			label, g_hash_table_contains(ambiguous, rows[i].name) ? rows[i].shape : "");

		names->label[i] = g_string_chunk_insert_const(names->strings, whole);
		names->name[i] = g_string_chunk_insert_const(names->strings, rows[i].name);
		names->short_name[i] =
			g_string_chunk_insert_const(names->strings, rows[i].short_name);
		g_free(whole);
	}
	g_ptr_array_free(pairs, TRUE);
	g_hash_table_destroy(labels);
	g_hash_table_destroy(ambiguous);
}

struct kernel_names *kernel_names_of(const struct model *model)
{
	struct kernel_names *names = g_new(struct kernel_names, 1);
	guint count = model->origins->list->len;
	struct ledger_row *rows = g_new0(struct ledger_row, count + 1);

	*names = (struct kernel_names){.label = g_new(const char *, count + 1),
		.name = g_new(const char *, count + 1),
		.short_name = g_new(const char *, count + 1),
		.origins = count,
		.strings = g_string_chunk_new(4096)};
	for (guint i = 0; i < count; i++)
		row_name_kernel(model, &g_array_index(model->origins->list, struct model_origin, i),
			&rows[i]);
	set_labels(names, rows);
	for (guint i = 0; i < count; i++)
		clear_row(&rows[i]);
	g_free(rows);
	return names;
}

void kernel_names_free(struct kernel_names *names)
{
	if (!names)
		return;
	g_free(names->label);
	g_free(names->name);
	g_free(names->short_name);
	g_string_chunk_free(names->strings);
	g_free(names);
}

/* ---- what the user names ---- */

const char *kernel_names_pick(const struct kernel_names *names, const char *wanted)
{
	GHashTable *seen = g_hash_table_new(NULL, NULL); /* labels are unique pointers */
	GArray *kernels = g_array_new(FALSE, FALSE, sizeof(struct choose_name));
	const char *picked = NULL;
	char *why = NULL;
	guint chosen;

	for (guint i = 0; i < names->origins; i++) {
		struct choose_name kernel = {names->label[i], names->name[i], names->short_name[i]};

		if (g_hash_table_add(seen, (gpointer)kernel.label))
			g_array_append_val(kernels, kernel);
	}
	chosen = choose_kernel((const struct choose_name *)(const void *)kernels->data,
		kernels->len, wanted, &why);
	if (chosen < kernels->len)
		picked = g_array_index(kernels, struct choose_name, chosen).label;
	else
		message_error("%s", why);
	g_free(why);
	g_array_free(kernels, TRUE);
	g_hash_table_destroy(seen);
	return picked;
}
