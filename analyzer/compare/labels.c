/* SPDX-License-Identifier: MIT */
#include "analyzer/compare/labels.h"

#include <string.h>

#include "analyzer/name/choose.h"
#include "analyzer/name/kernel_label.h"

struct kernel_labels {
	GHashTable *by_name;   /* char *: the label of a full name */
	GHashTable *ambiguous; /* the full names that several shapes have */
};

typedef void visit_kernel(void *data, const struct run_row *row);

static void visit(const GPtrArray *runs, visit_kernel *visitor, void *data)
{
	for (guint i = 0; i < runs->len; i++) {
		const GArray *rows = ((const struct compare_run *)g_ptr_array_index(runs, i))->rows;

		for (guint k = 0; k < rows->len; k++) {
			const struct run_row *row = &g_array_index(rows, struct run_row, k);

			if (strcmp(row->by, "kernel") == 0)
				visitor(data, row);
		}
	}
}

/* ---- labels ---- */

struct label_builder {
	struct kernel_labels *labels;
	GPtrArray *pairs;   /* for kernel_labels() */
	GHashTable *shapes; /* the first shape of each full name */
};

static void take_name(void *data, const struct run_row *row)
{
	struct label_builder *builder = data;
	const char *shape = g_hash_table_lookup(builder->shapes, row->name);

	g_ptr_array_add(builder->pairs, (gpointer)row->name);
	g_ptr_array_add(builder->pairs, (gpointer)row->short_name);
	if (!shape)
		g_hash_table_insert(builder->shapes, (gpointer)row->name, (gpointer)row->shape);
	else if (strcmp(shape, row->shape) != 0)
		g_hash_table_add(builder->labels->ambiguous, (gpointer)row->name);
}

struct kernel_labels *labels_of(const GPtrArray *base, const GPtrArray *other)
{
	struct kernel_labels *labels = g_new(struct kernel_labels, 1);
	struct label_builder builder = {.labels = labels,
		.pairs = g_ptr_array_new(),
		.shapes = g_hash_table_new(g_str_hash, g_str_equal)};

	labels->ambiguous = g_hash_table_new(g_str_hash, g_str_equal);
	visit(base, take_name, &builder);
	visit(other, take_name, &builder);
	labels->by_name = kernel_labels(builder.pairs);
	g_ptr_array_free(builder.pairs, TRUE);
	g_hash_table_destroy(builder.shapes);
	return labels;
}

void labels_free(struct kernel_labels *labels)
{
	g_hash_table_destroy(labels->by_name);
	g_hash_table_destroy(labels->ambiguous);
	g_free(labels);
}

char *labels_call(const struct kernel_labels *labels, const struct run_row *row)
{
	const char *label = labels ? g_hash_table_lookup(labels->by_name, row->name) : NULL;
	bool shaped = !labels || g_hash_table_contains(labels->ambiguous, row->name);

	return choose_shaped(label ? label : row->name, shaped ? row->shape : "");
}

/* ---- what a user means ---- */

/* The first row of each kernel (const struct run_row *), in order and by run_row_alike. */
struct kernels {
	GPtrArray *list;
	GHashTable *alike;
};

static void take_kernel(void *data, const struct run_row *row)
{
	struct kernels *kernels = data;

	if (g_hash_table_add(kernels->alike, (gpointer)row))
		g_ptr_array_add(kernels->list, (gpointer)row);
}

const struct run_row *labels_choose(
	const struct kernel_labels *labels, const GPtrArray *runs, const char *text, char **why)
{
	struct kernels kernels = {g_ptr_array_new(), g_hash_table_new(run_row_hash, run_row_alike)};
	GPtrArray *called = g_ptr_array_new_with_free_func(g_free);
	GArray *names = g_array_new(FALSE, FALSE, sizeof(struct choose_name));
	const struct run_row *found = NULL;
	guint chosen;

	visit(runs, take_kernel, &kernels);
	for (guint i = 0; i < kernels.list->len; i++) {
		const struct run_row *row = g_ptr_array_index(kernels.list, i);
		struct choose_name name = {labels_call(labels, row), row->name, row->short_name};

		g_ptr_array_add(called, (gpointer)name.label);
		g_array_append_val(names, name);
	}
	chosen = choose_kernel(
		(const struct choose_name *)(const void *)names->data, names->len, text, why);
	if (chosen < kernels.list->len)
		found = g_ptr_array_index(kernels.list, chosen);
	g_array_free(names, TRUE);
	g_ptr_array_free(called, TRUE);
	g_hash_table_destroy(kernels.alike);
	g_ptr_array_free(kernels.list, TRUE);
	return found;
}
