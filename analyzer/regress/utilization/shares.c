/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/utilization/shares.h"

#include <string.h>

#include "analyzer/numeric/solve.h"

struct design *shares_design(
	struct share_equations *equations, guint first, guint count, double late_ns)
{
	static const struct response_shape shape = {0, 0, 0};
	static const struct influences none = {.count = 0};
	struct response response;

	for (guint i = 0; i < count; i++) {
		equations->times[i] = equations->counted->times[first + i];
		equations->times[i].time_ns -=
			late_ns + equations->late_ns[(first + i) / COUNTED_BLOCK];
		equations->times[i].since_ns -=
			late_ns + equations->late_ns[(first + i) / COUNTED_BLOCK];
	}
	response_of_shape(&response, &shape);
	return design_make(
		equations->model, equations->classes, &response, equations->times, count, &none);
}

void shares_set(struct share_equations *equations, guint first, guint rows)
{
	struct design *design;

	if (equations->design)
		design_free(equations->design);
	equations->first = first;
	design = equations->design = shares_design(equations, first, rows, 0);
	memset(equations->matrix, 0, sizeof(double) * equations->n * equations->n);
	for (guint row = 0; row < design->rows; row++)
		for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
			const struct design_entry *a =
				&g_array_index(design->entries, struct design_entry, i);

			for (gsize k = i; k < design->first[row + 1]; k++) {
				const struct design_entry *b =
					&g_array_index(design->entries, struct design_entry, k);

				equations->matrix[a->column * equations->n + b->column] +=
					(double)a->part * b->part;
			}
		}
}

struct share_equations shares_begin(
	const struct model *model, const struct classes *classes, const struct counted *counted)
{
	struct share_equations equations = {.model = model, .classes = classes, .counted = counted};

	equations.n = classes->columns.count;
	equations.late_ns = g_new0(double, counted->rows / COUNTED_BLOCK + 1);
	equations.times = g_new(struct power_reading, counted->rows + 1);
	equations.matrix = g_new0(double, equations.n *equations.n + 1);
	equations.right = g_new0(double, equations.n + 1);
	return equations;
}

void shares_end(struct share_equations *equations)
{
	if (equations->design)
		design_free(equations->design);
	g_free(equations->late_ns);
	g_free(equations->times);
	g_free(equations->matrix);
	g_free(equations->right);
}

double shares_predict(const struct design *design, guint row, const double *share)
{
	double sum = 0;

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		sum += entry->part * share[entry->column];
	}
	return sum;
}

double *shares_solve(struct share_equations *equations, int part, double weight, double *share)
{
	const struct design *design = equations->design;
	const double *value = equations->counted->share[part] + equations->first;
	size_t n = equations->n;
	double busy = 0, sum = 0, mean, *residual = NULL;
	double *matrix = g_memdup2(equations->matrix, sizeof(double) * (n * n + 1));

	memset(equations->right, 0, sizeof(double) * n);
	for (guint row = 0; row < design->rows; row++) {
		for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
			const struct design_entry *entry =
				&g_array_index(design->entries, struct design_entry, i);

			equations->right[entry->column] += entry->part * value[row];
			busy += entry->part;
		}
		sum += value[row];
	}
	mean = busy > 0 ? MIN(sum / busy, 1) : 0;
	for (size_t i = 0; i < n; i++) {
		matrix[i * n + i] += weight;
		equations->right[i] += weight * mean;
	}
	if (solve_nonnegative(n, matrix, equations->right, share)) {
		residual = g_new(double, design->rows);
		for (guint row = 0; row < design->rows; row++)
			residual[row] = value[row] - shares_predict(design, row, share);
	}
	g_free(matrix);
	return residual;
}
