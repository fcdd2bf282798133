/* SPDX-License-Identifier: MIT */
#include "analyzer/view/view.h"

#include <string.h>

const struct view *const views[] = {&view_text, &view_json, &view_csv, NULL};

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

double view_share(const struct ledger *ledger, const struct ledger_row *row)
{
	if (!row->energy_known || !ledger->total.attributed_nj)
		return -1;
	return (double)row->energy_nj / (double)ledger->total.attributed_nj;
}

double view_power(const struct ledger_row *row)
{
	return row->energy_known && row->time_ns ? (double)row->energy_nj / (double)row->time_ns
						 : -1;
}

double view_ci95(const struct ledger_row *row)
{
	return row->energy_known && row->ci95_j >= 0 ? row->ci95_j : -1;
}

/* ---- sorting: the largest first, names from A to Z ---- */

const char *const view_sorts[] = {
	"energy", "share", "power", "time", "executions", "name", "begin", NULL};

static double sort_key(const struct ledger_row *row, const char *sort)
{
	if (strcmp(sort, "time") == 0)
		return (double)row->time_ns;
	if (strcmp(sort, "executions") == 0)
		return (double)row->executions;
	if (strcmp(sort, "begin") == 0)
		return -(double)row->begin_ns;
	if (strcmp(sort, "power") == 0)
		return view_power(row);
	if (strcmp(sort, "name") == 0)
		return 0;
	return (double)row->inclusive_nj;
}

static int compare(gconstpointer a, gconstpointer b, gpointer sort)
{
	const struct ledger_row *x = *(const struct ledger_row *const *)a;
	const struct ledger_row *y = *(const struct ledger_row *const *)b;
	double difference = sort_key(y, sort) - sort_key(x, sort);
	int names = strcmp(x->name, y->name);

	if (difference < 0 || difference > 0)
		return difference < 0 ? -1 : 1;
	return names ? names : strcmp(x->shape, y->shape);
}

/* ---- filtering ---- */

static const char *filter_value(const struct ledger_row *row, const char *key, size_t length)
{
	if (length == 4 && strncmp(key, "name", 4) == 0)
		return row->name;
	if (length == 6 && strncmp(key, "device", 6) == 0)
		return row->device;
	if (length == 3 && strncmp(key, "api", 3) == 0)
		return row->api;
	return NULL;
}

bool view_filter_valid(const char *filter, char *why, size_t size)
{
	static const struct ledger_row none;

	while (*filter) {
		size_t key = strcspn(filter, "=~,");
		struct ledger_row row = none;

		row.name = (char *)"";
		row.device = row.api = "";
		if ((filter[key] != '=' && filter[key] != '~') ||
			!filter_value(&row, filter, key)) {
			snprintf(why, size,
				"the filter \"%s\" is not understood; write name=, name~, device=, "
				"device~, api= or api~ and a text",
				filter);
			return false;
		}
		filter += strcspn(filter, ",");
		filter += *filter == ',';
	}
	return true;
}

static bool passes(const struct ledger_row *row, const char *filter)
{
	while (*filter) {
		size_t key = strcspn(filter, "=~");
		const char *value = filter_value(row, filter, key);
		char *wanted = g_strndup(filter + key + 1, strcspn(filter + key + 1, ","));
		bool pass = filter[key] == '=' ? strcmp(value, wanted) == 0
					       : strstr(value, wanted) != NULL;

		g_free(wanted);
		if (!pass)
			return false;
		filter += strcspn(filter, ",");
		filter += *filter == ',';
	}
	return true;
}

GPtrArray *view_rows(const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *rows = g_ptr_array_new();

	for (guint i = 0; i < ledger->rows->len; i++) {
		struct ledger_row *row = &g_array_index(ledger->rows, struct ledger_row, i);

		if (passes(row, options->filter))
			g_ptr_array_add(rows, row);
	}
	g_ptr_array_sort_with_data(rows, compare, (gpointer)options->sort);
	if (options->top && rows->len > options->top)
		g_ptr_array_set_size(rows, (gint)options->top);
	return rows;
}
