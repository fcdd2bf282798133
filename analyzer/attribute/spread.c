/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/spread.h"

#include <math.h>

#include "analyzer/model/sweep.h"

struct spread {
	const struct source *source;
	const GArray *curve;
	struct spread_sinks sinks;
	struct sweep sweep;
	bool covers;       /* the source measures some device that is in the traces */
	guint next;        /* the first interval that is not divided yet */
	guint turn;        /* rotates who gets the remainder of a division */
	uint64_t carry_pj; /* the remainder of an estimate, for the next one */
};

struct spread *spread_new(const struct model *model, const struct source *source,
	const GArray *curve, const struct spread_sinks *sinks)
{
	struct spread *spread = g_new0(struct spread, 1);

	spread->source = source;
	spread->curve = curve;
	spread->sinks = *sinks;
	spread->covers = source_covers_any(model, source);
	sweep_begin(&spread->sweep, model, source);
	return spread;
}

void spread_free(struct spread *spread)
{
	sweep_end(&spread->sweep);
	g_free(spread);
}

static void give(struct spread *spread, uint32_t execution, uint64_t energy_nj)
{
	struct energy *energy = energies_at(spread->sinks.energies, execution);

	energy->energy_nj += energy_nj;
	energy->static_part = NAN;
}

static void give_all(struct spread *spread, uint64_t energy_nj)
{
	const struct sweep *sweep = &spread->sweep;
	struct balance *balance = spread->sinks.balance;
	guint count = sweep->count;

	for (guint i = 0; i < count; i++) {
		guint running = (i + spread->turn) % count;
		uint64_t part_nj = energy_nj / count + (i < energy_nj % count);

		if (spread->sinks.energies && part_nj)
			give(spread, sweep->running[running].execution, part_nj);
		if (balance)
			*(sweep_is_replayed(sweep, running) ? &balance->replay_nj
							    : &balance->attributed_nj) += part_nj;
	}
	spread->turn++;
}

/* Divides the energy of a time in which the same executions ran. */
static void split(struct spread *spread, uint64_t energy_nj)
{
	struct balance *balance = spread->sinks.balance;

	if (balance)
		balance->measured_nj += energy_nj;
	if (spread->sweep.count) {
		give_all(spread, energy_nj);
		return;
	}
	if (balance)
		*(spread->sweep.replaying ? &balance->replay_nj : &balance->idle_nj) += energy_nj;
}

static uint64_t estimated_nj(struct spread *spread, uint64_t length_ns)
{
	const struct source *source = spread->source;
	uint64_t power_mw = source->static_mw + (spread->sweep.count ? source->dynamic_mw : 0);
	unsigned __int128 energy_pj = (unsigned __int128)power_mw * length_ns + spread->carry_pj;

	spread->carry_pj = (uint64_t)(energy_pj % PWRTRACE_PJ_PER_NJ);
	return (uint64_t)(energy_pj / PWRTRACE_PJ_PER_NJ);
}

static void spread_interval(struct spread *spread, const struct curve_interval *interval)
{
	uint64_t length_ns = interval->end_ns - interval->begin_ns, given_nj = 0;

	for (uint64_t now_ns = interval->begin_ns; now_ns < interval->end_ns;) {
		uint64_t until_ns = sweep_step(&spread->sweep, now_ns, interval->end_ns), part_nj;

		if (spread->source->estimated)
			part_nj = estimated_nj(spread, until_ns - now_ns);
		else
			part_nj = curve_share(interval->energy_nj, until_ns - interval->begin_ns,
					  length_ns) -
				  given_nj;
		given_nj += part_nj;
		split(spread, part_nj);
		now_ns = until_ns;
	}
}

void spread_until(struct spread *spread, uint64_t until_ns)
{
	for (; spread->next < spread->curve->len; spread->next++) {
		const struct curve_interval *interval =
			&g_array_index(spread->curve, struct curve_interval, spread->next);
		struct balance *balance = spread->sinks.balance;

		if (interval->begin_ns >= until_ns)
			return;
		if (spread->covers && !interval->blurred) {
			spread_interval(spread, interval);
		} else if (balance) {
			balance->measured_nj += interval->energy_nj;
			balance->unattributed_nj += interval->energy_nj;
		}
	}
}
