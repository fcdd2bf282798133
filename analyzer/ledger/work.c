/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/work.h"

#include <math.h>
#include <string.h>

#include "analyzer/ledger/measured.h"
#include "analyzer/model/curve.h"
#include "analyzer/model/hosts.h"
#include "analyzer/model/replays.h"
#include "analyzer/model/source.h"
#include "analyzer/model/spans.h"
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

/* Adds spans of a machine to spans, in any order. */
typedef void add_spans(const struct ledger *ledger, const char *machine, GArray *spans);

/* When top-level sources have measured. */
static void add_measured(const struct ledger *ledger, const char *machine, GArray *spans)
{
	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);

		if (source->top_level && strcmp(source->recording->machine, machine) == 0)
			curve_add_spans(source->curve, true, spans);
	}
}

static void add_recorded(const struct ledger *ledger, const char *machine, GArray *spans)
{
	const GArray *recordings = ledger->model->recordings;

	for (guint i = 0; i < recordings->len; i++) {
		const struct model_recording *recording =
			&g_array_index(recordings, struct model_recording, i);

		if (strcmp(recording->machine, machine) == 0)
			g_array_append_val(spans, recording->span);
	}
}

/* Those of a machine until a time, without the times of its replays.  The caller frees the array.
 */
static GArray *program_spans(
	const struct ledger *ledger, const char *machine, add_spans *add, uint64_t until_ns)
{
	const struct model_span until = {0, until_ns};
	GArray *replays = replays_spans(ledger->model, machine);
	GArray *before = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	GArray *own = g_array_new(FALSE, FALSE, sizeof(struct model_span));

	g_array_append_val(before, until);
	add(ledger, machine, own);
	spans_unite(own);
	spans_intersect(own, before);
	spans_subtract(own, replays);
	g_array_free(before, TRUE);
	g_array_free(replays, TRUE);
	return own;
}

static bool is_first_of_machine(const GArray *recordings, guint i)
{
	const struct model_recording *recording = (const void *)recordings->data;

	for (guint k = 0; k < i; k++)
		if (strcmp(recording[k].machine, recording[i].machine) == 0)
			return false;
	return true;
}

/* How long, until a time, what is added took on any machine, without the times of replays.  A
 * machine that does not know the time of day is taken to have none in common with the others. */
static uint64_t program_ns(const struct ledger *ledger, add_spans *add, uint64_t until_ns)
{
	const GArray *recordings = ledger->model->recordings;
	GArray *common = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	uint64_t sum_ns = 0;

	for (guint i = 0; i < recordings->len; i++) {
		const char *machine = g_array_index(recordings, struct model_recording, i).machine;
		GArray *own;

		if (!is_first_of_machine(recordings, i))
			continue;
		own = program_spans(ledger, machine, add, until_ns);
		if (hosts_time_of_day_ns(ledger->model, machine))
			g_array_append_vals(common, own->data, own->len);
		else
			sum_ns += spans_length_ns(own);
		g_array_free(own, TRUE);
	}
	spans_unite(common);
	sum_ns += spans_length_ns(common);
	g_array_free(common, TRUE);
	return sum_ns;
}

/* A device whose power is never known lacks what it ran, and may be beside others that were
 * measured all the time. */
static bool is_partly(
	uint64_t measured_ns, uint64_t recorded_ns, const struct ledger_unmeasured *unmeasured)
{
	return ledger_notably_unmeasured(
		       recorded_ns - MIN(measured_ns, recorded_ns), recorded_ns) ||
	       ledger_notably_unmeasured(unmeasured->time_ns, MAX(unmeasured->ran_ns, recorded_ns));
}

struct work_cost work_cost(const struct ledger *ledger)
{
	const struct ledger_balance *total = &ledger->total;
	uint64_t measured_ns = program_ns(ledger, add_measured, G_MAXUINT64);
	uint64_t recorded_ns = program_ns(ledger, add_recorded, G_MAXUINT64);

	return (struct work_cost){
		.measured_j = (double)(total->measured_nj - total->replay_nj) / 1e9,
		.attributed_j = (double)total->attributed_nj / 1e9,
		.attributed_ci95_j = attributed_ci95_j(ledger),
		.measured_s = (double)measured_ns / 1e9,
		.recorded_s = (double)recorded_ns / 1e9,
		.partly_measured = is_partly(measured_ns, recorded_ns, &ledger->unmeasured)};
}

bool work_partly_measured_until(const struct ledger *ledger, uint64_t until_ns)
{
	const struct model *model = ledger->model;
	struct ledger_unmeasured unmeasured = {0};

	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution execution = *model_execution_at(model, i);

		if (model_origin_of(model, &execution)->replayed || execution.begin_ns >= until_ns)
			continue;
		execution.end_ns = MIN(execution.end_ns, until_ns);
		unmeasured.ran_ns += execution.end_ns - execution.begin_ns;
		unmeasured.time_ns += measured_missing_ns(ledger->measured, model, &execution);
	}
	return is_partly(program_ns(ledger, add_measured, until_ns),
		program_ns(ledger, add_recorded, until_ns), &unmeasured);
}

bool work_replays_partly_measured(const struct ledger *ledger)
{
	uint64_t all_ns = 0, measured_ns = 0;
	const GArray *recordings = ledger->model->recordings;

	for (guint i = 0; i < recordings->len; i++) {
		const char *machine = g_array_index(recordings, struct model_recording, i).machine;
		GArray *replays, *spans;

		if (!is_first_of_machine(recordings, i))
			continue;
		replays = replays_spans(ledger->model, machine);
		spans = g_array_new(FALSE, FALSE, sizeof(struct model_span));
		add_measured(ledger, machine, spans);
		spans_unite(spans);
		all_ns += spans_length_ns(replays);
		spans_intersect(replays, spans);
		measured_ns += spans_length_ns(replays);
		g_array_free(replays, TRUE);
		g_array_free(spans, TRUE);
	}
	return ledger_notably_unmeasured(all_ns - measured_ns, all_ns);
}
