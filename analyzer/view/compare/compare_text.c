/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"
#include "analyzer/view/compare/compare_view.h"

#define WIDTH 11

/* In the order in which they are shown. */
static const struct {
	enum figure figure;
	const char *heading;
	int decimals; /* of percents */
} columns[] = {
	{FIGURE_TIME, "TIME", 2},
	{FIGURE_POWER, "POWER", 2},
	{FIGURE_EDP, "EDP", 2},
	{FIGURE_CYCLES, "CYCLES", 2},
	{FIGURE_CLOCK, "CLOCK", 2},
};

/* ---- cells ---- */

/* With five digits, as "166.18 mJ". */
static void put_joules(FILE *out, bool there, double energy_j)
{
	static const char *const units[] = {"nJ", "µJ", "mJ", "J", "kJ", "MJ"};
	char cell[CELL_MAX];
	int unit = 3;

	if (!there || !isfinite(energy_j)) {
		cell_put(out, there ? "unknown" : "-", WIDTH);
		return;
	}
	for (; unit < 5 && energy_j >= 999.995; unit++)
		energy_j /= 1000;
	for (; unit > 0 && energy_j > 0 && energy_j < 0.99999; unit--)
		energy_j *= 1000;
	snprintf(cell, sizeof(cell), "%.*f %s",
		energy_j < 9.99995   ? 4
		: energy_j < 99.9995 ? 3
				     : 2,
		energy_j, units[unit]);
	cell_put(out, cell, WIDTH);
}

/* A change, as "-10.70 % *" where it is significant; what is zero as printed has no sign. */
static void put_change(FILE *out, bool there, const struct change *change, int decimals)
{
	char cell[CELL_MAX];
	double percent = change->delta * 100;
	bool zero = fabs(percent) < 0.5 * pow(10, -decimals);

	if (!there)
		strcpy(cell, "-  ");
	else if (!isfinite(percent))
		strcpy(cell, "unknown  ");
	else
		snprintf(cell, sizeof(cell), "%s%.*f %%%s", zero || percent < 0 ? "" : "+",
			decimals, zero ? 0 : percent, change->significant ? " *" : "  ");
	cell_put(out, cell, WIDTH + 1);
}

static void put_interval(FILE *out, bool there, double ci95)
{
	char cell[CELL_MAX];

	if (!there)
		strcpy(cell, "-");
	else
		cell_percent(cell, isfinite(ci95) ? ci95 : -1);
	cell_put(out, cell, WIDTH - 2);
}

static void put_row(FILE *out, const struct comparison_row *row)
{
	bool both = row->there[SIDE_BASE] && row->there[SIDE_OTHER];

	for (enum side side = 0; side < SIDES; side++)
		put_joules(out, row->there[side], row->figures[side].value[FIGURE_ENERGY]);
	put_change(out, both, &row->change[FIGURE_ENERGY], 2);
	put_interval(out, both, row->change[FIGURE_ENERGY].ci95);
	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
		put_change(out, both, &row->change[columns[i].figure], columns[i].decimals);
	fputs("  ", out);
	text_put(out, row->label);
	fputs(row->modelled ? " (modelled)\n" : "\n", out);
}

/* ---- parts ---- */

static void put_header(const struct compare_result *result, FILE *out, const char *rows)
{
	fputs(result->color ? "\033[4m" : "", out);
	cell_put(out, "BASE", WIDTH);
	cell_put(out, "OTHER", WIDTH);
	cell_put(out, "ENERGY  ", WIDTH + 1);
	cell_put(out, "±95 %", WIDTH - 2);
	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
		fprintf(out, "%*s  ", WIDTH - 1, columns[i].heading);
	fputs("  ", out);
	text_put(out, rows);
	fputs(result->color ? "\033[0m\n" : "\n", out);
}

static void put_table(const struct compare_result *result, FILE *out)
{
	const GArray *rows = result->comparison->rows;
	const char *by = "";

	for (guint i = 0; i < rows->len; i++) {
		const struct comparison_row *row = &g_array_index(rows, struct comparison_row, i);

		if (strcmp(row->by, by) != 0) {
			by = row->by;
			put_header(result, out,
				strcmp(by, "kernel") == 0 ? "kernel, each execution"
							  : "layer, each opening with all inside");
		}
		put_row(out, row);
	}
}

static void put_total(const struct compare_result *result, FILE *out)
{
	const struct comparison *comparison = result->comparison;
	const struct change *busy = &comparison->total.change[FIGURE_BUSY];
	char *rows = g_strdup_printf("total, each %s", comparison->unit ? comparison->unit : "run");

	put_header(result, out, rows);
	put_row(out, &comparison->total);
	if (isfinite(busy->delta))
		fprintf(out, "  The devices were busy for %.1f and %.1f %% of the time.\n",
			comparison->total.figures[SIDE_BASE].value[FIGURE_BUSY] * 100,
			comparison->total.figures[SIDE_OTHER].value[FIGURE_BUSY] * 100);
	g_free(rows);
}

/* Why a total is not known though some of it was measured. */
static void put_partly_measured(FILE *out, const struct comparison *comparison)
{
	for (enum side side = 0; side < SIDES; side++) {
		for (guint i = 0; i < comparison->runs[side]->len; i++) {
			const struct compare_run *run =
				g_ptr_array_index(comparison->runs[side], i);

			if (run->partly_measured)
				text_put_line(out,
					"  %s was measured only in part (see pwrtrace report): its "
					"total energy is not known.",
					(const char *)g_ptr_array_index(
						run->kernels->model->directories, 0));
		}
	}
}

static void put_condition_value(FILE *out, const struct condition *condition, enum side side)
{
	double value = condition->value[side];

	if (condition->text[side])
		text_put(out, *condition->text[side] ? condition->text[side] : "unknown");
	else if (isnan(value))
		fputs("unknown", out);
	else if (strcmp(condition->unit, "Hz") == 0)
		fprintf(out, "%.0f MHz", value / 1e6);
	else if (*condition->unit)
		fprintf(out, "%.5g %s", value, condition->unit);
	else
		fprintf(out, "%.1f %%", value * 100);
}

static void put_conditions(FILE *out, const struct comparison *comparison)
{
	bool any = false;

	for (guint i = 0; i < comparison->conditions->len; i++) {
		const struct condition *condition =
			&g_array_index(comparison->conditions, struct condition, i);

		if (condition->agree)
			continue;
		fputs(any ? "" : "Conditions that differ\n", out);
		any = true;
		fprintf(out, "  %s: ",
			strcmp(condition->name, "at_limit") == 0 ? "throttled by the limit"
								 : condition->name);
		put_condition_value(out, condition, SIDE_BASE);
		fputs(", and ", out);
		put_condition_value(out, condition, SIDE_OTHER);
		fputc('\n', out);
	}
	if (comparison->other_board)
		fprintf(out,
			"  Two boards read up to %.0f %% apart: powers, energies and "
			"EDP have that in their intervals.\n",
			COMPARISON_GAIN95 * 100);
	fputs(any || comparison->other_board ? "\n" : "", out);
}

/* What a star means. */
static void put_test(FILE *out, const struct comparison *comparison)
{
	guint base = comparison->runs[SIDE_BASE]->len, other = comparison->runs[SIDE_OTHER]->len;

	if (comparison->estimated)
		return;
	if (MIN(base, other) >= CHANGE_WELCH_RUNS)
		fprintf(out, "  * more than chance, by Welch's test of %u and %u runs\n", base,
			other);
	else
		fprintf(out,
			"  * more than chance in these runs; how much runs differ, %d a side "
			"tell\n",
			CHANGE_WELCH_RUNS);
}

static void put_verdict(FILE *out, const struct compare_result *result)
{
	const struct change *change = &result->subject->change[result->figure];
	const char *what = figure_about[result->figure].name;
	enum side unknown = judge_unknown(result->subject, result->figure);

	fputs("\nVerdict: ", out);
	switch (judge_change(change)) {
	case VERDICT_UNKNOWN:
		if (result->comparison->estimated)
			fputs("none, since energies are estimates\n", out);
		else if (unknown < SIDES)
			fprintf(out, "unknown, as the %s of the %s is not known\n", what,
				side_names[unknown]);
		else
			fprintf(out,
				"unknown, as that of the %s has no interval; %d runs a side have\n",
				what, CHANGE_WELCH_RUNS);
		return;
	case VERDICT_SAME:
		fprintf(out, "no significant change of %s", what);
		break;
	case VERDICT_BETTER:
	case VERDICT_WORSE:
		fprintf(out, "%.2f %% %s %s", fabs(change->delta) * 100,
			change->delta < 0 ? "less" : "more", what);
	}
	fprintf(out, ", ±%.2f %% (", change->ci95 * 100);
	text_put(out, result->subject->label);
	fputs(")\n", out);
}

void compare_put_text(FILE *out, const void *data)
{
	const struct compare_result *result = data;

	if (result->differs)
		text_put_line(out, "Compared by --force, though %s", result->differs);
	put_conditions(out, result->comparison);
	put_table(result, out);
	put_total(result, out);
	put_partly_measured(out, result->comparison);
	put_test(out, result->comparison);
	put_verdict(out, result);
}
