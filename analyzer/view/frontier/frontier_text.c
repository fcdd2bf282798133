/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"
#include "analyzer/view/frontier/frontier_view.h"

/* How the times of a group are printed: three decimals of the largest's unit. */
struct time_unit {
	const char *name;
	double in_s;
};

static struct time_unit unit_of(const GArray *points, guint begin, guint end)
{
	static const struct time_unit units[] = {{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}};
	double largest_s = 0;
	size_t i = 0;

	for (guint k = begin; k < end; k++)
		largest_s = fmax(largest_s, frontier_at(points, k)->time_s);
	while (i + 1 < G_N_ELEMENTS(units) && largest_s < 0.1 * units[i].in_s)
		i++;
	return units[i];
}

static void put_part(FILE *out, double ci95, double value)
{
	char cell[CELL_MAX];

	if (isnan(ci95) || !(value > 0))
		return;
	cell_percent(cell, ci95 / value);
	fprintf(out, " ±%s", cell);
}

/* By how much a point takes less energy than the fastest; nothing where that takes none. */
static void put_saved(
	FILE *out, const struct frontier_point *point, const struct frontier_point *fastest)
{
	if (fastest->energy_j > 0)
		fprintf(out, ": %+.1f %%", 100 * (point->energy_j / fastest->energy_j - 1));
}

/* Why a point was chosen. */
static void put_choice(FILE *out, const struct frontier_view *view,
	const struct frontier_point *point, const struct frontier_point *fastest)
{
	const struct frontier_goal *goal = view->goal;

	switch (goal->aim) {
	case AIM_DEADLINE:
		fprintf(out, "  cheapest within %g s", goal->deadline_s);
		put_saved(out, point, fastest);
		break;
	case AIM_SLACK:
		fprintf(out, "  cheapest within %g %% of the fastest", goal->slack * 100);
		put_saved(out, point, fastest);
		break;
	case AIM_WEIGHT:
		fprintf(out, "  least %g E + %g × %g W × t", goal->weight, 1 - goal->weight,
			goal->limit_w);
		break;
	case AIM_BUDGET:
		fprintf(out, "  fastest within %g W: %.3g/s", goal->budget_w, 1 / point->time_s);
		break;
	default:
		break;
	}
}

static void put_point(FILE *out, const struct frontier_view *view,
	const struct frontier_point *point, const struct time_unit *unit,
	const struct frontier_point *fastest)
{
	char cell[CELL_MAX];

	fprintf(out, "%.3f %s", point->time_s / unit->in_s, unit->name);
	put_part(out, point->ci95_s, point->time_s);
	cell_scaled(cell, point->energy_j, "J");
	fprintf(out, "  %s", cell);
	put_part(out, point->ci95_j, point->energy_j);
	fputs("  ", out);
	text_put(out, point->name);
	if (point->modelled)
		fputs(" (modelled)", out);
	if (point->chosen)
		put_choice(out, view, point, fastest);
	if (point->better != FRONTIER_NONE) {
		fprintf(out, "  %sdominated by ", point->maybe ? "perhaps " : "");
		text_put(out, frontier_at(view->points, point->better)->name);
	} else if (point->maybe) {
		fputs("  perhaps dominated", out);
	}
	fputc('\n', out);
}

void frontier_put_text(FILE *out, const void *result)
{
	const struct frontier_view *view = result;

	for (guint i = 0; i < view->ledgers->len; i++) {
		if (!((const struct ledger *)g_ptr_array_index(view->ledgers, i))->estimated)
			continue;
		fputs("Joules here are ESTIMATES: no sensor measured some of them.\n\n", out);
		break;
	}
	if (view->per)
		text_put_line(out, "Seconds and joules of %s", view->per);
	for (guint begin = 0, end; begin < view->points->len; begin = end) {
		struct time_unit unit;

		end = frontier_group_end(view->points, begin);
		unit = unit_of(view->points, begin, end);
		if (*frontier_at(view->points, begin)->label) {
			fputs(begin ? "\n" : "", out);
			text_put(out, frontier_at(view->points, begin)->label);
			fputc('\n', out);
		}
		for (guint i = begin; i < end; i++)
			put_point(out, view, frontier_at(view->points, i), &unit,
				frontier_fastest(view->points, begin));
	}
}
