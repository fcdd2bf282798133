/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "analyzer/print/csv.h"
#include "analyzer/view/frontier/frontier_view.h"

/* A point, of a group by what people call the group, else by its own name. */
struct csv_row {
	const char *name, *trace, *frontier, *chosen;
	double time_s, energy_j, ci95_s, ci95_j;
};

#define PLACE(member) offsetof(struct csv_row, member)

static const struct csv_column columns[] = {
	{"name", CSV_TEXT, PLACE(name)},
	{"time_s", CSV_NUMBER, PLACE(time_s)},
	{"energy_j", CSV_NUMBER, PLACE(energy_j)},
	{"ci95_s", CSV_NUMBER, PLACE(ci95_s)},
	{"ci95_j", CSV_NUMBER, PLACE(ci95_j)},
	{"trace", CSV_TEXT, PLACE(trace)},
	{"frontier", CSV_TEXT, PLACE(frontier)},
	{"chosen", CSV_TEXT, PLACE(chosen)},
	{0},
};

void frontier_put_csv(FILE *out, const void *result)
{
	const struct frontier_view *view = result;

	csv_put_headings(out, columns);
	for (guint i = 0; i < view->points->len; i++) {
		const struct frontier_point *point = frontier_at(view->points, i);

		csv_put_row(out, columns,
			&(struct csv_row){.name = *point->label ? point->label : point->name,
				.trace = point->name,
				.frontier = point->maybe      ? "maybe"
					    : point->frontier ? "true"
							      : "false",
				.chosen = point->chosen ? "true" : "false",
				.time_s = point->time_s,
				.energy_j = point->energy_j,
				.ci95_s = point->ci95_s,
				.ci95_j = point->ci95_j});
	}
}
