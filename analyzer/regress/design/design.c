/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/design.h"

#include <string.h>

#include "analyzer/numeric/parallel.h"

#define ROWS_APART 250 /* rows of a piece: many more than executions reach over */

double design_part(const struct response *response, const struct power_reading *reading,
	double begin_ns, double end_ns)
{
	double now_ns = reading->time_ns, since_ns = reading->since_ns;

	if (since_ns >= now_ns)
		return response_below(response, now_ns - begin_ns) -
		       response_below(response, now_ns - end_ns);
	return (response_integral_ns(response, now_ns - begin_ns) -
		       response_integral_ns(response, since_ns - begin_ns) -
		       response_integral_ns(response, now_ns - end_ns) +
		       response_integral_ns(response, since_ns - end_ns)) /
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

/* Sets what each influence adds to an execution, in W. */
static void take_values(const struct influences *influences, guint execution, double *value_w)
{
	for (guint i = 0; i < influences->count; i++) {
		const struct influence *influence = &influences->list[i];
		bool known = execution >= influence->first && execution < influence->end;

		value_w[i] = known ? influence_w(influence, execution) : 0;
	}
}

static struct design *design_new(const struct classes *classes,
	const struct power_reading *readings, guint rows, const struct influences *influences)
{
	struct design *design = g_new0(struct design, 1);

	design->rows = rows;
	design->own = classes->columns.count;
	design->columns = design->own + (influences->by_class ? design->own : influences->count);
	design->readings = readings;
	design->first = g_new0(gsize, rows + 1);
	design->entries = g_array_new(FALSE, FALSE, sizeof(struct design_entry));
	return design;
}

/* Rows of a design, which do not depend on other rows, and what they are made of. */
struct design_job {
	const struct model *model;
	const struct classes *classes;
	const struct response *response;
	const struct influences *influences;
	struct design **pieces;
};

static void add_rows(const struct design_job *job, struct design *design)
{
	const struct columns *columns = &job->classes->columns;
	const struct influences *influences = job->influences;
	const struct response *response = job->response;
	const struct model *model = job->model;
	struct open_rows open = {
		.design = design, .sums = g_ptr_array_new(), .spare = g_ptr_array_new()};
	double end_ns = response_end_ns(response);

	for (guint i = columns_from(columns, design->readings[0].since_ns - end_ns);
		i < model->executions->len && open.first < design->rows; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		double begin_ns = (double)execution->begin_ns;
		double until_ns = (double)execution->end_ns + end_ns;
		uint32_t column = columns_find(columns, execution);
		double value_w[INFLUENCES_MAX], drawn = columns_part(columns, execution);
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
			until_ns + columns->longest_ns < design->readings[row].since_ns) {
			i = columns_from(columns, design->readings[row].since_ns - end_ns) - 1;
			continue;
		}
		take_values(influences, i, value_w);
		for (; row < design->rows && design->readings[row].since_ns < until_ns; row++) {
			double part = drawn * design_part(response, &design->readings[row],
						      begin_ns, (double)execution->end_ns);
			double *sums = sums_of(&open, row);
			double *added = sums + design->own + (influences->by_class ? column : 0);

			sums[column] += part;
			for (guint k = 0; k < influences->count; k++)
				added[k] += part * value_w[k];
		}
	}
	close_rows(&open, design->rows);
	g_ptr_array_set_free_func(open.spare, g_free);
	g_ptr_array_free(open.spare, TRUE);
	g_ptr_array_free(open.sums, TRUE);
}

static void make_piece(guint i, void *context)
{
	const struct design_job *job = context;

	add_rows(job, job->pieces[i]);
}

/* Appends the rows of a piece. */
static void join(struct design *design, const struct design *piece)
{
	gsize *first = design->first + (piece->readings - design->readings);

	for (guint row = 0; row <= piece->rows; row++)
		first[row] = design->entries->len + piece->first[row];
	g_array_append_vals(design->entries, piece->entries->data, piece->entries->len);
}

struct design *design_make(const struct model *model, const struct classes *classes,
	const struct response *response, const struct power_reading *readings, guint rows,
	const struct influences *influences)
{
	struct design *design = design_new(classes, readings, rows, influences);
	guint count = (rows + ROWS_APART - 1) / ROWS_APART;
	struct design_job job = {
		model, classes, response, influences, .pieces = g_new(struct design *, count + 1)};

	for (guint i = 0; i < count; i++)
		job.pieces[i] = design_new(classes, readings + i * ROWS_APART,
			MIN(rows - i * ROWS_APART, ROWS_APART), influences);
	parallel_for(count, make_piece, &job);
	for (guint i = 0; i < count; i++) {
		join(design, job.pieces[i]);
		design_free(job.pieces[i]);
	}
	g_free(job.pieces);
	return design;
}

void design_free(struct design *design)
{
	g_free(design->first);
	g_array_free(design->entries, TRUE);
	g_free(design);
}

double design_sum(const struct design *design, guint row, const double *factor)
{
	double sum = 0;

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		if (entry->column >= design->own)
			break;
		sum += entry->part * (factor ? factor[entry->column] : 1);
	}
	return sum;
}
