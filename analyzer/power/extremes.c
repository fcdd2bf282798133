/* SPDX-License-Identifier: MIT */
#include "analyzer/power/extremes.h"

#include "analyzer/model/curve.h"

struct extremes {
	GArray *list; /* struct extreme, by the begin of their spans once energy is added */
	guint sum_unit;
	/* Those before have ended: by unit, since stretches are in order only of one, and of all.
	 */
	guint *first_stretch, first_execution;
	bool sorted;
};

static void clear(gpointer data)
{
	g_hash_table_destroy(((struct extreme *)data)->parts);
}

struct extremes *extremes_new(guint sum_unit)
{
	struct extremes *extremes = g_new0(struct extremes, 1);

	extremes->list = g_array_new(FALSE, FALSE, sizeof(struct extreme));
	g_array_set_clear_func(extremes->list, clear);
	extremes->sum_unit = sum_unit;
	extremes->first_stretch = g_new0(guint, sum_unit + 1);
	return extremes;
}

void extremes_free(struct extremes *extremes)
{
	g_array_free(extremes->list, TRUE);
	g_free(extremes->first_stretch);
	g_free(extremes);
}

void extremes_add(struct extremes *extremes, const struct extreme *extreme)
{
	struct extreme fresh = *extreme;

	fresh.parts = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	g_array_append_val(extremes->list, fresh);
}

static struct extreme *extreme_at(const struct extremes *extremes, guint i)
{
	return &g_array_index(extremes->list, struct extreme, i);
}

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct extreme *x = a, *y = b;

	return x->span.begin_ns < y->span.begin_ns ? -1 : x->span.begin_ns > y->span.begin_ns;
}

/* Moves *first past those that have ended at now_ns. */
static void leave(struct extremes *extremes, guint *first, uint64_t now_ns)
{
	if (!extremes->sorted)
		g_array_sort(extremes->list, by_begin);
	extremes->sorted = true;
	while (*first < extremes->list->len && extreme_at(extremes, *first)->span.end_ns <= now_ns)
		++*first;
}

/* How long a span and another one have in common. */
static uint64_t common_ns(const struct model_span *span, uint64_t begin_ns, uint64_t end_ns)
{
	begin_ns = MAX(begin_ns, span->begin_ns);
	end_ns = MIN(end_ns, span->end_ns);
	return end_ns > begin_ns ? end_ns - begin_ns : 0;
}

void extremes_add_stretch(
	struct extremes *extremes, guint unit, const struct power_stretch *stretch)
{
	leave(extremes, &extremes->first_stretch[unit], stretch->begin_ns);
	for (guint i = extremes->first_stretch[unit]; i < extremes->list->len; i++) {
		struct extreme *extreme = extreme_at(extremes, i);

		if (extreme->span.begin_ns >= stretch->end_ns)
			return;
		if (extreme->unit == unit)
			extreme->energy_fj +=
				(__int128)stretch->modelled_uw *
				common_ns(&extreme->span, stretch->begin_ns, stretch->end_ns);
	}
}

static void add_part(struct extreme *extreme, uint32_t origin, uint64_t energy_nj)
{
	gpointer key = GUINT_TO_POINTER(origin + 1);
	uint64_t *part_nj = g_hash_table_lookup(extreme->parts, key);

	if (!part_nj) {
		part_nj = g_new0(uint64_t, 1);
		g_hash_table_insert(extreme->parts, key, part_nj);
	}
	*part_nj += energy_nj;
}

void extremes_add_execution(
	struct extremes *extremes, guint unit, const struct execution_energy *attributed)
{
	const struct model_execution *execution = attributed->execution;

	leave(extremes, &extremes->first_execution, execution->begin_ns);
	for (guint i = extremes->first_execution; i < extremes->list->len; i++) {
		struct extreme *extreme = extreme_at(extremes, i);
		uint64_t part_ns, part_nj;

		if (extreme->span.begin_ns >= execution->end_ns)
			return;
		if (extreme->unit != unit && extreme->unit != extremes->sum_unit)
			continue;
		part_ns = common_ns(&extreme->span, execution->begin_ns, execution->end_ns);
		part_nj = curve_share(
			attributed->energy_nj, part_ns, execution->end_ns - execution->begin_ns);
		if (part_ns)
			add_part(extreme, execution->origin, part_nj);
	}
}

const struct extreme *extremes_find(const struct extremes *extremes, guint unit, guint window)
{
	for (guint i = 0; i < extremes->list->len; i++) {
		const struct extreme *extreme = extreme_at(extremes, i);

		if (extreme->unit == unit && extreme->window == window)
			return extreme;
	}
	return NULL;
}
