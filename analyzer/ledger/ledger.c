/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/ledger.h"

#include <string.h>

#include "analyzer/ledger/iterations.h"
#include "analyzer/ledger/measured.h"
#include "analyzer/ledger/rows.h"
#include "analyzer/model/timeline.h"

static void add(struct ledger_balance *sum, const struct balance *balance)
{
	sum->measured_nj += balance->measured_nj;
	sum->attributed_nj += balance->attributed_nj;
	sum->idle_nj += balance->idle_nj;
	sum->unattributed_nj += balance->unattributed_nj;
	sum->replay_nj += balance->replay_nj;
}

/* The balance that a source is added to: sources of the same device, domain and kind of sensor of a
 * machine, as in several recordings, share one. */
static struct ledger_balance *balance_of(struct ledger *ledger, const struct source *source)
{
	struct ledger_balance fresh = {.device = source->device,
		.domain = source->sensor->domain,
		.sensor = source->sensor,
		.recording = source->recording,
		.summed = source->top_level};

	for (guint i = 0; i < ledger->balances->len; i++) {
		struct ledger_balance *known =
			&g_array_index(ledger->balances, struct ledger_balance, i);

		if (strcmp(known->device, fresh.device) == 0 &&
			strcmp(known->domain, fresh.domain) == 0 &&
			strcmp(known->sensor->source, fresh.sensor->source) == 0 &&
			strcmp(known->recording->machine, fresh.recording->machine) == 0)
			return known;
	}
	g_array_append_val(ledger->balances, fresh);
	return &g_array_index(ledger->balances, struct ledger_balance, ledger->balances->len - 1);
}

/* Sets the longest gap of a recording.  A recording without readings is a gap as a whole; without
 * any recording in the trace, the gap is not known. */
static void find_gap(struct ledger *ledger, const GArray *sources)
{
	const GArray *recordings = ledger->model->recordings;

	ledger->gap_ns = recordings->len ? 0 : PWRTRACE_UNKNOWN_U64;
	for (guint i = 0; i < recordings->len; i++) {
		const struct model_recording *recording =
			&g_array_index(recordings, struct model_recording, i);
		uint64_t gap_ns = recording->span.end_ns - recording->span.begin_ns;
		bool measured = false;

		for (guint k = 0; k < sources->len; k++) {
			const struct source *source = &g_array_index(sources, struct source, k);

			if (source->recording != recording || !source->top_level)
				continue;
			gap_ns = measured ? MAX(gap_ns, source->gap_ns) : source->gap_ns;
			measured = true;
		}
		ledger->gap_ns = MAX(ledger->gap_ns, gap_ns);
	}
}

static void sum_balances(struct ledger *ledger)
{
	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);
		const struct balance *own = &ledger->attribution->balances[i];
		struct ledger_balance *balance;

		/* An estimate all of which a sensor measured. */
		if (source->estimated && !source->curve->len)
			continue;
		balance = balance_of(ledger, source);
		g_assert(
			own->attributed_nj + own->idle_nj + own->unattributed_nj + own->replay_nj ==
			own->measured_nj);
		add(balance, own);
		balance->known |= source->curve->len != 0;
		ledger->all_estimated &= source->estimated || !source->curve->len;
		/* Sources of one balance are all summed, or none is. */
		if (!balance->summed)
			continue;
		add(&ledger->total, own);
		ledger->total.known |= balance->known;
	}
}

struct ledger *ledger_make(
	const struct attribution *attribution, const struct ledger_options *options)
{
	struct ledger *ledger = g_new0(struct ledger, 1);

	ledger->attribution = attribution;
	ledger->model = attribution->model;
	ledger->sources = attribution->sources;
	ledger->fits = attribution->fits;
	ledger->method = attribution->method->name;
	ledger->estimated = ledger->all_estimated = attribution->estimated;
	ledger->by = options->by;
	ledger->domain = attribution->domain;
	ledger->graphs = options->graphs;
	ledger->group_names = g_ptr_array_new_with_free_func(g_free);
	ledger->balances = g_array_new(FALSE, TRUE, sizeof(struct ledger_balance));
	ledger->timeline = ledger->model->ranges ? timeline_of(ledger->model) : NULL;
	ledger->layers = layer_tree_new(options->depth);
	ledger->rows = g_array_new(FALSE, TRUE, sizeof(struct ledger_row));
	sum_balances(ledger);
	find_gap(ledger, ledger->sources);
	ledger->measured = measured_new(ledger->model, ledger->sources, ledger->fits);
	if (ledger->timeline)
		ledger->iterations = iterations_new(ledger, options->iterations);
	rows_make(ledger);
	return ledger;
}

void ledger_free(struct ledger *ledger)
{
	for (guint i = 0; i < ledger->rows->len; i++)
		rows_clear(&g_array_index(ledger->rows, struct ledger_row, i));
	g_array_free(ledger->rows, TRUE);
	g_ptr_array_free(ledger->group_names, TRUE);
	g_array_free(ledger->balances, TRUE);
	measured_free(ledger->measured);
	iterations_free(ledger->iterations);
	timeline_free(ledger->timeline);
	layer_tree_free(ledger->layers);
	g_free(ledger);
}
