/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/work.h"

#include <math.h>

#include "analyzer/ledger/idle.h"
#include "analyzer/model/curve.h"
#include "analyzer/model/replays.h"
#include "analyzer/model/source.h"
#include "analyzer/regress/fit.h"

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

	for (guint i = 0; i < list->len; i++)
		amounts[i] = fit_program_amount(fit, i);
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
	const struct model_span *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* The length of the union of spans (struct model_span); frees them. */
static uint64_t union_ns(GArray *spans)
{
	uint64_t until_ns = 0, sum_ns = 0;

	g_array_sort(spans, by_begin);
	for (guint i = 0; i < spans->len; i++) {
		const struct model_span *span = &g_array_index(spans, struct model_span, i);

		until_ns = MAX(until_ns, span->begin_ns);
		sum_ns += MAX(span->end_ns, until_ns) - until_ns;
		until_ns = MAX(until_ns, span->end_ns);
	}
	g_array_free(spans, TRUE);
	return sum_ns;
}

static uint64_t any_measured_ns(const struct ledger *ledger)
{
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct model_span));

	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);

		for (guint k = 0; source->top_level && k < source->curve->len; k++) {
			const struct curve_interval *interval =
				&g_array_index(source->curve, struct curve_interval, k);
			struct model_span span = {interval->begin_ns, interval->end_ns};

			g_array_append_val(spans, span);
		}
	}
	return union_ns(spans);
}

static uint64_t any_recorded_ns(const struct ledger *ledger)
{
	const GArray *recordings = ledger->model->recordings;
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct model_span));

	for (guint i = 0; i < recordings->len; i++)
		g_array_append_val(
			spans, g_array_index(recordings, struct model_recording, i).span);
	return union_ns(spans);
}

/* The idle energy of times when a replay held the program up. */
static double replays_idle_j(const struct ledger *ledger)
{
	struct mapped_array *switches = mapped_array_new_unfailing(sizeof(struct idle_switch));
	uint64_t idle_nj[2] = {0}; /* of no account, and of replays */

	for (guint i = 0; i < ledger->sources->len && ledger->model->replays->len; i++)
		if (g_array_index(ledger->sources, struct source, i).top_level)
			idle_split(ledger, i, switches, 0, 0, idle_nj);
	mapped_array_free(switches);
	return (double)idle_nj[1] / 1e9;
}

struct work_cost work_cost(const struct ledger *ledger)
{
	double replayed_j = (double)ledger->replays.energy_nj / 1e9;
	double replayed_s = (double)replays_span_ns(ledger->model) / 1e9;

	return (struct work_cost){.measured_j = (double)ledger->total.measured_nj / 1e9 -
						replayed_j - replays_idle_j(ledger),
		.attributed_j = (double)ledger->total.attributed_nj / 1e9 - replayed_j,
		.attributed_ci95_j = attributed_ci95_j(ledger),
		.measured_s = MAX((double)any_measured_ns(ledger) / 1e9 - replayed_s, 0),
		.recorded_s = MAX((double)any_recorded_ns(ledger) / 1e9 - replayed_s, 0)};
}

bool work_partly_measured(const struct work_cost *cost)
{
	return cost->recorded_s - cost->measured_s > LEDGER_UNMEASURED_NOTABLE * cost->recorded_s;
}
