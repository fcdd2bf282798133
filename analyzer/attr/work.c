/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/work.h"

#include <math.h>

#include "analyzer/attr/fit.h"
#include "analyzer/model/curve.h"
#include "analyzer/model/replays.h"
#include "analyzer/model/source.h"

GArray *work_of(const struct ledger *ledger, const struct work *named)
{
	const GArray *marks = ledger->model->marks;
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct work));

	if (named->amount > 0)
		g_array_append_vals(all, named, 1);
	for (guint i = 0; i < marks->len; i++) {
		const struct model_mark *mark = &g_array_index(marks, struct model_mark, i);
		struct work work = {mark->name, mark->unit, mark->sum, mark->count};

		if (isfinite(mark->sum) && mark->sum > 0)
			g_array_append_val(all, work);
	}
	return all;
}

bool work_parse(const char *text, struct work *work)
{
	char *unit;
	double amount = g_ascii_strtod(text, &unit);

	while (*unit == ' ')
		unit++;
	*work = (struct work){.name = "", .unit = *unit ? unit : "iteration", .amount = amount};
	return unit != text && isfinite(amount) && amount > 0 && g_utf8_validate(unit, -1, NULL);
}

/* ---- intervals ---- */

static double ci95_j(const struct fit *fit)
{
	const GArray *list = fit->classes->list;
	struct fit_amount *amounts = g_new(struct fit_amount, list->len + 1);
	double half_j;

	for (guint i = 0; i < list->len; i++) {
		const struct class *class = &g_array_index(list, struct class, i);

		amounts[i] = (struct fit_amount){
			i, class->executions, class->time_ns, class->static_ns, class->energy_j};
	}
	half_j = fit_ci95_j(fit, amounts, list->len);
	g_free(amounts);
	return half_j;
}

static double attributed_ci95_j(const struct ledger *ledger)
{
	double sum_j = 0;

	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);

		if (source->top_level && source->curve->len && !fit_of_source(ledger->fits, source))
			return -1;
	}
	for (guint i = 0; i < ledger->fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(ledger->fits, i);

		if (fit->source->top_level)
			sum_j = hypot(sum_j, ci95_j(fit));
	}
	return ledger->fits->len ? sum_j : -1;
}

/* ---- time ---- */

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct curve_interval *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static uint64_t measured_ns(const struct ledger *ledger)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct curve_interval));
	uint64_t until_ns = 0, sum_ns = 0;

	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);

		if (source->top_level && source->curve->len)
			g_array_append_vals(all, source->curve->data, source->curve->len);
	}
	g_array_sort(all, by_begin);
	for (guint i = 0; i < all->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(all, struct curve_interval, i);

		until_ns = MAX(until_ns, interval->begin_ns);
		sum_ns += MAX(interval->end_ns, until_ns) - until_ns;
		until_ns = MAX(until_ns, interval->end_ns);
	}
	g_array_free(all, TRUE);
	return sum_ns;
}

struct work_cost work_cost(const struct ledger *ledger)
{
	double replayed_j = (double)ledger->replays.energy_nj / 1e9;
	uint64_t sum_ns = measured_ns(ledger);

	return (struct work_cost){
		.measured_j = (double)ledger->total.measured_nj / 1e9 - replayed_j,
		.attributed_j = (double)ledger->total.attributed_nj / 1e9 - replayed_j,
		.attributed_ci95_j = attributed_ci95_j(ledger),
		.measured_s = (double)(sum_ns - MIN(sum_ns, replays_span_ns(ledger->model))) / 1e9};
}
