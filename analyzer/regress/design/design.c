/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/design.h"

#include <string.h>

double design_part(const struct response *response, const struct power_reading *reading,
	double begin_ns, double end_ns)
{
	double now_ns = reading->time_ns, since_ns = reading->since_ns;

	if (since_ns >= now_ns)
		return response_below(response, now_ns - begin_ns) -
		       response_below(response, now_ns - end_ns);
	return (response_integral(response, now_ns - begin_ns) -
		       response_integral(response, since_ns - begin_ns) -
		       response_integral(response, now_ns - end_ns) +
		       response_integral(response, since_ns - end_ns)) /
	       (now_ns - since_ns);
}

/* Rows that executions may still add to: sums by column, of rows from first on. */
struct open_rows {
	struct design *design;
	guint first;
	GPtrArray *sums; /* double[columns] */
	GPtrArray *spare;
};

static double *sums_of(struct open_rows *open, guint row)
{
	while (open->first + open->sums->len <= row) {
		double *sums = open->spare->len ? g_ptr_array_steal_index_fast(
							  open->spare, open->spare->len - 1)
						: g_new0(double, open->design->columns + 1);

		g_ptr_array_add(open->sums, sums);
	}
	return g_ptr_array_index(open->sums, row - open->first);
}

/* Turns the sums of a row into its entries. */
static void close_row(struct design *design, double *sums)
{
	for (uint32_t column = 0; column < design->columns; column++) {
		struct design_entry entry = {column, (float)sums[column]};

		if (sums[column] > 0 || sums[column] < 0)
			g_array_append_val(design->entries, entry);
		sums[column] = 0;
	}
}

static void close_rows(struct open_rows *open, guint until)
{
	guint count = MIN(until - open->first, open->sums->len);

	for (guint i = 0; i < count; i++) {
		close_row(open->design, g_ptr_array_index(open->sums, i));
		open->design->first[open->first + i + 1] = open->design->entries->len;
		g_ptr_array_add(open->spare, g_ptr_array_index(open->sums, i));
	}
	for (guint row = open->first + count; row < until; row++)
		open->design->first[row + 1] = open->design->entries->len;
	if (count)
		g_ptr_array_remove_range(open->sums, 0, count);
	open->first = until;
}

/* column: of the class. */
static void add_influences(double *sums, const struct influences *influences, guint execution,
	uint32_t column, double part)
{
	if (influences->by_class)
		sums += column;
	for (guint i = 0; i < influences->count; i++) {
		const struct influence *influence = &influences->list[i];

		if (execution >= influence->first && execution < influence->end)
			sums[i] += part * influence_w(influence, execution);
	}
}

struct design *design_make(const struct model *model, const struct classes *classes,
	const struct response *response, const struct power_reading *readings, guint rows,
	const struct influences *influences)
{
	struct design *design = g_new0(struct design, 1);
	struct open_rows open = {
		.design = design, .sums = g_ptr_array_new(), .spare = g_ptr_array_new()};
	double end_ns = response_end(response);

	design->rows = rows;
	design->own = classes->columns.count;
	design->columns = design->own + (influences->by_class ? design->own : influences->count);
	design->readings = readings;
	design->first = g_new0(gsize, rows + 1);
	design->entries = g_array_new(FALSE, FALSE, sizeof(struct design_entry));
	for (guint i = 0; i < model->executions->len && open.first < design->rows; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		double begin_ns = (double)execution->begin_ns;
		double until_ns = (double)execution->end_ns + end_ns;
		uint32_t column = columns_find(&classes->columns, execution);
		guint row = open.first;

		if (column == COLUMNS_NONE)
			continue;
		while (row < design->rows &&
			design->readings[row].time_ns - response->begin_ns <= begin_ns)
			row++;
		if (row > open.first)
			close_rows(&open, row);
		/* Readings may be in stretches far apart. */
		if (row < design->rows &&
			until_ns + classes->columns.longest_ns < design->readings[row].since_ns) {
			i = columns_from(
				    &classes->columns, design->readings[row].since_ns - end_ns) -
			    1;
			continue;
		}
		for (; row < design->rows && design->readings[row].since_ns < until_ns; row++) {
			double part = design_part(response, &design->readings[row], begin_ns,
				(double)execution->end_ns);
			double *sums = sums_of(&open, row);

			sums[column] += part;
			add_influences(sums + design->own, influences, i, column, part);
		}
	}
	close_rows(&open, design->rows);
	g_ptr_array_set_free_func(open.spare, g_free);
	g_ptr_array_free(open.spare, TRUE);
	g_ptr_array_free(open.sums, TRUE);
	return design;
}

void design_free(struct design *design)
{
	g_free(design->first);
	g_array_free(design->entries, TRUE);
	g_free(design);
}
