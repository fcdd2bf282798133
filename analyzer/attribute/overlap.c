/* SPDX-License-Identifier: MIT */
/*
 * The method "overlap": an interval's energy is spread evenly over its time, and what falls on a
 * moment is split equally among the executions that run then; with none running it is idle.  It
 * conserves energy exactly and knows nothing of how much each kernel draws.
 */
#include <math.h>

#include "analyzer/attribute/method.h"
#include "analyzer/model/curve.h"
#include "analyzer/model/sweep.h"

struct spreading {
	struct sweep sweep;
	struct model *model;
	const struct source *source;
	struct ledger_balance *balance;
	uint64_t turn; /* who gets the nanojoules that do not divide */
	uint64_t carry_pj;
};

static void split(struct spreading *spreading, uint64_t energy_nj)
{
	guint count = spreading->sweep.count;

	if (!count) {
		spreading->balance->idle_nj += energy_nj;
		return;
	}
	spreading->balance->attributed_nj += energy_nj;
	if (!spreading->source->top_level)
		return;
	for (guint i = 0; i < count; i++) {
		guint index = spreading->sweep.running[(i + spreading->turn) % count].execution;
		struct model_execution *execution =
			&g_array_index(spreading->model->executions, struct model_execution, index);
		uint64_t part_nj = energy_nj / count + (i < energy_nj % count);

		execution->energy_nj += part_nj;
		if (part_nj)
			execution->static_part = NAN;
	}
	spreading->turn++;
}

static uint64_t estimated_nj(struct spreading *spreading, uint64_t length_ns)
{
	const struct source *source = spreading->source;
	uint64_t power_mw = source->static_mw + (spreading->sweep.count ? source->dynamic_mw : 0);
	unsigned __int128 energy_pj = (unsigned __int128)power_mw * length_ns + spreading->carry_pj;

	spreading->carry_pj = (uint64_t)(energy_pj % PWRTRACE_PJ_PER_NJ);
	return (uint64_t)(energy_pj / PWRTRACE_PJ_PER_NJ);
}

static void attribute_interval(struct spreading *spreading, const struct curve_interval *interval)
{
	uint64_t length_ns = interval->end_ns - interval->begin_ns;
	uint64_t given_nj = 0;

	for (uint64_t now_ns = interval->begin_ns; now_ns < interval->end_ns;) {
		uint64_t until_ns = sweep_step(&spreading->sweep, now_ns, interval->end_ns);
		uint64_t part_nj;

		if (spreading->source->estimated)
			part_nj = estimated_nj(spreading, until_ns - now_ns);
		else
			part_nj = curve_share(interval->energy_nj, until_ns - interval->begin_ns,
					  length_ns) -
				  given_nj;
		given_nj += part_nj;
		split(spreading, part_nj);
		now_ns = until_ns;
	}
	spreading->balance->measured_nj += given_nj;
}

void overlap_spread(struct model *model, const struct source *source, const GArray *curve,
	struct ledger_balance *balance)
{
	struct spreading spreading = {.model = model, .source = source, .balance = balance};
	bool covers = source_covers_any(model, source);

	sweep_begin(&spreading.sweep, model, source);
	for (guint i = 0; i < curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, i);

		if (covers && !interval->blurred) {
			attribute_interval(&spreading, interval);
		} else {
			balance->measured_nj += interval->energy_nj;
			balance->unattributed_nj += interval->energy_nj;
		}
	}
	sweep_end(&spreading.sweep);
}

static void attribute(struct model *model, const struct source *source,
	struct ledger_balance *balance, GPtrArray *fits)
{
	(void)fits;
	overlap_spread(model, source, source->curve, balance);
}

const struct method method_overlap = {
	.name = "overlap",
	.help = "measured energy split equally over what runs at each moment",
	.attribute = attribute,
};
