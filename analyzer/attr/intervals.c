/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/intervals.h"

#include <math.h>

#include "analyzer/attr/fit.h"

/* What a row has of a class of a fit. */
struct part {
	guint row, fit;
	struct fit_amount amount;
};

struct intervals {
	struct ledger *ledger;
	bool single;
	GHashTable *part_of; /* index in parts + 1, by row and class */
	GArray *parts;       /* struct part */
	uint64_t last_key;   /* of the execution before: most are alike */
	guint last_part;
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
	intervals->part_of = g_hash_table_new(NULL, NULL);
	return intervals;
}

static guint fit_of(const struct intervals *intervals, uint32_t class_number)
{
	guint fit = intervals->ledger->fits->len - 1;

	while (fit_at(intervals, fit)->first_class > class_number)
		fit--;
	return fit;
}

static guint part_of(struct intervals *intervals, guint row, uint32_t class_number)
{
	uint64_t key = (uint64_t)row << 32 | class_number;
	gpointer found;

	if (intervals->parts->len && key == intervals->last_key)
		return intervals->last_part;
	found = g_hash_table_lookup(intervals->part_of, GSIZE_TO_POINTER(key));
	if (!found) {
		struct part part = {.row = row, .fit = fit_of(intervals, class_number)};

		part.amount.class_index = class_number - fit_at(intervals, part.fit)->first_class;
		g_array_append_val(intervals->parts, part);
		found = GUINT_TO_POINTER(intervals->parts->len);
		g_hash_table_insert(intervals->part_of, GSIZE_TO_POINTER(key), found);
	}
	intervals->last_key = key;
	intervals->last_part = GPOINTER_TO_UINT(found) - 1;
	return intervals->last_part;
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
	struct part *part;
	guint index;

	if (!execution->class_number) {
		if (model_is_timed(execution) && execution->energy_nj)
			row->ci95_j = NAN;
		return;
	}
	if (intervals->single) {
		const struct fit *fit =
			fit_at(intervals, fit_of(intervals, execution->class_number));
		struct fit_amount amount = {
			.class_index = execution->class_number - fit->first_class};

		add_amount(fit, execution, &amount, row);
		row->ci95_j = fit_ci95_j(fit, &amount, 1);
		row->static_known = fit->static_known;
		return;
	}
	index = part_of(intervals, row_index, execution->class_number);
	part = &g_array_index(intervals->parts, struct part, index);
	add_amount(fit_at(intervals, part->fit), execution, &part->amount, row);
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

/* All parts of a row that one fit explains. */
static void finish_parts(struct intervals *intervals, guint first, guint end)
{
	const struct part *parts = &g_array_index(intervals->parts, struct part, first);
	const struct fit *fit = fit_at(intervals, parts->fit);
	struct ledger_row *row = row_at(intervals, parts->row);
	struct fit_amount *amounts = g_new(struct fit_amount, end - first);
	bool fresh = row->ci95_j < 0;
	double own_j;

	for (guint i = 0; i < end - first; i++)
		amounts[i] = parts[i].amount;
	own_j = fit_ci95_j(fit, amounts, end - first);
	row->ci95_j = fresh ? own_j : hypot(row->ci95_j, own_j);
	row->static_known = fit->static_known && (fresh || row->static_known);
	g_free(amounts);
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

	g_array_sort(parts, by_row);
	for (guint first = 0, end; first < parts->len; first = end) {
		const struct part *part = &g_array_index(parts, struct part, first);

		for (end = first; end < parts->len; end++)
			if (g_array_index(parts, struct part, end).row != part->row ||
				g_array_index(parts, struct part, end).fit != part->fit)
				break;
		finish_parts(intervals, first, end);
		if (end == first + 1 && row_at(intervals, part->row)->kind)
			set_group(intervals, part);
	}
	g_array_free(parts, TRUE);
	g_hash_table_destroy(intervals->part_of);
	g_free(intervals);
}
