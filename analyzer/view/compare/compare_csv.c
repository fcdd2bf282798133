/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>

#include "analyzer/print/csv.h"
#include "analyzer/view/compare/compare_view.h"

struct csv_row {
	const char *by, *name;
	double base[FIGURES], other[FIGURES], delta[FIGURES], ci95[FIGURES];
	const char *significant[FIGURES];
};

#define PLACE(member) offsetof(struct csv_row, member)
#define FIGURE_COLUMNS(figure, name, key)                                                          \
	{"base_" key, CSV_NUMBER, PLACE(base[figure])},                                            \
		{"other_" key, CSV_NUMBER, PLACE(other[figure])},                                  \
		{"delta_" name, CSV_NUMBER, PLACE(delta[figure])},                                 \
		{"ci95_" name, CSV_NUMBER, PLACE(ci95[figure])},                                   \
	{                                                                                          \
		"significant_" name, CSV_TEXT, PLACE(significant[figure])                          \
	}

static const struct csv_column columns[] = {
	{"by", CSV_TEXT, PLACE(by)},
	{"name", CSV_TEXT, PLACE(name)},
	FIGURE_COLUMNS(FIGURE_TIME, "time", "time_s"),
	FIGURE_COLUMNS(FIGURE_POWER, "power", "power_w"),
	FIGURE_COLUMNS(FIGURE_ENERGY, "energy", "energy_j"),
	FIGURE_COLUMNS(FIGURE_EDP, "edp", "edp_js"),
	FIGURE_COLUMNS(FIGURE_CYCLES, "cycles", "cycles"),
	FIGURE_COLUMNS(FIGURE_CLOCK, "clock", "clock_hz"),
	FIGURE_COLUMNS(FIGURE_BUSY, "busy", "busy"),
	{0},
};

static void put_row(FILE *out, const struct comparison_row *row)
{
	struct csv_row cells = {.by = row->by, .name = row->name};

	for (enum figure figure = 0; figure < FIGURES; figure++) {
		const struct change *change = &row->change[figure];
		const struct figures *figures = row->figures;

		cells.base[figure] = row->there[SIDE_BASE] ? figures[SIDE_BASE].value[figure] : NAN;
		cells.other[figure] =
			row->there[SIDE_OTHER] ? figures[SIDE_OTHER].value[figure] : NAN;
		cells.delta[figure] = change->delta;
		cells.ci95[figure] = change->ci95;
		cells.significant[figure] = isnan(change->p)      ? NULL
					    : change->significant ? "true"
								  : "false";
	}
	csv_put_row(out, columns, &cells);
}

void compare_put_csv(FILE *out, const void *data)
{
	const struct compare_result *result = data;
	const GArray *rows = result->comparison->rows;

	csv_put_headings(out, columns);
	for (guint i = 0; i < rows->len; i++)
		put_row(out, &g_array_index(rows, struct comparison_row, i));
	put_row(out, &result->comparison->total);
}
