/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/idle.h"

#include "analyzer/model/curve.h"
#include "analyzer/model/replays.h"
#include "analyzer/model/source.h"
#include "analyzer/numeric/apportion.h"
#include "analyzer/regress/fit.h"

#define PJ_PER_W_NS 1000.

struct splitting {
	const struct source *source;
	bool constant; /* the power of idling: an estimate, or found by a fit */
	const GArray *switches;
	GArray *replays; /* struct model_span: when nobody waits for the device but us */
	guint next_switch, next_interval, next_replay;
	guint lanes, slots;
	guint *slot_of;    /* by lane */
	GArray *waiting;   /* guint: the slots in lanes, each once */
	bool *is_waiting;  /* by slot, while they are gathered */
	bool changed;      /* the lanes, since they were gathered */
	double *weight_pj; /* by slot, of nobody, and of replays */
};

static void gather(struct splitting *splitting)
{
	GArray *waiting = splitting->waiting;

	g_array_set_size(waiting, 0);
	for (guint lane = 0; lane < splitting->lanes; lane++) {
		guint slot = splitting->slot_of[lane];

		if (slot == IDLE_NOBODY || splitting->is_waiting[slot])
			continue;
		splitting->is_waiting[slot] = true;
		g_array_append_val(waiting, slot);
	}
	for (guint i = 0; i < waiting->len; i++)
		splitting->is_waiting[g_array_index(waiting, guint, i)] = false;
	splitting->changed = false;
}

static void charge(struct splitting *splitting, bool replays, double weight_pj)
{
	const GArray *waiting = splitting->waiting;

	if (splitting->changed)
		gather(splitting);
	if (!waiting->len || replays) {
		splitting->weight_pj[splitting->slots + replays] += weight_pj;
		return;
	}
	for (guint i = 0; i < waiting->len; i++)
		splitting->weight_pj[g_array_index(waiting, guint, i)] += weight_pj / waiting->len;
}

/* Takes the switches up to then; returns when the next one is, at most until_ns. */
static uint64_t take_switches(struct splitting *splitting, uint64_t now_ns, uint64_t until_ns)
{
	for (; splitting->next_switch < splitting->switches->len; splitting->next_switch++) {
		const struct idle_switch *change = &g_array_index(
			splitting->switches, struct idle_switch, splitting->next_switch);

		if (change->time_ns > now_ns)
			return MIN(until_ns, change->time_ns);
		splitting->slot_of[change->lane] = change->slot;
		splitting->changed = true;
	}
	return until_ns;
}

/* Whether a replay goes on; *until_ns becomes until when that stays so, at most what it was. */
static bool replays_go_on(struct splitting *splitting, uint64_t now_ns, uint64_t *until_ns)
{
	for (; splitting->next_replay < splitting->replays->len; splitting->next_replay++) {
		const struct model_span *span = &g_array_index(
			splitting->replays, struct model_span, splitting->next_replay);

		if (span->end_ns <= now_ns)
			continue;
		*until_ns = MIN(*until_ns, span->begin_ns > now_ns ? span->begin_ns : span->end_ns);
		return span->begin_ns <= now_ns;
	}
	return false;
}

/* Nothing ran from then until then. */
static void add_idle(struct splitting *splitting, uint64_t now_ns, uint64_t end_ns)
{
	const GArray *curve = splitting->source->curve;

	while (now_ns < end_ns && splitting->next_interval < curve->len) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, splitting->next_interval);
		double power_w = splitting->constant
					 ? 1
					 : (double)interval->energy_nj /
						   (double)(interval->end_ns - interval->begin_ns);
		uint64_t until_ns = MIN(end_ns, interval->end_ns);
		bool replays;

		if (interval->end_ns <= now_ns) {
			splitting->next_interval++;
			continue;
		}
		now_ns = MAX(now_ns, interval->begin_ns);
		if (now_ns >= end_ns)
			return;
		until_ns = take_switches(splitting, now_ns, until_ns);
		replays = replays_go_on(splitting, now_ns, &until_ns);
		/* What is blurred was not attributed at all, but by a fit. */
		if (!interval->blurred || splitting->constant)
			charge(splitting, replays,
				power_w * (double)(until_ns - now_ns) * PJ_PER_W_NS);
		now_ns = until_ns;
	}
}

static void add_all_idle(struct splitting *splitting, const struct model *model)
{
	uint64_t busy_until_ns = 0;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution =
			&g_array_index(model->executions, struct model_execution, i);

		if (execution->end_ns <= busy_until_ns ||
			!source_covers(splitting->source, model_gpu_of(model, execution)))
			continue;
		add_idle(splitting, busy_until_ns, execution->begin_ns);
		busy_until_ns = execution->end_ns;
	}
	add_idle(splitting, busy_until_ns, UINT64_MAX);
}

static void apportion_idle(const struct splitting *splitting, uint64_t amount_nj, uint64_t *idle_nj)
{
	guint count = splitting->slots + 2;
	uint64_t *weights = g_new(uint64_t, count), *parts_nj = g_new0(uint64_t, count);
	double sum_pj = 0;

	for (guint i = 0; i < count; i++)
		sum_pj += splitting->weight_pj[i];
	if (sum_pj > 0) {
		for (guint i = 0; i < count; i++)
			weights[i] = (uint64_t)(splitting->weight_pj[i] * apportion_scale(sum_pj));
		apportion(amount_nj, weights, count, parts_nj);
	} else {
		parts_nj[splitting->slots] = amount_nj;
	}
	for (guint i = 0; i < count; i++)
		idle_nj[i] += parts_nj[i];
	g_free(weights);
	g_free(parts_nj);
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct idle_switch *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

void idle_sort(GArray *switches)
{
	g_array_sort(switches, by_time);
}

void idle_split(const struct ledger *ledger, guint source_index, const GArray *switches,
	guint lanes, guint slots, uint64_t *idle_nj)
{
	const struct source *source = &g_array_index(ledger->sources, struct source, source_index);
	struct splitting splitting = {.source = source,
		.constant = source->estimated || fit_of_source(ledger->fits, source),
		.switches = switches,
		.replays = replays_spans(ledger->model),
		.lanes = lanes,
		.slots = slots,
		.slot_of = g_new(guint, lanes + 1),
		.waiting = g_array_new(FALSE, FALSE, sizeof(guint)),
		.is_waiting = g_new0(bool, slots + 1),
		.weight_pj = g_new0(double, slots + 2)};

	for (guint i = 0; i < lanes; i++)
		splitting.slot_of[i] = IDLE_NOBODY;
	add_all_idle(&splitting, ledger->model);
	apportion_idle(&splitting, g_array_index(ledger->idle_nj, uint64_t, source_index), idle_nj);
	g_array_free(splitting.replays, TRUE);
	g_free(splitting.slot_of);
	g_array_free(splitting.waiting, TRUE);
	g_free(splitting.is_waiting);
	g_free(splitting.weight_pj);
}
