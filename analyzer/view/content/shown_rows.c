/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/shown_rows.h"

#include <math.h>
#include <string.h>

#include "analyzer/view/content/column.h"
#include "analyzer/view/content/filter.h"

/* ---- which rows, in which order ---- */

struct row_order {
	const struct ledger *ledger;
	const struct column *column;
};

/* What is not known is last. */
static int compare_numbers(double a, double b, bool ascending)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (ascending ? a > b : a < b) ? 1 : (ascending ? a < b : a > b) ? -1 : 0;
}

static int compare(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct ledger_row *x = *(const struct ledger_row *const *)a;
	const struct ledger_row *y = *(const struct ledger_row *const *)b;
	const struct row_order *order_by = data;
	const struct column *column = order_by->column;
	struct column_row of_x = column_row(order_by->ledger, NULL, x);
	struct column_row of_y = column_row(order_by->ledger, NULL, y);
	int order = column->type == COLUMN_TEXT
			    ? strcmp(column_text(column, &of_x), column_text(column, &of_y))
			    : compare_numbers(column_number(column, &of_x),
				      column_number(column, &of_y), column->ascending);

	if (!order)
		order = strcmp(x->name, y->name);
	if (!order)
		order = strcmp(x->shape, y->shape);
	/* Rows that are otherwise alike keep the order of the ledger. */
	return order ? order : (x > y) - (x < y);
}

static bool passes(const struct ledger *ledger, const struct view_options *options,
	const struct ledger_row *row)
{
	return !options->filter || filter_passes(options->filter, ledger, row);
}

static GPtrArray *sorted(const struct ledger *ledger, const struct view_options *options)
{
	struct row_order order = {ledger, column_find(options->sort, strlen(options->sort))};
	GPtrArray *rows = g_ptr_array_new();

	for (guint i = 0; i < ledger->rows->len; i++)
		g_ptr_array_add(rows, &g_array_index(ledger->rows, struct ledger_row, i));
	g_ptr_array_sort_with_data(rows, compare, &order);
	return rows;
}

/* Leaves those of sorted rows that are to be shown. */
static void select_rows(
	const struct ledger *ledger, const struct view_options *options, GPtrArray *rows)
{
	guint count = 0;

	for (guint i = 0; i < rows->len && (!options->top || count < options->top); i++)
		if (passes(ledger, options, g_ptr_array_index(rows, i)))
			g_ptr_array_index(rows, count++) = g_ptr_array_index(rows, i);
	g_ptr_array_set_size(rows, (gint)count);
}

GPtrArray *shown_rows(const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *rows = sorted(ledger, options);

	select_rows(ledger, options, rows);
	return rows;
}

struct shown_left_out shown_left_out(
	const struct ledger *ledger, const struct view_options *options)
{
	struct shown_left_out left_out = {0};
	GPtrArray *rows;

	if (!options->filter && !options->top)
		return left_out;
	for (guint i = 0; i < ledger->rows->len; i++) {
		const struct ledger_row *row = &g_array_index(ledger->rows, struct ledger_row, i);
		bool pass = passes(ledger, options, row);

		*(pass ? &left_out.cut_nj : &left_out.filtered_nj) += row->energy_nj;
	}
	rows = shown_rows(ledger, options);
	for (guint i = 0; i < rows->len; i++)
		left_out.cut_nj -=
			((const struct ledger_row *)g_ptr_array_index(rows, i))->energy_nj;
	g_ptr_array_free(rows, TRUE);
	return left_out;
}

/* ---- trees ---- */

/* A row's place: indexes of rows, counted from 1; 0: none. */
struct row_place {
	guint child, next;
	bool shown, needed;
};

static guint index_of(const struct ledger *ledger, const struct ledger_row *row)
{
	return (guint)(row - (const struct ledger_row *)(const void *)ledger->rows->data);
}

static guint parent_of(const struct ledger *ledger, guint i)
{
	const struct ledger_node *node = g_array_index(ledger->rows, struct ledger_row, i).node;

	return node && node->parent != LEDGER_NO_ROW ? node->parent + 1 : 0;
}

/* The place before all others stands for what is above the outermost. */
static struct row_place *places_of(const struct ledger *ledger, const struct view_options *options)
{
	struct row_place *places = g_new0(struct row_place, ledger->rows->len + 1);
	GPtrArray *rows = sorted(ledger, options);

	for (guint i = rows->len; i > 0; i--) {
		guint own = index_of(ledger, g_ptr_array_index(rows, i - 1)) + 1;
		struct row_place *parent = &places[parent_of(ledger, own - 1)];

		places[own].next = parent->child;
		parent->child = own;
	}
	select_rows(ledger, options, rows);
	for (guint i = 0; i < rows->len; i++) {
		guint own = index_of(ledger, g_ptr_array_index(rows, i)) + 1;

		places[own].shown = true;
		for (; own && !places[own].needed; own = parent_of(ledger, own - 1))
			places[own].needed = true;
	}
	g_ptr_array_free(rows, TRUE);
	return places;
}

GArray *shown_lines(const struct ledger *ledger, const struct view_options *options)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct shown_line));
	struct row_place *places = places_of(ledger, options);

	for (guint at = places[0].child; at;) {
		const struct row_place *place = &places[at];
		struct shown_line line = {
			&g_array_index(ledger->rows, struct ledger_row, at - 1), place->shown};

		if (place->needed)
			g_array_append_val(lines, line);
		if (place->needed && place->child) {
			at = place->child;
			continue;
		}
		while (at && !places[at].next)
			at = parent_of(ledger, at - 1);
		at = places[at].next;
	}
	g_free(places);
	return lines;
}
