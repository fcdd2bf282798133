/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/normal.h"

struct normal_equations *normal_new(size_t n)
{
	struct normal_equations *normal = g_new0(struct normal_equations, 1);

	normal->n = n;
	normal->matrix = g_new0(double, n *n);
	normal->right = g_new0(double, n);
	return normal;
}

void normal_free(struct normal_equations *normal)
{
	g_free(normal->matrix);
	g_free(normal->right);
	g_free(normal);
}

static const struct design_entry *entries_of(const struct design *design, guint row)
{
	return &g_array_index(design->entries, struct design_entry, design->first[row]);
}

static gsize count_of(const struct design *design, guint row)
{
	return design->first[row + 1] - design->first[row];
}

/* A row in which most columns have an entry, as numbers that lie side by side: vectors of them are
 * twice as fast as indexes. */
static void add_dense(
	struct normal_equations *normal, const struct design *design, guint row, double weight)
{
	const struct design_entry *entries = entries_of(design, row);
	double *parts = g_new0(double, normal->n), power_w = design->readings[row].power_w;

	for (gsize i = 0; i < count_of(design, row); i++)
		parts[entries[i].column] = entries[i].part;
	parts[design->columns] = 1;
	for (size_t i = 0; i < normal->n; i++) {
		double part = weight * parts[i], *restrict line = normal->matrix + i * normal->n;

		for (size_t k = i; k < normal->n; k++)
			line[k] += part * parts[k];
		normal->right[i] += part * power_w;
	}
	g_free(parts);
}

static void add_sparse(
	struct normal_equations *normal, const struct design *design, guint row, double weight)
{
	const struct design_entry *entries = entries_of(design, row);
	gsize count = count_of(design, row), fixed = design->columns;
	double power_w = design->readings[row].power_w;

	for (gsize i = 0; i < count; i++) {
		double part = weight * entries[i].part;
		double *line = normal->matrix + entries[i].column * normal->n;

		for (gsize k = i; k < count; k++)
			line[entries[k].column] += part * entries[k].part;
		line[fixed] += part;
		normal->right[entries[i].column] += part * power_w;
	}
	normal->matrix[fixed * normal->n + fixed] += weight;
	normal->right[fixed] += weight * power_w;
}

void normal_add_row(
	struct normal_equations *normal, const struct design *design, guint row, double weight)
{
	if (2 * count_of(design, row) > normal->n)
		add_dense(normal, design, row, weight);
	else
		add_sparse(normal, design, row, weight);
}

void normal_add(struct normal_equations *a, const struct normal_equations *b, double factor)
{
	for (size_t i = 0; i < a->n * a->n; i++)
		a->matrix[i] += factor * b->matrix[i];
	for (size_t i = 0; i < a->n; i++)
		a->right[i] += factor * b->right[i];
}

double normal_predict(const struct design *design, guint row, const double *power_w)
{
	const struct design_entry *entries = entries_of(design, row);
	double sum = power_w[design->columns];

	for (gsize i = 0; i < count_of(design, row); i++)
		sum += entries[i].part * power_w[entries[i].column];
	return sum;
}
