/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/ledger.h"

#include <string.h>

#include "analyzer/attribute/method.h"
#include "analyzer/ledger/iterations.h"
#include "analyzer/ledger/measured.h"
#include "analyzer/ledger/rows.h"
#include "analyzer/model/source.h"
#include "analyzer/model/timeline.h"
#include "analyzer/regress/fit.h"

static void add_to_total(struct ledger_balance *total, const struct ledger_balance *balance)
{
	total->known |= balance->known;
	total->measured_nj += balance->measured_nj;
	total->attributed_nj += balance->attributed_nj;
	total->idle_nj += balance->idle_nj;
	total->unattributed_nj += balance->unattributed_nj;
}

/* One source of a device's domain; several recordings of the same one are one balance. */
static struct ledger_balance *balance_of(struct ledger *ledger, const struct source *source)
{
	struct ledger_balance fresh = {.device = source->device,
		.domain = source->sensor->domain,
		.sensor = source->sensor,
		.summed = source->top_level};

	for (guint i = 0; i < ledger->balances->len; i++) {
		struct ledger_balance *known =
			&g_array_index(ledger->balances, struct ledger_balance, i);

		if (strcmp(known->device, fresh.device) == 0 &&
			strcmp(known->domain, fresh.domain) == 0 &&
			strcmp(known->sensor->source, fresh.sensor->source) == 0)
			return known;
	}
	g_array_append_val(ledger->balances, fresh);
	return &g_array_index(ledger->balances, struct ledger_balance, ledger->balances->len - 1);
}

/* A recording that no sensor tells of is a gap as long as itself; where the trace does not even say
 * what was recorded, the gap is not known. */
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

static void attribute(
	struct model *model, const struct method *method, GArray *sources, struct ledger *ledger)
{
	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = &g_array_index(sources, struct source, i);
		struct ledger_balance *balance = balance_of(ledger, source);
		uint64_t idle_nj = balance->idle_nj;

		method->attribute(model, source, balance, ledger->fits);
		idle_nj = balance->idle_nj - idle_nj;
		g_array_append_val(ledger->idle_nj, idle_nj);
		balance->known |= source->curve->len != 0;
		ledger->estimated |= source->estimated && source->curve->len;
		for (guint gpu = 0; source->top_level && gpu < model->gpus->len; gpu++)
			if (source->covers[gpu] && source->curve->len)
				g_array_index(model->gpus, struct model_gpu, gpu).measured = true;
	}
	for (guint i = 0; i < ledger->fits->len; i++)
		fit_make_groups(g_ptr_array_index(ledger->fits, i));
	for (guint i = 0; i < ledger->balances->len; i++) {
		const struct ledger_balance *balance =
			&g_array_index(ledger->balances, struct ledger_balance, i);

		g_assert(balance->attributed_nj + balance->idle_nj + balance->unattributed_nj ==
			 balance->measured_nj);
		if (balance->summed)
			add_to_total(&ledger->total, balance);
	}
	find_gap(ledger, sources);
}

struct ledger *ledger_make(struct model *model, const struct ledger_options *options)
{
	const struct method *method = options->method ? method_find(options->method) : NULL;
	struct ledger *ledger;

	if ((options->method && !method) || !rows_known(options->by))
		return NULL;
	ledger = g_new0(struct ledger, 1);
	ledger->model = model;
	ledger->sources = sources_of(model, options->domain);
	if (!method)
		method = method_default(model, ledger->sources);
	ledger->method = method->name;
	ledger->by = options->by;
	ledger->domain = options->domain;
	ledger->graphs = options->graphs;
	ledger->fits = g_ptr_array_new();
	ledger->group_names = g_ptr_array_new_with_free_func(g_free);
	ledger->balances = g_array_new(FALSE, TRUE, sizeof(struct ledger_balance));
	ledger->idle_nj = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	ledger->timeline = model->ranges ? timeline_of(model) : NULL;
	ledger->layers = layer_tree_new(options->depth);
	ledger->rows = g_array_new(FALSE, TRUE, sizeof(struct ledger_row));
	attribute(model, method, ledger->sources, ledger);
	ledger->measured = measured_new(model, ledger->sources, ledger->fits);
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
	for (guint i = 0; i < ledger->fits->len; i++)
		fit_free(g_ptr_array_index(ledger->fits, i));
	g_ptr_array_free(ledger->fits, TRUE);
	g_ptr_array_free(ledger->group_names, TRUE);
	sources_free(ledger->sources);
	g_array_free(ledger->balances, TRUE);
	g_array_free(ledger->idle_nj, TRUE);
	measured_free(ledger->measured);
	iterations_free(ledger->iterations);
	timeline_free(ledger->timeline);
	layer_tree_free(ledger->layers);
	g_free(ledger);
}
