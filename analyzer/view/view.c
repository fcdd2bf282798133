/* SPDX-License-Identifier: MIT */
#include "analyzer/view/view.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/calls.h"
#include "analyzer/view/column.h"
#include "analyzer/view/filter.h"

const struct view *const views[] = {&view_text, &view_json, &view_csv, &view_folded, NULL};

const struct view *view_find(const char *name)
{
	for (size_t i = 0; views[i]; i++)
		if (strcmp(views[i]->name, name) == 0)
			return views[i];
	return NULL;
}

const char *view_joules(char text[VIEW_JOULES_MAX], uint64_t energy_nj)
{
	snprintf(text, VIEW_JOULES_MAX, "%" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT,
		energy_nj / PWRTRACE_NJ_PER_J, energy_nj % PWRTRACE_NJ_PER_J);
	return text;
}

struct ledger_sums view_own(const struct ledger_row *row)
{
	return (struct ledger_sums){.executions = row->executions,
		.timed = row->timed,
		.busy_ns = row->time_ns,
		.unmeasured_ns = row->unmeasured_ns,
		.energy_nj = row->energy_nj,
		.static_nj = row->static_nj,
		.static_known = row->static_known,
		.ci95_j = row->ci95_j,
		.energy_known = row->energy_known};
}

struct ledger_sums view_sums(const struct ledger_row *row)
{
	return row->node ? row->node->all : view_own(row);
}

bool view_time_known(const struct ledger_sums *sums)
{
	return sums->timed || !sums->executions;
}

double view_share(const struct ledger *ledger, const struct ledger_sums *sums)
{
	if (!sums->energy_known || !ledger->total.attributed_nj)
		return -1;
	return (double)sums->energy_nj / (double)ledger->total.attributed_nj;
}

double view_power(const struct ledger_sums *sums)
{
	uint64_t measured_ns = sums->busy_ns - sums->unmeasured_ns;

	return sums->energy_known && measured_ns ? (double)sums->energy_nj / (double)measured_ns
						 : -1;
}

double view_ci95(const struct ledger_sums *sums)
{
	return sums->energy_known && sums->ci95_j >= 0 ? sums->ci95_j : -1;
}

GPtrArray *view_path(const struct ledger *ledger, const struct ledger_row *row)
{
	GPtrArray *names;

	if (row->layer)
		return layer_tree_names(ledger->layers, row->layer);
	if (row->call)
		return calls_names(ledger->model->calls, row->call);
	names = g_ptr_array_new();
	g_ptr_array_add(names, row->name);
	return names;
}

/* ---- which rows, in which order ---- */

struct sorting {
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
	const struct sorting *sorting = data;
	const struct column *column = sorting->column;
	struct column_row of_x = column_row(sorting->ledger, x);
	struct column_row of_y = column_row(sorting->ledger, y);
	int order = column->number ? compare_numbers(column->number(&of_x), column->number(&of_y),
					     column->ascending)
				   : strcmp(column->text(&of_x), column->text(&of_y));

	if (!order)
		order = strcmp(x->name, y->name);
	if (!order)
		order = strcmp(x->shape, y->shape);
	/* As they were made. */
	return order ? order : (x > y) - (x < y);
}

static bool passes(const struct ledger *ledger, const struct view_options *options,
	const struct ledger_row *row)
{
	return !options->filter || filter_passes(options->filter, ledger, row);
}

static GPtrArray *sorted(const struct ledger *ledger, const struct view_options *options)
{
	struct sorting sorting = {ledger, column_find(options->sort, strlen(options->sort))};
	GPtrArray *rows = g_ptr_array_new();

	for (guint i = 0; i < ledger->rows->len; i++)
		g_ptr_array_add(rows, &g_array_index(ledger->rows, struct ledger_row, i));
	g_ptr_array_sort_with_data(rows, compare, &sorting);
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

GPtrArray *view_rows(const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *rows = sorted(ledger, options);

	select_rows(ledger, options, rows);
	return rows;
}

struct view_left_out view_left_out(const struct ledger *ledger, const struct view_options *options)
{
	struct view_left_out left_out = {0};
	GPtrArray *rows;

	if (!options->filter && !options->top)
		return left_out;
	for (guint i = 0; i < ledger->rows->len; i++) {
		const struct ledger_row *row = &g_array_index(ledger->rows, struct ledger_row, i);
		bool pass = passes(ledger, options, row);

		*(pass ? &left_out.cut_nj : &left_out.filtered_nj) += row->energy_nj;
	}
	rows = view_rows(ledger, options);
	for (guint i = 0; i < rows->len; i++)
		left_out.cut_nj -=
			((const struct ledger_row *)g_ptr_array_index(rows, i))->energy_nj;
	g_ptr_array_free(rows, TRUE);
	return left_out;
}

/* ---- trees ---- */

bool view_is_tree(const struct ledger *ledger)
{
	return ledger->rows->len && g_array_index(ledger->rows, struct ledger_row, 0).node;
}

/* A row's place: indexes of rows, counted from 1; 0: none. */
struct place {
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
static struct place *places_of(const struct ledger *ledger, const struct view_options *options)
{
	struct place *places = g_new0(struct place, ledger->rows->len + 1);
	GPtrArray *rows = sorted(ledger, options);

	for (guint i = rows->len; i > 0; i--) {
		guint own = index_of(ledger, g_ptr_array_index(rows, i - 1)) + 1;
		struct place *parent = &places[parent_of(ledger, own - 1)];

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

GArray *view_lines(const struct ledger *ledger, const struct view_options *options)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct view_line));
	struct place *places = places_of(ledger, options);

	for (guint at = places[0].child; at;) {
		const struct place *place = &places[at];
		struct view_line line = {
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
