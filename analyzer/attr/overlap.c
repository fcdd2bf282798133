/* SPDX-License-Identifier: MIT */
/*
 * The method "overlap": an interval's energy is spread evenly over its time, and what falls on a
 * moment is split equally among the executions that run then; with none running it is idle.  It
 * conserves energy exactly and knows nothing of how much each kernel draws.
 */
#include "analyzer/attr/method.h"
#include "analyzer/model/curve.h"

struct sweep {
	struct model *model;
	const struct source *source;
	struct ledger_balance *balance;
	guint next;      /* the first execution that has not begun */
	GArray *running; /* struct model_execution * */
	uint64_t turn;   /* who gets the nanojoules that do not divide */
	uint64_t carry_pj;
};

static struct model_execution *execution_at(const struct sweep *sweep, guint i)
{
	return &g_array_index(sweep->model->executions, struct model_execution, i);
}

static void begin_and_end(struct sweep *sweep, uint64_t now_ns)
{
	for (guint i = sweep->running->len; i > 0; i--)
		if (g_array_index(sweep->running, struct model_execution *, i - 1)->end_ns <=
			now_ns)
			g_array_remove_index_fast(sweep->running, i - 1);
	for (; sweep->next < sweep->model->executions->len; sweep->next++) {
		struct model_execution *execution = execution_at(sweep, sweep->next);
		uint32_t gpu;

		if (execution->begin_ns > now_ns)
			break;
		gpu = model_gpu_of(sweep->model, execution);
		if (execution->end_ns > now_ns && gpu != MODEL_NONE && sweep->source->covers[gpu])
			g_array_append_val(sweep->running, execution);
	}
}

/* The next moment at which something begins or ends, or until_ns. */
static uint64_t next_change(const struct sweep *sweep, uint64_t until_ns)
{
	for (guint i = 0; i < sweep->running->len; i++) {
		uint64_t end_ns =
			g_array_index(sweep->running, struct model_execution *, i)->end_ns;

		until_ns = MIN(until_ns, end_ns);
	}
	if (sweep->next < sweep->model->executions->len)
		until_ns = MIN(until_ns, execution_at(sweep, sweep->next)->begin_ns);
	return until_ns;
}

static void split(struct sweep *sweep, uint64_t energy_nj)
{
	guint count = sweep->running->len;

	if (!count) {
		sweep->balance->idle_nj += energy_nj;
		return;
	}
	sweep->balance->attributed_nj += energy_nj;
	if (!sweep->source->top_level)
		return;
	for (guint i = 0; i < count; i++) {
		struct model_execution *execution = g_array_index(
			sweep->running, struct model_execution *, (i + sweep->turn) % count);

		execution->energy_nj += energy_nj / count + (i < energy_nj % count);
	}
	sweep->turn++;
}

static uint64_t estimated_nj(struct sweep *sweep, uint64_t length_ns)
{
	uint64_t power_mw =
		sweep->source->static_mw + (sweep->running->len ? sweep->source->dynamic_mw : 0);
	unsigned __int128 energy_pj = (unsigned __int128)power_mw * length_ns + sweep->carry_pj;

	sweep->carry_pj = (uint64_t)(energy_pj % PWRTRACE_PJ_PER_NJ);
	return (uint64_t)(energy_pj / PWRTRACE_PJ_PER_NJ);
}

static void attribute_interval(struct sweep *sweep, const struct curve_interval *interval)
{
	uint64_t length_ns = interval->end_ns - interval->begin_ns;
	uint64_t given_nj = 0;

	for (uint64_t now_ns = interval->begin_ns; now_ns < interval->end_ns;) {
		uint64_t until_ns, part_nj;

		begin_and_end(sweep, now_ns);
		until_ns = next_change(sweep, interval->end_ns);
		if (sweep->source->estimated)
			part_nj = estimated_nj(sweep, until_ns - now_ns);
		else
			part_nj = curve_share(interval->energy_nj, until_ns - interval->begin_ns,
					  length_ns) -
				  given_nj;
		given_nj += part_nj;
		split(sweep, part_nj);
		now_ns = until_ns;
	}
	sweep->balance->measured_nj += given_nj;
}

static bool covers_any(const struct model *model, const struct source *source)
{
	for (guint i = 0; i < model->gpus->len; i++)
		if (source->covers[i])
			return true;
	return false;
}

static void attribute(
	struct model *model, const struct source *source, struct ledger_balance *balance)
{
	struct sweep sweep = {.model = model, .source = source, .balance = balance};
	bool covers = covers_any(model, source);

	sweep.running = g_array_new(FALSE, FALSE, sizeof(struct model_execution *));
	for (guint i = 0; i < source->curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(source->curve, struct curve_interval, i);

		if (covers && !interval->blurred) {
			attribute_interval(&sweep, interval);
		} else {
			balance->measured_nj += interval->energy_nj;
			balance->unattributed_nj += interval->energy_nj;
		}
	}
	g_array_free(sweep.running, TRUE);
}

const struct method method_overlap = {
	.name = "overlap",
	.help = "measured energy split equally over what runs at each moment",
	.attribute = attribute,
};
