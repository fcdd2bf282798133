/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/idle.h"

#include "analyzer/model/curve.h"
#include "analyzer/numeric/apportion.h"

#define PJ_PER_W_NS 1000.

struct idle_split {
	const struct source *source;
	bool constant; /* idle power is the same at all times: fitted, or an estimate */
	const struct idle_switches *switches;
	struct idle_switch next; /* of index next_switch, where there is one */
	guint next_switch, next_interval, next_replay;
	guint waiters, accounts;
	guint *account_of;   /* by waiter */
	double uncharged_pj; /* since account_of has changed */
	GArray *waiting;     /* guint: the accounts that waiters have, each once */
	bool *is_waiting;    /* by account: for gather() */
	double *weight_pj;   /* by account, then of no account */
};

static void gather(struct idle_split *split)
{
	GArray *waiting = split->waiting;

	g_array_set_size(waiting, 0);
	for (guint waiter = 0; waiter < split->waiters; waiter++) {
		guint account = split->account_of[waiter];

		if (account == IDLE_NO_ACCOUNT || split->is_waiting[account])
			continue;
		split->is_waiting[account] = true;
		g_array_append_val(waiting, account);
	}
	for (guint i = 0; i < waiting->len; i++)
		split->is_waiting[g_array_index(waiting, guint, i)] = false;
}

/* Charges what is not yet charged to those who have been waiting. */
static void charge(struct idle_split *split)
{
	const GArray *waiting = split->waiting;

	if (!(split->uncharged_pj > 0))
		return;
	gather(split);
	if (!waiting->len)
		split->weight_pj[split->accounts] += split->uncharged_pj;
	for (guint i = 0; i < waiting->len; i++)
		split->weight_pj[g_array_index(waiting, guint, i)] +=
			split->uncharged_pj / waiting->len;
	split->uncharged_pj = 0;
}

static void find_next_switch(struct idle_split *split, guint i)
{
	split->next_switch = i;
	if (i < split->switches->count)
		split->next = split->switches->at(split->switches->context, i);
	else
		split->next.time_ns = UINT64_MAX;
}

/* Applies the switches up to now_ns.  Returns the time of the next one, at most until_ns. */
static uint64_t take_switches(struct idle_split *split, uint64_t now_ns, uint64_t until_ns)
{
	while (split->next.time_ns <= now_ns) {
		charge(split);
		split->account_of[split->next.waiter] = split->next.account;
		find_next_switch(split, split->next_switch + 1);
	}
	return MIN(until_ns, split->next.time_ns);
}

/* Whether a replay holds the program up; lowers *until_ns to the time at which that changes. */
static bool is_replaying(struct idle_split *split, uint64_t now_ns, uint64_t *until_ns)
{
	const GArray *replays = split->source->replays;

	for (; replays && split->next_replay < replays->len; split->next_replay++) {
		const struct model_span *span =
			&g_array_index(replays, struct model_span, split->next_replay);

		if (span->end_ns <= now_ns)
			continue;
		*until_ns = MIN(*until_ns, span->begin_ns > now_ns ? span->begin_ns : span->end_ns);
		return span->begin_ns <= now_ns;
	}
	return false;
}

/* Charges the time from now_ns to end_ns, in which nothing ran. */
static void add_idle(struct idle_split *split, uint64_t now_ns, uint64_t end_ns)
{
	const GArray *curve = split->source->curve;

	while (now_ns < end_ns && split->next_interval < curve->len) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, split->next_interval);
		double power_w = split->constant
					 ? 1
					 : (double)interval->energy_nj /
						   (double)(interval->end_ns - interval->begin_ns);
		uint64_t until_ns = MIN(end_ns, interval->end_ns);
		bool replaying;

		if (interval->end_ns <= now_ns) {
			split->next_interval++;
			continue;
		}
		now_ns = MAX(now_ns, interval->begin_ns);
		if (now_ns >= end_ns)
			return;
		until_ns = take_switches(split, now_ns, until_ns);
		replaying = is_replaying(split, now_ns, &until_ns);
		/* Blurred energy was divided only where there is a fit. */
		if (!replaying && (!interval->blurred || split->constant))
			split->uncharged_pj += power_w * (double)(until_ns - now_ns) * PJ_PER_W_NS;
		now_ns = until_ns;
	}
}

static void add_all_idle(struct idle_split *split, const struct model *model)
{
	uint64_t busy_until_ns = 0;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);

		if (execution->end_ns <= busy_until_ns ||
			!source_covers(split->source, model_gpu_of(model, execution)))
			continue;
		add_idle(split, busy_until_ns, execution->begin_ns);
		busy_until_ns = execution->end_ns;
	}
	add_idle(split, busy_until_ns, UINT64_MAX);
	charge(split);
}

static void apportion_idle(const struct idle_split *split, uint64_t amount_nj, uint64_t *idle_nj)
{
	guint count = split->accounts + 1;
	uint64_t *weights = g_new(uint64_t, count), *parts_nj = g_new0(uint64_t, count);
	double sum_pj = 0;

	for (guint i = 0; i < count; i++)
		sum_pj += split->weight_pj[i];
	if (sum_pj > 0) {
		for (guint i = 0; i < count; i++)
			weights[i] = (uint64_t)(split->weight_pj[i] * apportion_scale(sum_pj));
		apportion(amount_nj, weights, count, parts_nj);
	} else {
		parts_nj[split->accounts] = amount_nj;
	}
	for (guint i = 0; i < count; i++)
		idle_nj[i] += parts_nj[i];
	g_free(weights);
	g_free(parts_nj);
}

void idle_split(const struct ledger *ledger, guint source_index,
	const struct idle_switches *switches, guint waiters, guint accounts, uint64_t *idle_nj)
{
	const struct source *source = &g_array_index(ledger->sources, struct source, source_index);
	struct idle_split split = {.source = source,
		.constant = source->estimated || fit_of_source(ledger->fits, source),
		.switches = switches,
		.waiters = waiters,
		.accounts = accounts,
		.account_of = g_new(guint, waiters + 1),
		.waiting = g_array_new(FALSE, FALSE, sizeof(guint)),
		.is_waiting = g_new0(bool, accounts + 1),
		.weight_pj = g_new0(double, accounts + 1)};

	for (guint i = 0; i < waiters; i++)
		split.account_of[i] = IDLE_NO_ACCOUNT;
	find_next_switch(&split, 0);
	add_all_idle(&split, ledger->model);
	apportion_idle(&split, ledger->attribution->balances[source_index].idle_nj, idle_nj);
	g_free(split.account_of);
	g_array_free(split.waiting, TRUE);
	g_free(split.is_waiting);
	g_free(split.weight_pj);
}
