/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/intervals.h"

#include <math.h>
#include <string.h>

#include "analyzer/attribute/share.h"
#include "analyzer/model/id_map.h"

struct intervals {
	struct ledger *ledger;
	bool single;
	/* By row, GArray * of struct class_share: the sums over its executions, and over those of
	 * its replays. */
	GPtrArray *of_rows, *of_replays;
	struct id_map *place_of; /* place in that array, counted from 1, by row and class */
	GArray *own;             /* struct class_share: of the execution that is being added */
};

static struct ledger_row *row_at(const struct intervals *intervals, guint row)
{
	return &g_array_index(intervals->ledger->rows, struct ledger_row, row);
}

static const struct fit *fit_at(const struct intervals *intervals, guint fit)
{
	return g_ptr_array_index(intervals->ledger->fits, fit);
}

static const struct class_share *share_at(const GArray *shares, guint i)
{
	return &g_array_index(shares, struct class_share, i);
}

static void free_shares(gpointer shares)
{
	if (shares)
		g_array_free(shares, TRUE);
}

struct intervals *intervals_new(struct ledger *ledger, bool single)
{
	struct intervals *intervals = g_new0(struct intervals, 1);

	intervals->ledger = ledger;
	intervals->single = single;
	intervals->of_rows = g_ptr_array_new_with_free_func(free_shares);
	intervals->of_replays = g_ptr_array_new_with_free_func(free_shares);
	intervals->own = g_array_new(FALSE, FALSE, sizeof(struct class_share));
	intervals->place_of = id_map_new();
	return intervals;
}

/* ---- one row ---- */

/* The first share after those of the same fit. */
static guint end_of_fit(const GArray *shares, guint first)
{
	guint end = first + 1;

	while (end < shares->len && share_at(shares, end)->fit == share_at(shares, first)->fit)
		end++;
	return end;
}

/* Half the 95 % interval of the sum of shares, which are in the order of fits; negative where there
 * are none.  The errors of different fits are independent. */
static double ci95_j(const struct intervals *intervals, const GArray *shares)
{
	struct fit_amount *amounts = g_new(struct fit_amount, shares->len + 1);
	double sum_j = -1;

	for (guint first = 0, end; first < shares->len; first = end) {
		guint fit = share_at(shares, first)->fit;
		double own_j;

		end = end_of_fit(shares, first);
		for (guint i = first; i < end; i++)
			amounts[i - first] = share_at(shares, i)->amount;
		own_j = fit_ci95_j(fit_at(intervals, fit), amounts, end - first);
		sum_j = sum_j < 0 ? own_j : hypot(sum_j, own_j);
	}
	g_free(amounts);
	return sum_j;
}

static bool static_known(const struct intervals *intervals, const GArray *shares)
{
	for (guint i = 0; i < shares->len; i++)
		if (!fit_at(intervals, share_at(shares, i)->fit)->static_known)
			return false;
	return shares->len;
}

bool intervals_static_known(const struct ledger *ledger, uint32_t gpu)
{
	for (guint i = 0; i < ledger->fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(ledger->fits, i);

		if (!fit->static_known && source_covers(fit->source, gpu))
			return false;
	}
	return true;
}

/* Whether fits hold another one of the same device and recording: a device has one for each of its
 * sensors, and all have the same utilization. */
static bool is_among(const GPtrArray *fits, const struct fit *fit)
{
	for (guint i = 0; i < fits->len; i++) {
		const struct fit *other = g_ptr_array_index(fits, i);

		if (other->source->recording == fit->source->recording &&
			strcmp(other->utilization->uuid, fit->utilization->uuid) == 0 &&
			(*fit->utilization->uuid ||
				strcmp(other->source->device, fit->source->device) == 0))
			return true;
	}
	return false;
}

static void add_utilization(const struct fit *fit, const struct class_share *shares, guint count,
	struct utilization_sum *sum)
{
	uint32_t *column = g_new(uint32_t, count + 1);
	double *time_ns = g_new(double, count + 1);

	for (guint i = 0; i < count; i++) {
		column[i] = g_array_index(
			fit->classes->list, struct kernel_class, shares[i].amount.class_index)
				    .column;
		time_ns[i] = shares[i].amount.time_ns;
	}
	utilization_add(fit->utilization, column, time_ns, count, sum);
	g_free(column);
	g_free(time_ns);
}

/* Sets how busy the parts of devices were, by the first fit that knows it of each device.  Shares
 * are in the order of fits. */
static void set_utilization(
	const struct intervals *intervals, struct ledger_row *row, const GArray *shares)
{
	struct utilization_sum sum = {.time_ns = {0}};
	GPtrArray *used = g_ptr_array_new();

	for (guint first = 0, end; first < shares->len; first = end) {
		struct fit *fit =
			g_ptr_array_index(intervals->ledger->fits, share_at(shares, first)->fit);

		end = end_of_fit(shares, first);
		if (!fit->utilization || is_among(used, fit))
			continue;
		add_utilization(fit, share_at(shares, first), end - first, &sum);
		g_ptr_array_add(used, fit);
	}
	if (used->len)
		row->utilization = g_new(struct ledger_utilization, PWRTRACE_PARTS);
	for (int part = 0; used->len && part < PWRTRACE_PARTS; part++) {
		struct utilization_share share = utilization_share_of(&sum, part);

		row->utilization[part] =
			(struct ledger_utilization){share.mean, 1.96 * share.deviation};
	}
	g_ptr_array_free(used, TRUE);
}

static void finish_row(const struct intervals *intervals, guint row_index, const GArray *shares)
{
	struct ledger_row *row = row_at(intervals, row_index);

	if (!intervals->single)
		set_utilization(intervals, row, shares);
	if (!isnan(row->ci95_j))
		row->ci95_j = ci95_j(intervals, shares);
	row->static_known = !isnan(row->ci95_j) && static_known(intervals, shares);
}

/* ---- adding executions ---- */

static void add_amount(struct fit_amount *sum, const struct fit_amount *amount)
{
	sum->executions += amount->executions;
	sum->time_ns += amount->time_ns;
	sum->static_ns += amount->static_ns;
	sum->energy_j += amount->energy_j;
}

/* The shares of a row, to be added to.  by_row: of_rows or of_replays, here and below. */
static GArray *shares_of_row(GPtrArray *by_row, guint row)
{
	if (row >= by_row->len)
		g_ptr_array_set_size(by_row, (gint)row + 1);
	if (!g_ptr_array_index(by_row, row))
		g_ptr_array_index(by_row, row) =
			g_array_new(FALSE, FALSE, sizeof(struct class_share));
	return g_ptr_array_index(by_row, row);
}

/* Adds a share to the row's share of the same class. */
static void add_to_row(
	struct intervals *intervals, GPtrArray *by_row, guint row, const struct class_share *share)
{
	const struct id_key key = {.id = (uint64_t)row << 32 | share->amount.class_index,
		.gpu = share->fit,
		.process = by_row == intervals->of_replays};
	uint32_t *place = id_map_at(intervals->place_of, &key);
	GArray *shares = shares_of_row(by_row, row);

	if (*place) {
		add_amount(&g_array_index(shares, struct class_share, *place - 1).amount,
			&share->amount);
		return;
	}
	g_array_append_vals(shares, share, 1);
	*place = shares->len;
}

/* Sets own to the shares of an execution, and returns whether it has any.  One whose energy was not
 * divided by a fit has none and makes its row's interval unknown: until intervals_finish(),
 * *row_ci95_j is NaN in rows that have such executions, and -1 in others. */
static bool find_own(
	struct intervals *intervals, const struct execution_energy *attributed, double *row_ci95_j)
{
	if (isnan(attributed->static_part)) {
		if (model_is_timed(attributed->execution) && attributed->energy_nj)
			*row_ci95_j = NAN;
		return false;
	}
	shares_of(intervals->ledger->attribution, attributed, intervals->own);
	return true;
}

static void add_own(struct intervals *intervals, GPtrArray *by_row, guint row)
{
	for (guint i = 0; i < intervals->own->len; i++)
		add_to_row(intervals, by_row, row, share_at(intervals->own, i));
}

void intervals_add_replay(
	struct intervals *intervals, guint row, const struct execution_energy *attributed)
{
	if (find_own(intervals, attributed, &row_at(intervals, row)->replays.ci95_j))
		add_own(intervals, intervals->of_replays, row);
}

void intervals_add(
	struct intervals *intervals, guint row_index, const struct execution_energy *attributed)
{
	struct ledger_row *row = row_at(intervals, row_index);

	if (!find_own(intervals, attributed, &row->ci95_j))
		return;
	row->static_nj +=
		(uint64_t)llround(attributed->static_part * (double)attributed->energy_nj);
	if (intervals->single) {
		finish_row(intervals, row_index, intervals->own);
		return;
	}
	add_own(intervals, intervals->of_rows, row_index);
}

/* ---- rows with those below them ---- */

static int by_class(gconstpointer a, gconstpointer b)
{
	const struct class_share *x = a, *y = b;

	if (x->fit != y->fit)
		return x->fit < y->fit ? -1 : 1;
	if (x->amount.class_index != y->amount.class_index)
		return x->amount.class_index < y->amount.class_index ? -1 : 1;
	return 0;
}

/* Adds shares to those in `into`; both are in the order of fits and classes. */
static void merge(GArray *into, const GArray *shares)
{
	GArray *sum = g_array_sized_new(
		FALSE, FALSE, sizeof(struct class_share), into->len + shares->len);
	guint i = 0, k = 0;

	while (i < into->len || k < shares->len) {
		int order = i == into->len     ? 1
			    : k == shares->len ? -1
					       : by_class(share_at(into, i), share_at(shares, k));

		g_array_append_vals(sum, order > 0 ? share_at(shares, k) : share_at(into, i), 1);
		if (order == 0)
			add_amount(&g_array_index(sum, struct class_share, sum->len - 1).amount,
				&share_at(shares, k)->amount);
		i += order <= 0;
		k += order >= 0;
	}
	g_array_set_size(into, 0);
	g_array_append_vals(into, sum->data, sum->len);
	g_array_free(sum, TRUE);
}

/* Adds up the shares of each row and those below it, and sets the intervals of the sums. */
static void finish_nodes(struct intervals *intervals)
{
	for (guint i = intervals->ledger->rows->len; i > 0; i--) {
		const struct ledger_row *row = row_at(intervals, i - 1);
		struct ledger_sums *all = &row->node->all;
		const GArray *shares = shares_of_row(intervals->of_rows, i - 1);
		guint parent = row->node->parent;

		if (isnan(row->ci95_j))
			all->ci95_j = NAN;
		if (!isnan(all->ci95_j))
			all->ci95_j = ci95_j(intervals, shares);
		all->static_known = !isnan(all->ci95_j) && static_known(intervals, shares);
		if (parent == LEDGER_NO_ROW)
			continue;
		if (isnan(all->ci95_j))
			row_at(intervals, parent)->node->all.ci95_j = NAN;
		merge(shares_of_row(intervals->of_rows, parent), shares);
	}
}

/* ---- groups ---- */

/* The group of a share's class, numbered over all fits; negative: none. */
static int group_of(const struct intervals *intervals, const struct class_share *share)
{
	int group = fit_at(intervals, share->fit)->group_of[share->amount.class_index];

	for (guint i = 0; group >= 0 && i < share->fit; i++)
		group += (int)fit_at(intervals, i)->groups->len;
	return group;
}

/* Whether shares are of a single class: one in each fit, of fits for the domains of one device. */
static bool is_one_class(const struct intervals *intervals, const GArray *shares)
{
	for (guint i = 1; i < shares->len; i++) {
		const struct source *a = fit_at(intervals, share_at(shares, 0)->fit)->source;
		const struct source *b = fit_at(intervals, share_at(shares, i)->fit)->source;

		if (share_at(shares, i)->fit == share_at(shares, i - 1)->fit ||
			strcmp(a->device, b->device) != 0 ||
			strcmp(a->recording->machine, b->recording->machine) != 0)
			return false;
	}
	return shares->len;
}

/* Sets the group of a row of a single class, by the first domain in which the class is in one. */
static void set_group(struct intervals *intervals, guint row, const GArray *shares)
{
	int group = -1;
	char *name;

	for (guint i = 0; group < 0 && i < shares->len; i++)
		group = group_of(intervals, share_at(shares, i));
	if (group < 0)
		return;
	name = g_strdup_printf("group %d", group + 1);
	g_ptr_array_add(intervals->ledger->group_names, name);
	row_at(intervals, row)->group = name;
}

/* Says of a row of a single class how a library knows its power, by the first domain in which it
 * does. */
static void set_library(struct intervals *intervals, guint row, const GArray *shares)
{
	static const char *const known_as[] = {
		[REMEMBERED_SAME] = "same shape", [REMEMBERED_OTHER_SHAPE] = "other shape"};

	for (guint i = 0; i < shares->len && !row_at(intervals, row)->library; i++) {
		const struct class_share *share = share_at(shares, i);
		const struct fit *fit = fit_at(intervals, share->fit);
		const struct kernel_class *class = &g_array_index(
			fit->classes->list, struct kernel_class, share->amount.class_index);

		if (fit->remembered && !class->rare)
			row_at(intervals, row)->library =
				known_as[fit->remembered->column[class->column].as];
	}
}

static void finish_replays(const struct intervals *intervals, guint row)
{
	double *row_ci95_j = &row_at(intervals, row)->replays.ci95_j;
	GArray *shares = shares_of_row(intervals->of_replays, row);

	g_array_sort(shares, by_class);
	if (!isnan(*row_ci95_j))
		*row_ci95_j = ci95_j(intervals, shares);
}

void intervals_finish(struct intervals *intervals)
{
	guint rows = intervals->ledger->rows->len;

	for (guint row = 0; !intervals->single && row < rows; row++) {
		GArray *shares = shares_of_row(intervals->of_rows, row);

		g_array_sort(shares, by_class);
		finish_row(intervals, row, shares);
		if (row_at(intervals, row)->replays.executions)
			finish_replays(intervals, row);
		if (row_at(intervals, row)->kind && is_one_class(intervals, shares)) {
			set_group(intervals, row, shares);
			set_library(intervals, row, shares);
		}
	}
	if (rows && row_at(intervals, 0)->node)
		finish_nodes(intervals);
	g_ptr_array_free(intervals->of_rows, TRUE);
	g_ptr_array_free(intervals->of_replays, TRUE);
	g_array_free(intervals->own, TRUE);
	id_map_free(intervals->place_of);
	g_free(intervals);
}
