/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/intervals.h"

#include <math.h>

#include "analyzer/attr/fit.h"
#include "analyzer/model/id_map.h"

/* What a row has of a class of a fit. */
struct part {
	guint row, fit;
	struct fit_amount amount;
};

struct intervals {
	struct ledger *ledger;
	bool single;
	struct id_map *part_of; /* index in parts + 1, by row and class */
	GArray *parts;          /* struct part */
};

static struct ledger_row *row_at(const struct intervals *intervals, guint row)
{
	return &g_array_index(intervals->ledger->rows, struct ledger_row, row);
}

static const struct fit *fit_at(const struct intervals *intervals, guint fit)
{
	return g_ptr_array_index(intervals->ledger->fits, fit);
}

struct intervals *intervals_new(struct ledger *ledger, bool single)
{
	struct intervals *intervals = g_new0(struct intervals, 1);

	intervals->ledger = ledger;
	intervals->single = single;
	intervals->parts = g_array_new(FALSE, FALSE, sizeof(struct part));
	intervals->part_of = id_map_new();
	return intervals;
}

/* What tells of an execution whose energy some fit explains: the first that has a class for it. */
static struct part part_for(
	const struct intervals *intervals, guint row, const struct model_execution *execution)
{
	struct part part = {.row = row};

	while ((part.amount.class_index = classes_find(
			fit_at(intervals, part.fit)->classes, execution)) == CLASSES_NONE)
		part.fit++;
	return part;
}

/* The part of the same row and class, made where it is new. */
static struct part *find_part(struct intervals *intervals, const struct part *part)
{
	const struct id_key key = {
		.id = (uint64_t)part->row << 32 | part->amount.class_index, .gpu = part->fit};
	uint32_t *number = id_map_at(intervals->part_of, &key);

	if (!*number) {
		g_array_append_vals(intervals->parts, part, 1);
		*number = intervals->parts->len;
	}
	return &g_array_index(intervals->parts, struct part, *number - 1);
}

static void add_amount(const struct fit *fit, const struct model_execution *execution,
	struct fit_amount *amount, struct ledger_row *row)
{
	double static_nj = execution->static_part * (double)execution->energy_nj;
	double static_w = fit->power_w[fit->powers - 1];
	double time_ns = (double)(execution->end_ns - execution->begin_ns);

	amount->executions++;
	amount->time_ns += time_ns;
	amount->energy_j += (double)execution->energy_nj / 1e9;
	amount->static_ns += static_w > 0 ? static_nj / static_w : time_ns;
	row->static_nj += (uint64_t)llround(static_nj);
}

/* Executions whose energy no fit explains make a row's interval unknown; so that this is noticed,
 * a row says -1 as long as it has none, and NaN once it has such. */
void intervals_add(
	struct intervals *intervals, guint row_index, const struct model_execution *execution)
{
	struct ledger_row *row = row_at(intervals, row_index);
	const struct fit *fit;
	struct part part;

	if (isnan(execution->static_part)) {
		if (model_is_timed(execution) && execution->energy_nj)
			row->ci95_j = NAN;
		return;
	}
	part = part_for(intervals, row_index, execution);
	fit = fit_at(intervals, part.fit);
	if (intervals->single) {
		add_amount(fit, execution, &part.amount, row);
		row->ci95_j = fit_ci95_j(fit, &part.amount, 1);
		row->static_known = fit->static_known;
		return;
	}
	add_amount(fit, execution, &find_part(intervals, &part)->amount, row);
}

/* ---- when all are added ---- */

static int by_row(gconstpointer a, gconstpointer b)
{
	const struct part *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->fit != y->fit)
		return x->fit < y->fit ? -1 : 1;
	return x->amount.class_index < y->amount.class_index ? -1 : 1;
}

/* Half the interval of the sum of some parts, in the order of their fits; negative where there is
 * none. */
static double ci95_j(const struct intervals *intervals, const struct part *parts, guint count)
{
	struct fit_amount *amounts = g_new(struct fit_amount, count + 1);
	double sum_j = -1;

	for (guint first = 0, end; first < count; first = end) {
		double own_j;

		for (end = first; end < count && parts[end].fit == parts[first].fit; end++)
			amounts[end - first] = parts[end].amount;
		own_j = fit_ci95_j(fit_at(intervals, parts[first].fit), amounts, end - first);
		sum_j = sum_j < 0 ? own_j : hypot(sum_j, own_j);
	}
	g_free(amounts);
	return sum_j;
}

static bool static_known(const struct intervals *intervals, const struct part *parts, guint count)
{
	for (guint i = 0; i < count; i++)
		if (!fit_at(intervals, parts[i].fit)->static_known)
			return false;
	return count;
}

static void finish_row(
	const struct intervals *intervals, guint row_index, const struct part *parts, guint count)
{
	struct ledger_row *row = row_at(intervals, row_index);

	if (!isnan(row->ci95_j))
		row->ci95_j = ci95_j(intervals, parts, count);
	row->static_known = static_known(intervals, parts, count);
}

/* ---- of rows with those below them ---- */

static bool is_before(const struct part *a, const struct part *b)
{
	return a->fit != b->fit ? a->fit < b->fit : a->amount.class_index < b->amount.class_index;
}

static void add_part(GArray *sum, const struct part *part)
{
	struct fit_amount *last =
		sum->len ? &g_array_index(sum, struct part, sum->len - 1).amount : NULL;

	if (!last || is_before(&g_array_index(sum, struct part, sum->len - 1), part)) {
		g_array_append_vals(sum, part, 1);
		return;
	}
	last->executions += part->amount.executions;
	last->time_ns += part->amount.time_ns;
	last->static_ns += part->amount.static_ns;
	last->energy_j += part->amount.energy_j;
}

/* The sum of two lists, both in the order of fits and classes; frees them. */
static GArray *merge(GArray *a, GArray *b)
{
	GArray *sum = g_array_sized_new(FALSE, FALSE, sizeof(struct part), a->len + b->len);
	guint i = 0, k = 0;

	while (i < a->len || k < b->len) {
		const struct part *x = &g_array_index(a, struct part, i);
		const struct part *y = &g_array_index(b, struct part, k);

		if (k == b->len || (i < a->len && !is_before(y, x)))
			add_part(sum, x), i++;
		else
			add_part(sum, y), k++;
	}
	g_array_free(a, TRUE);
	g_array_free(b, TRUE);
	return sum;
}

/* Takes over what the rows have: first their own, in the end each with all below it. */
static void finish_nodes(const struct intervals *intervals, GArray **parts_of)
{
	for (guint i = intervals->ledger->rows->len; i > 0; i--) {
		const struct ledger_row *row = row_at(intervals, i - 1);
		struct ledger_sums *all = &row->node->all;
		GArray *parts = parts_of[i - 1];
		guint parent = row->node->parent;

		if (isnan(row->ci95_j))
			all->ci95_j = NAN;
		if (!isnan(all->ci95_j))
			all->ci95_j = ci95_j(intervals, (const void *)parts->data, parts->len);
		all->static_known = static_known(intervals, (const void *)parts->data, parts->len);
		if (parent == LEDGER_NO_ROW) {
			g_array_free(parts, TRUE);
			continue;
		}
		if (isnan(all->ci95_j))
			row_at(intervals, parent)->node->all.ci95_j = NAN;
		parts_of[parent] = merge(parts_of[parent], parts);
	}
}

/* Names the group that a row of a single class is in. */
static void set_group(struct intervals *intervals, const struct part *part)
{
	const struct fit *fit = fit_at(intervals, part->fit);
	int group = fit->group_of[part->amount.class_index];
	char *name;

	if (group < 0)
		return;
	for (guint i = 0; i < part->fit; i++)
		group += (int)fit_at(intervals, i)->groups->len;
	name = g_strdup_printf("group %d", group + 1);
	g_ptr_array_add(intervals->ledger->group_names, name);
	row_at(intervals, part->row)->group = name;
}

void intervals_finish(struct intervals *intervals)
{
	GArray *parts = intervals->parts;
	guint rows = intervals->ledger->rows->len, end = 0;
	bool tree = rows && row_at(intervals, 0)->node;
	GArray **parts_of = g_new(GArray *, rows + 1);

	g_array_sort(parts, by_row);
	for (guint row = 0; !intervals->single && row < rows; row++) {
		guint first = end;
		const struct part *own = &g_array_index(parts, struct part, first);

		while (end < parts->len && g_array_index(parts, struct part, end).row == row)
			end++;
		finish_row(intervals, row, own, end - first);
		if (end == first + 1 && row_at(intervals, row)->kind)
			set_group(intervals, own);
		if (tree) {
			parts_of[row] = g_array_new(FALSE, FALSE, sizeof(struct part));
			g_array_append_vals(parts_of[row], own, end - first);
		}
	}
	if (tree)
		finish_nodes(intervals, parts_of);
	g_free(parts_of);
	g_array_free(parts, TRUE);
	id_map_free(intervals->part_of);
	g_free(intervals);
}
