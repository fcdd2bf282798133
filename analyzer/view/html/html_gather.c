/* SPDX-License-Identifier: MIT */
#include "analyzer/view/html/html_gather.h"

#include <stdlib.h>

#include "analyzer/model/hosts.h"
#include "analyzer/model/id_map.h"

/* So many blocks of all lanes are a page of some MB, and are drawn at once. */
#define BLOCKS_MAX 200000

static const struct model_origin *origin_at(const struct model *model, guint i)
{
	return &g_array_index(model->origins->list, struct model_origin, i);
}

/* ---- times ---- */

static void add_span(
	struct html_gathering *gathering, const char *machine, uint64_t begin_ns, uint64_t end_ns)
{
	struct model_span *span = g_hash_table_lookup(gathering->times, machine);

	if (!span) {
		span = g_new(struct model_span, 1);
		*span = (struct model_span){begin_ns, end_ns};
		g_hash_table_insert(gathering->times, (gpointer)machine, span);
	}
	span->begin_ns = MIN(span->begin_ns, begin_ns);
	span->end_ns = MAX(span->end_ns, end_ns);
}

/* Lets machines begin together, unless all of them know the time of day. */
static void align_machines(struct html_gathering *gathering)
{
	const struct model *model = gathering->ledger->model;
	uint64_t first_ns = UINT64_MAX;
	GHashTableIter machines;
	gpointer machine, value, other = NULL;

	g_hash_table_iter_init(&machines, gathering->times);
	while (g_hash_table_iter_next(&machines, &machine, &value)) {
		other = other ? other : machine;
		if (!hosts_share_axis(model, machine, other))
			return;
		first_ns = MIN(first_ns, ((const struct model_span *)value)->begin_ns);
	}
	g_hash_table_iter_init(&machines, gathering->times);
	while (g_hash_table_iter_next(&machines, &machine, &value))
		((struct model_span *)value)->begin_ns = first_ns;
}

static void find_times(struct html_gathering *gathering)
{
	const struct model *model = gathering->ledger->model;
	GHashTableIter machines;
	gpointer span;

	for (guint i = 0; i < model->recordings->len; i++) {
		const struct model_recording *recording =
			&g_array_index(model->recordings, struct model_recording, i);

		add_span(gathering, recording->machine, recording->span.begin_ns,
			recording->span.end_ns);
	}
	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		struct html_lane *lane;

		if (!model_is_timed(execution))
			continue;
		add_span(gathering,
			model_process_of(model, model_origin_of(model, execution))->machine,
			execution->begin_ns, execution->end_ns);
		lane = &g_array_index(
			gathering->lanes, struct html_lane, gathering->lane_of[execution->origin]);
		lane->span.begin_ns = MIN(lane->span.begin_ns, execution->begin_ns);
		lane->span.end_ns = MAX(lane->span.end_ns, execution->end_ns);
	}
	align_machines(gathering);
	gathering->span_ns = 1;
	g_hash_table_iter_init(&machines, gathering->times);
	while (g_hash_table_iter_next(&machines, NULL, &span))
		gathering->span_ns = MAX(
			gathering->span_ns, ((const struct model_span *)span)->end_ns -
						    ((const struct model_span *)span)->begin_ns);
}

int64_t html_begin_ns(const struct html_gathering *gathering, const char *machine)
{
	const struct model_span *span = g_hash_table_lookup(gathering->times, machine);

	return span ? (int64_t)span->begin_ns : 0;
}

/* ---- lanes ---- */

static void find_lanes(struct html_gathering *gathering)
{
	const struct model *model = gathering->ledger->model;
	struct id_map *known = id_map_new();

	for (guint i = 0; i < model->origins->list->len; i++) {
		const struct model_origin *origin = origin_at(model, i);
		uint32_t *lane = id_map_at(
			known, &(struct id_key){.process = origin->process, .id = origin->stream});

		if (!*lane) {
			struct html_lane fresh = {.origin = i,
				.span.begin_ns = UINT64_MAX,
				.blocks = g_array_new(FALSE, FALSE, sizeof(struct html_block))};

			g_array_append_val(gathering->lanes, fresh);
			*lane = gathering->lanes->len;
		}
		gathering->lane_of[i] = *lane - 1;
	}
	id_map_free(known);
}

/* A block begins at least joined_ns after the one before it. */
static void choose_blocks(struct html_gathering *gathering)
{
	uint64_t lanes_ns = 0;

	if (gathering->ledger->model->executions->len <= BLOCKS_MAX)
		return;
	for (guint i = 0; i < gathering->lanes->len; i++) {
		const struct html_lane *lane =
			&g_array_index(gathering->lanes, struct html_lane, i);

		lanes_ns += lane->span.end_ns ? lane->span.end_ns - lane->span.begin_ns : 0;
	}
	gathering->joined_ns = 1 + lanes_ns / BLOCKS_MAX;
}

/* The label of a block is found as the majority of votes is, a vote for each nanojoule: R. S. Boyer
 * and J S. Moore, "MJRTY: A Fast Majority Vote Algorithm", 1991. */
static void vote(struct html_block *block, guint label, double energy_nj)
{
	block->lead_nj += label == block->label ? energy_nj : -energy_nj;
	if (block->lead_nj >= 0)
		return;
	block->label = label;
	block->lead_nj = -block->lead_nj;
}

static void add_to_lane(struct html_gathering *gathering, struct html_lane *lane,
	const struct execution_energy *attributed)
{
	const struct model *model = gathering->ledger->model;
	const struct model_execution *execution = attributed->execution;
	uint64_t zero_ns = (uint64_t)html_begin_ns(
		gathering, model_process_of(model, model_origin_of(model, execution))->machine);
	struct html_block fresh = {execution->begin_ns - zero_ns, execution->end_ns - zero_ns,
		attributed->energy_nj, 1, gathering->label[execution->origin],
		(double)attributed->energy_nj};
	struct html_block *last =
		lane->blocks->len
			? &g_array_index(lane->blocks, struct html_block, lane->blocks->len - 1)
			: NULL;

	lane->energy_nj += attributed->energy_nj;
	if (!last || fresh.begin_ns >= last->begin_ns + gathering->joined_ns) {
		g_array_append_val(lane->blocks, fresh);
		return;
	}
	last->end_ns = MAX(last->end_ns, fresh.end_ns);
	last->energy_nj += fresh.energy_nj;
	last->executions++;
	vote(last, fresh.label, fresh.lead_nj);
}

/* An attribution_visitor. */
static void add(void *data, const struct execution_energy *attributed)
{
	struct html_gathering *gathering = data;
	const struct model *model = gathering->ledger->model;
	uint32_t origin = attributed->execution->origin;

	if (origin_at(model, origin)->replayed)
		return;
	gathering->energy_nj[origin] += attributed->energy_nj;
	if (model_is_timed(attributed->execution))
		add_to_lane(gathering,
			&g_array_index(
				gathering->lanes, struct html_lane, gathering->lane_of[origin]),
			attributed);
}

/* ---- labels ---- */

/* Numbers the labels in the order in which origins have them. */
static void number_labels(struct html_gathering *gathering)
{
	GHashTable *known = g_hash_table_new(NULL, NULL); /* equal labels are the same pointer */

	for (guint i = 0; i < gathering->names->origins; i++) {
		const char *label = gathering->names->label[i];
		guint number = GPOINTER_TO_UINT(g_hash_table_lookup(known, label));

		if (!number) {
			g_ptr_array_add(gathering->labels, (gpointer)label);
			number = gathering->labels->len;
			g_hash_table_insert(known, (gpointer)label, GUINT_TO_POINTER(number));
		}
		gathering->label[i] = number - 1;
	}
	g_hash_table_destroy(known);
}

struct ranked {
	uint64_t energy_nj;
	guint number;
};

static int by_energy(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->energy_nj != y->energy_nj)
		return x->energy_nj < y->energy_nj ? 1 : -1;
	return x->number < y->number ? -1 : 1;
}

/* Replaces the numbers in origins and blocks by ranks. */
static void renumber(struct html_gathering *gathering, const guint *rank)
{
	for (guint i = 0; i < gathering->names->origins; i++)
		gathering->label[i] = rank[gathering->label[i]];
	for (guint i = 0; i < gathering->lanes->len; i++) {
		GArray *blocks = g_array_index(gathering->lanes, struct html_lane, i).blocks;

		for (guint k = 0; k < blocks->len; k++) {
			struct html_block *block = &g_array_index(blocks, struct html_block, k);

			block->label = rank[block->label];
		}
	}
}

/* Sorts the labels by energy. */
static void rank_labels(struct html_gathering *gathering)
{
	guint count = gathering->labels->len;
	struct ranked *ranked = g_new0(struct ranked, count + 1);
	GPtrArray *sorted = g_ptr_array_new();
	guint *rank = g_new(guint, count + 1);

	for (guint i = 0; i < count; i++)
		ranked[i].number = i;
	for (guint i = 0; i < gathering->names->origins; i++)
		ranked[gathering->label[i]].energy_nj += gathering->energy_nj[i];
	qsort(ranked, count, sizeof(*ranked), by_energy);
	for (guint i = 0; i < count; i++) {
		rank[ranked[i].number] = i;
		g_ptr_array_add(sorted, g_ptr_array_index(gathering->labels, ranked[i].number));
	}
	g_ptr_array_free(gathering->labels, TRUE);
	gathering->labels = sorted;
	renumber(gathering, rank);
	for (guint i = 0; i < count; i++)
		g_hash_table_insert(
			gathering->rank, g_ptr_array_index(sorted, i), GUINT_TO_POINTER(i + 1));
	g_free(ranked);
	g_free(rank);
}

guint html_label_of(const struct html_gathering *gathering, const char *label)
{
	guint found = GPOINTER_TO_UINT(g_hash_table_lookup(gathering->rank, label));

	return found ? found - 1 : G_MAXUINT;
}

/* ---- all of it ---- */

struct html_gathering *html_gather(const struct ledger *ledger)
{
	struct html_gathering *gathering = g_new0(struct html_gathering, 1);
	guint origins = ledger->model->origins->list->len;

	gathering->ledger = ledger;
	gathering->names = kernel_names_of(ledger->model);
	gathering->energy_nj = g_new0(uint64_t, origins + 1);
	gathering->labels = g_ptr_array_new();
	gathering->label = g_new0(guint, origins + 1);
	gathering->lane_of = g_new0(guint, origins + 1);
	gathering->rank = g_hash_table_new(g_str_hash, g_str_equal);
	gathering->times = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	gathering->lanes = g_array_new(FALSE, FALSE, sizeof(struct html_lane));
	number_labels(gathering);
	find_lanes(gathering);
	find_times(gathering);
	choose_blocks(gathering);
	attribution_visit(ledger->attribution, add, gathering);
	rank_labels(gathering);
	return gathering;
}

void html_gathering_free(struct html_gathering *gathering)
{
	for (guint i = 0; i < gathering->lanes->len; i++)
		g_array_free(g_array_index(gathering->lanes, struct html_lane, i).blocks, TRUE);
	g_array_free(gathering->lanes, TRUE);
	g_hash_table_destroy(gathering->times);
	g_hash_table_destroy(gathering->rank);
	g_ptr_array_free(gathering->labels, TRUE);
	kernel_names_free(gathering->names);
	g_free(gathering->energy_nj);
	g_free(gathering->label);
	g_free(gathering->lane_of);
	g_free(gathering);
}
