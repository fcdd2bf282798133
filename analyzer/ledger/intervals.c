/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/intervals.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/id_map.h"
#include "analyzer/model/spans.h"
#include "analyzer/regress/fit.h"

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
	GArray *own;            /* struct part: those of one execution, while it is added */
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
	intervals->own = g_array_new(FALSE, FALSE, sizeof(struct part));
	intervals->part_of = id_map_new();
	return intervals;
}

/* ---- of one execution ---- */

static double static_w(const struct fit *fit)
{
	return fit->power_w[fit->powers - 1];
}

static double dynamic_w(const struct fit *fit, guint class_index)
{
	return fit->power_w[g_array_index(fit->classes->list, struct kernel_class, class_index)
				    .column];
}

/* Each fit that has split energy of its has a part, for its time. */
static void find_own(
	struct intervals *intervals, guint row, const struct model_execution *execution)
{
	g_array_set_size(intervals->own, 0);
	for (guint i = 0; i < intervals->ledger->fits->len; i++) {
		const struct fit *fit = fit_at(intervals, i);
		struct part part = {.row = row, .fit = i, .amount.executions = 1};

		part.amount.class_index = classes_find(fit->classes, execution);
		if (part.amount.class_index == CLASSES_NONE)
			continue;
		part.amount.time_ns =
			(double)spans_within(fit->raked, execution->begin_ns, execution->end_ns);
		if (part.amount.time_ns > 0)
			g_array_append_val(intervals->own, part);
	}
}

/* Nearly all of millions of executions are of one domain: this is the way below, made short. */
static void take_all(struct fit_amount *amount, double static_w, double static_j, double energy_j)
{
	amount->static_ns = static_w > 0 ? static_j / static_w * 1e9 : amount->time_ns;
	amount->energy_j = energy_j;
}

/* An execution keeps its sums alone.  Domains of a device share its time alike, and energy as
 * powers have it. */
static void share_out(struct intervals *intervals, const struct model_execution *execution)
{
	struct part *parts = (void *)intervals->own->data;
	double energy_j = (double)execution->energy_nj / 1e9;
	double static_j = execution->static_part * energy_j, all_static_j = 0, all_j = 0;
	guint count = intervals->own->len;

	if (count == 1) {
		take_all(&parts->amount, static_w(fit_at(intervals, parts->fit)), static_j,
			energy_j);
		return;
	}
	for (guint i = 0; i < count; i++)
		all_static_j +=
			static_w(fit_at(intervals, parts[i].fit)) * parts[i].amount.time_ns / 1e9;
	for (guint i = 0; i < count; i++) {
		struct fit_amount *amount = &parts[i].amount;
		const struct fit *fit = fit_at(intervals, parts[i].fit);

		amount->static_ns =
			amount->time_ns * (all_static_j > 0 ? static_j / all_static_j : 1);
		amount->energy_j = (static_w(fit) * amount->static_ns +
					   dynamic_w(fit, amount->class_index) * amount->time_ns) /
				   1e9;
		all_j += amount->energy_j;
	}
	for (guint i = 0; i < count; i++)
		parts[i].amount.energy_j *= all_j > 0 ? energy_j / all_j : 0;
}

static void add_amount(struct fit_amount *sum, const struct fit_amount *amount)
{
	sum->executions += amount->executions;
	sum->time_ns += amount->time_ns;
	sum->static_ns += amount->static_ns;
	sum->energy_j += amount->energy_j;
}

/* To what the row has of the same class. */
static void add_to_row(struct intervals *intervals, const struct part *part)
{
	const struct id_key key = {
		.id = (uint64_t)part->row << 32 | part->amount.class_index, .gpu = part->fit};
	uint32_t *number = id_map_at(intervals->part_of, &key);

	if (*number) {
		add_amount(&g_array_index(intervals->parts, struct part, *number - 1).amount,
			&part->amount);
		return;
	}
	g_array_append_vals(intervals->parts, part, 1);
	*number = intervals->parts->len;
}

/* ---- of rows ---- */

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
	row->static_known = !isnan(row->ci95_j) && static_known(intervals, parts, count);
}

/* Executions whose energy no fit explains make a row's interval unknown; so that this is noticed,
 * a row says -1 as long as it has none, and NaN once it has such. */
void intervals_add(
	struct intervals *intervals, guint row_index, const struct model_execution *execution)
{
	struct ledger_row *row = row_at(intervals, row_index);

	if (isnan(execution->static_part)) {
		if (model_is_timed(execution) && execution->energy_nj)
			row->ci95_j = NAN;
		return;
	}
	find_own(intervals, row_index, execution);
	share_out(intervals, execution);
	row->static_nj += (uint64_t)llround(execution->static_part * (double)execution->energy_nj);
	if (intervals->single) {
		finish_row(intervals, row_index, (const void *)intervals->own->data,
			intervals->own->len);
		return;
	}
	for (guint i = 0; i < intervals->own->len; i++)
		add_to_row(intervals, &g_array_index(intervals->own, struct part, i));
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
	add_amount(last, &part->amount);
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
		all->static_known = !isnan(all->ci95_j) &&
				    static_known(intervals, (const void *)parts->data, parts->len);
		if (parent == LEDGER_NO_ROW) {
			g_array_free(parts, TRUE);
			continue;
		}
		if (isnan(all->ci95_j))
			row_at(intervals, parent)->node->all.ci95_j = NAN;
		parts_of[parent] = merge(parts_of[parent], parts);
	}
}

/* The group that a part is in, counted over all fits; negative: none. */
static int group_of(const struct intervals *intervals, const struct part *part)
{
	int group = fit_at(intervals, part->fit)->group_of[part->amount.class_index];

	for (guint i = 0; group >= 0 && i < part->fit; i++)
		group += (int)fit_at(intervals, i)->groups->len;
	return group;
}

/* Whether they are what one device's domains say of one class. */
static bool is_one_class(const struct intervals *intervals, const struct part *parts, guint count)
{
	for (guint i = 1; i < count; i++) {
		const struct source *a = fit_at(intervals, parts[0].fit)->source;
		const struct source *b = fit_at(intervals, parts[i].fit)->source;

		if (parts[i].fit == parts[i - 1].fit || strcmp(a->device, b->device) != 0 ||
			strcmp(a->recording->machine, b->recording->machine) != 0)
			return false;
	}
	return count;
}

/* Names the group that a row of a single class is in, in the first domain that cannot tell it from
 * others. */
static void set_group(struct intervals *intervals, const struct part *parts, guint count)
{
	int group = -1;
	char *name;

	for (guint i = 0; group < 0 && i < count; i++)
		group = group_of(intervals, &parts[i]);
	if (group < 0)
		return;
	name = g_strdup_printf("group %d", group + 1);
	g_ptr_array_add(intervals->ledger->group_names, name);
	row_at(intervals, parts[0].row)->group = name;
}

static int by_row(gconstpointer a, gconstpointer b)
{
	const struct part *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->fit != y->fit)
		return x->fit < y->fit ? -1 : 1;
	return x->amount.class_index < y->amount.class_index ? -1 : 1;
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
		if (row_at(intervals, row)->kind && is_one_class(intervals, own, end - first))
			set_group(intervals, own, end - first);
		if (tree) {
			parts_of[row] = g_array_new(FALSE, FALSE, sizeof(struct part));
			g_array_append_vals(parts_of[row], own, end - first);
		}
	}
	if (tree)
		finish_nodes(intervals, parts_of);
	g_free(parts_of);
	g_array_free(parts, TRUE);
	g_array_free(intervals->own, TRUE);
	id_map_free(intervals->part_of);
	g_free(intervals);
}
