/* SPDX-License-Identifier: MIT */
#include "analyzer/compare/labels.h"

#include <string.h>

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
	struct choose_name called = {row->name, row->short_name, row->shape};
	const char *label = labels ? g_hash_table_lookup(labels->by_name, row->name) : NULL;

	if (label)
		called.name = label;
	if (labels && !g_hash_table_contains(labels->ambiguous, row->name))
		called.shape = "";
	return choose_label(&called);
}

/* ---- what a user means ---- */

static void take_kernel(void *data, const struct run_row *row)
{
	GArray *kernels = data;
	struct choose_name kernel = {row->name, row->short_name, row->shape};

	for (guint i = 0; i < kernels->len; i++) {
		const struct choose_name *known = &g_array_index(kernels, struct choose_name, i);

		if (strcmp(known->name, row->name) == 0 && strcmp(known->shape, row->shape) == 0)
			return;
	}
	g_array_append_val(kernels, kernel);
}

struct choose_name labels_choose(const GPtrArray *runs, const char *text, char **why)
{
	GArray *kernels = g_array_new(FALSE, FALSE, sizeof(struct choose_name));
	struct choose_name found = {0};
	guint chosen;

	visit(runs, take_kernel, kernels);
	chosen = choose_kernel(
		(const struct choose_name *)(const void *)kernels->data, kernels->len, text, why);
	if (chosen < kernels->len)
		found = g_array_index(kernels, struct choose_name, chosen);
	g_array_free(kernels, TRUE);
	return found;
}
