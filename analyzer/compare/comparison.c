/* SPDX-License-Identifier: MIT */
#include "analyzer/compare/comparison.h"

#include <math.h>
#include <string.h>

#include "analyzer/compare/labels.h"

/* The figures of one row on one side. */
struct row_side {
	const struct run_row *first; /* NULL: it is not there */
	GArray *figures;             /* struct figures, of each run that has it */
	double count, energy_j;      /* sums over these runs */
	bool modelled, left_out;
};

static const struct compare_run *run_at(const GPtrArray *runs, guint i)
{
	return g_ptr_array_index(runs, i);
}

static const struct run_row *row_at(const GArray *rows, guint i)
{
	return &g_array_index(rows, struct run_row, i);
}

static void add_to(struct row_side *side, const struct run_row *row, const struct figures *figures)
{
	if (!side->first)
		side->first = row;
	g_array_append_vals(side->figures, figures, 1);
	side->count += row->count;
	side->energy_j += row->energy_j;
	side->modelled |= row->modelled;
	side->left_out &= row->left_out;
}

static struct row_side new_side(void)
{
	return (struct row_side){
		.figures = g_array_new(FALSE, FALSE, sizeof(struct figures)), .left_out = true};
}

static struct row_side side_of(const GPtrArray *runs, const struct run_row *wanted)
{
	struct row_side side = new_side();

	for (guint i = 0; i < runs->len; i++) {
		const struct run_row *row = compare_run_find(run_at(runs, i), wanted);

		if (row)
			add_to(&side, row, &row->figures);
	}
	return side;
}

/* ---- rows ---- */

/* What one side is called, or both, where they are called unlike.  labels NULL: by whole names. */
static char *call(const struct kernel_labels *labels, const struct row_side sides[SIDES])
{
	const struct run_row *base = sides[SIDE_BASE].first, *other = sides[SIDE_OTHER].first;
	char *a, *b, *both;

	if (!base || !other || run_row_alike(base, other))
		return labels_call(labels, base ? base : other);
	a = labels_call(labels, base);
	b = labels_call(labels, other);
	both = g_strdup_printf("%s = %s", a, b);
	g_free(a);
	g_free(b);
	return both;
}

static struct comparison_row make_row(const struct comparison *comparison,
	const struct kernel_labels *labels, const struct row_side sides[SIDES])
{
	struct comparison_row row = {.name = call(NULL, sides), .label = call(labels, sides)};
	const struct run_row *base = sides[SIDE_BASE].first, *other = sides[SIDE_OTHER].first;
	bool one_fit = comparison->one_recording && base && other && !run_row_alike(base, other);

	for (int side = 0; side < SIDES; side++) {
		const struct run_row *first = sides[side].first;
		guint runs = sides[side].figures->len;

		row.there[side] = runs;
		row.modelled |= sides[side].modelled;
		if (!first)
			continue;
		row.by = first->by;
		row.count[side] = sides[side].count / runs;
		row.energy_j[side] = sides[side].energy_j / runs;
		row.figures[side] = figures_mean(sides[side].figures);
	}
	for (enum figure figure = 0; figure < FIGURES; figure++) {
		double unlike95 = comparison->other_board && figure_about[figure].from_sensor
					  ? COMPARISON_GAIN95
					  : 0;

		row.change[figure] = change_of(figure, sides[SIDE_BASE].figures,
			sides[SIDE_OTHER].figures, unlike95, one_fit);
		if (comparison->estimated) {
			row.change[figure].p = NAN;
			row.change[figure].significant = false;
		}
	}
	return row;
}

/* Adds a row, and frees its sides. */
static void add_row(struct comparison *comparison, const struct kernel_labels *labels,
	struct row_side sides[SIDES])
{
	struct comparison_row row;

	if (!sides[SIDE_BASE].left_out || !sides[SIDE_OTHER].left_out) {
		row = make_row(comparison, labels, sides);
		g_array_append_val(comparison->rows, row);
	}
	g_array_free(sides[SIDE_BASE].figures, TRUE);
	g_array_free(sides[SIDE_OTHER].figures, TRUE);
}

/* Adds the rows that a run has and no run before it, those of the base being before the others'. */
static void add_rows(struct comparison *comparison, const struct kernel_labels *labels,
	enum side side, guint number)
{
	const GPtrArray *runs = comparison->runs[side];
	const GArray *rows = run_at(runs, number)->rows;

	for (guint i = 0; i < rows->len; i++) {
		const struct run_row *row = row_at(rows, i);
		bool known = false;

		for (guint k = 0; !known && k < number; k++)
			known = compare_run_find(run_at(runs, k), row);
		for (guint k = 0; !known && side && k < comparison->runs[SIDE_BASE]->len; k++)
			known = compare_run_find(run_at(comparison->runs[SIDE_BASE], k), row);
		if (!known)
			add_row(comparison, labels,
				(struct row_side[SIDES]){side_of(comparison->runs[SIDE_BASE], row),
					side_of(comparison->runs[SIDE_OTHER], row)});
	}
}

static void add_pair(struct comparison *comparison, const struct kernel_labels *labels,
	const struct kernel_pair *pair)
{
	struct row_side sides[SIDES] = {side_of(comparison->runs[SIDE_BASE], pair->base),
		side_of(comparison->runs[SIDE_OTHER], pair->other)};

	sides[SIDE_BASE].left_out = false;
	add_row(comparison, labels, sides);
}

static double largest_j(const struct comparison_row *row)
{
	return fmax(fmax(row->energy_j[SIDE_BASE], row->energy_j[SIDE_OTHER]), 0);
}

static int by_energy(gconstpointer a, gconstpointer b)
{
	const struct comparison_row *x = a, *y = b;
	int order = strcmp(x->by, y->by); /* kernels come before layers */

	if (!order)
		order = largest_j(x) > largest_j(y) ? -1 : largest_j(x) < largest_j(y);
	return order ? order : strcmp(x->name, y->name);
}

static void judge_together(struct comparison *comparison)
{
	GPtrArray *changes = g_ptr_array_new();

	for (int figure = 0; figure < FIGURES; figure++) {
		g_ptr_array_set_size(changes, 0);
		for (guint i = 0; i < comparison->rows->len; i++)
			g_ptr_array_add(
				changes, &g_array_index(comparison->rows, struct comparison_row, i)
						  .change[figure]);
		changes_judge((struct change *const *)changes->pdata, changes->len);
	}
	g_ptr_array_free(changes, TRUE);
}

/* ---- the whole ---- */

/* The first unit of the base's work in which all runs count theirs; NULL: there is none. */
static const char *common_unit(const GPtrArray *base, const GPtrArray *other)
{
	const GArray *work = run_at(base, 0)->work;

	for (guint i = 0; i < work->len; i++) {
		const char *unit = g_array_index(work, struct run_work, i).unit;
		bool all = true;

		for (guint k = 0; k < base->len; k++)
			all &= compare_run_amount(run_at(base, k), unit) > 0;
		for (guint k = 0; k < other->len; k++)
			all &= compare_run_amount(run_at(other, k), unit) > 0;
		if (all)
			return unit;
	}
	return NULL;
}

static char *units_of(const GPtrArray *runs)
{
	const GArray *work = run_at(runs, 0)->work;
	GString *units = g_string_new(NULL);

	for (guint i = 0; i < work->len; i++)
		g_string_append_printf(
			units, "%s%s", i ? ", " : "", g_array_index(work, struct run_work, i).unit);
	return g_string_free(units, FALSE);
}

bool comparison_units_alike(const GPtrArray *base, const GPtrArray *other, char **why)
{
	char *a = units_of(base), *b = units_of(other);
	bool alike = !*a || !*b || common_unit(base, other);

	if (!alike)
		*why = g_strdup_printf("unlike units: the base counts its work in %s, the other in "
				       "%s",
			a, b);
	g_free(a);
	g_free(b);
	return alike;
}

static struct row_side total_of(const GPtrArray *runs, const char *unit)
{
	struct row_side side = new_side();

	for (guint i = 0; i < runs->len; i++) {
		const struct compare_run *run = run_at(runs, i);
		struct run_row row = run->total;

		row.count = unit ? compare_run_amount(run, unit) : 1;
		row.figures = compare_run_per(run, row.count);
		add_to(&side, &row, &row.figures);
		side.first = &run->total;
	}
	return side;
}

static void make_total(struct comparison *comparison, const struct kernel_labels *labels)
{
	struct row_side sides[SIDES];

	comparison->unit = common_unit(comparison->runs[SIDE_BASE], comparison->runs[SIDE_OTHER]);
	for (int side = 0; side < SIDES; side++)
		sides[side] = total_of(comparison->runs[side], comparison->unit);
	comparison->total = make_row(comparison, labels, sides);
	for (int side = 0; side < SIDES; side++)
		g_array_free(sides[side].figures, TRUE);
}

/* ---- comparisons ---- */

static bool is_estimated(const GPtrArray *runs)
{
	for (guint i = 0; i < runs->len; i++)
		if (run_at(runs, i)->kernels->estimated)
			return true;
	return false;
}

struct comparison *comparison_new(
	const GPtrArray *base, const GPtrArray *other, const GArray *pairs)
{
	struct comparison *comparison = g_new0(struct comparison, 1);
	struct kernel_labels *labels = labels_of(base, other);

	comparison->runs[SIDE_BASE] = base;
	comparison->runs[SIDE_OTHER] = other;
	comparison->rows = g_array_new(FALSE, FALSE, sizeof(struct comparison_row));
	for (guint i = 0; i < other->len; i++)
		comparison->one_recording |=
			conditions_one_recording(base, run_at(other, i)) != NULL;
	comparison->estimated = is_estimated(base) || is_estimated(other);
	comparison->conditions = conditions_of(base, other);
	comparison->other_board = conditions_other_board(comparison->conditions);
	for (guint i = 0; i < pairs->len; i++)
		add_pair(comparison, labels, &g_array_index(pairs, struct kernel_pair, i));
	for (enum side side = 0; side < SIDES && !pairs->len; side++)
		for (guint i = 0; i < comparison->runs[side]->len; i++)
			add_rows(comparison, labels, side, i);
	g_array_sort(comparison->rows, by_energy);
	judge_together(comparison);
	make_total(comparison, labels);
	labels_free(labels);
	return comparison;
}

static void free_names(struct comparison_row *row)
{
	g_free(row->name);
	g_free(row->label);
}

void comparison_free(struct comparison *comparison)
{
	for (guint i = 0; i < comparison->rows->len; i++)
		free_names(&g_array_index(comparison->rows, struct comparison_row, i));
	free_names(&comparison->total);
	g_array_free(comparison->rows, TRUE);
	conditions_free(comparison->conditions);
	g_free(comparison);
}
