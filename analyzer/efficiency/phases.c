/* SPDX-License-Identifier: MIT */
#include "analyzer/efficiency/phases.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/replays.h"

/* A phase, the mark that counts its work, and whether only the marks within the phase do. */
struct kind {
	const char *layer, *mark, *unit;
	bool within;
};

enum { PREFILL, DECODE, KINDS = 5, NO_KIND = KINDS };

static const struct kind kinds[KINDS] = {
	[PREFILL] = {"prefill", "input tokens", "token", true},
	[DECODE] = {"decode", EFFICIENCY_MARK, "token", true},
	{"forward", "iteration", "iteration", false},
	{"backward", "iteration", "iteration", false},
	{"optimizer", "iteration", "iteration", false},
};

/* The kind of the outermost phase that a node of the layer tree is in. */
static guint kind_of(const struct ledger *ledger, uint32_t node)
{
	guint found = NO_KIND;

	for (; node != LAYER_TREE_ROOT; node = layer_tree_parent(ledger->layers, node))
		for (guint kind = 0; kind < KINDS; kind++)
			if (strcmp(layer_tree_name(ledger->layers, node), kinds[kind].layer) == 0)
				found = kind;
	return found;
}

static guint kind_of_mark(const struct ledger *ledger, const struct model_mark_time *time)
{
	return kind_of(ledger, layer_tree_node(ledger->layers,
				       &g_array_index(ledger->model->processes,
					       struct model_process, time->process),
				       time->layer));
}

static const struct model_mark *mark_of(
	const struct model *model, const struct model_mark_time *time)
{
	return &g_array_index(model->marks, struct model_mark, time->mark);
}

static double amount_of(const struct ledger *ledger, guint kind)
{
	const GArray *times = ledger->model->mark_times;
	double sum = 0;

	for (guint i = 0; i < times->len; i++) {
		const struct model_mark_time *time =
			&g_array_index(times, struct model_mark_time, i);

		if (strcmp(mark_of(ledger->model, time)->name, kinds[kind].mark) == 0 &&
			!isnan(time->value) &&
			(!kinds[kind].within || kind_of_mark(ledger, time) == kind))
			sum += time->value;
	}
	return sum > 0 ? sum : NAN;
}

/* Whether the row is that of a phase itself, in no other one. */
static bool is_phase(const struct ledger *ledger, const struct ledger_row *row, guint kind)
{
	return strcmp(row->short_name, kinds[kind].layer) == 0 &&
	       kind_of(ledger, layer_tree_parent(ledger->layers, row->layer)) == NO_KIND;
}

void phases_of_layers(const struct ledger *ledger, GArray *phases)
{
	for (guint kind = 0; kind < KINDS; kind++) {
		struct efficiency_phase phase = {
			.name = kinds[kind].layer, .unit = kinds[kind].unit};
		bool found = false;

		for (guint i = 0; i < ledger->rows->len; i++) {
			const struct ledger_row *row =
				&g_array_index(ledger->rows, struct ledger_row, i);
			const struct ledger_sums *all = &row->node->all;

			if (!is_phase(ledger, row, kind))
				continue;
			found = true;
			phase.energy_j += all->energy_known ? (double)all->energy_nj / 1e9 : NAN;
			phase.ci95_j = hypot(phase.ci95_j, all->ci95_j < 0 ? NAN : all->ci95_j);
			phase.time_s += (double)all->busy_ns / 1e9;
			phase.partly_measured |=
				ledger_notably_unmeasured(all->unmeasured_ns, all->busy_ns);
		}
		phase.amount = amount_of(ledger, kind);
		if (found)
			g_array_append_val(phases, phase);
	}
}

/* ---- times between tokens ---- */

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct model_mark_time *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

void phases_find_gaps(const struct ledger *ledger, struct efficiency_steady *steady)
{
	const GArray *all = ledger->model->mark_times;
	GArray *times = g_array_new(FALSE, FALSE, sizeof(struct model_mark_time));
	GPtrArray *replays = replays_by_process(ledger->model);
	bool decodes = !isnan(amount_of(ledger, DECODE));

	for (guint i = 0; i < all->len; i++) {
		const struct model_mark_time *time = &g_array_index(all, struct model_mark_time, i);

		if (strcmp(mark_of(ledger->model, time)->name, EFFICIENCY_MARK) == 0)
			g_array_append_vals(times, time, 1);
	}
	g_array_sort(times, by_time);
	for (guint i = 0; i < times->len; i++) {
		const struct model_mark_time *time =
			&g_array_index(times, struct model_mark_time, i);
		guint kind = kind_of_mark(ledger, time);

		if (kind == PREFILL && !isnan(time->value))
			steady->requests += time->value;
		if (!i || time[-1].process != time->process || (decodes && kind != DECODE))
			continue;
		steady->gap_s += (double)replays_left_ns(
					 replays, time->process, time[-1].time_ns, time->time_ns) /
				 1e9;
		steady->gaps++;
	}
	g_ptr_array_unref(replays);
	g_array_free(times, TRUE);
}
