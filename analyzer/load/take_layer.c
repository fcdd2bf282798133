/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

#include <math.h>
#include <string.h>

static void add_range(struct model *model, const struct model_range *range)
{
	if (model->ranges && range->time_ns != PWRTRACE_UNKNOWN_U64)
		g_array_append_vals(model->ranges, range, 1);
}

void take_layer_push(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_layer_push *e = record;

	add_range(model, &(struct model_range){.time_ns = e->begin_ns,
				 .process = take_process_index(model, trace, e->pid),
				 .tid = e->tid,
				 .layer = e->layer});
}

void take_layer_pop(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_layer_pop *e = record;

	add_range(model, &(struct model_range){.time_ns = e->end_ns,
				 .process = take_process_index(model, trace, e->pid),
				 .tid = e->tid,
				 .layer = e->layer,
				 .closes = true});
}

void take_mark(struct model *model, unsigned trace, const void *record)
{
	const struct pwrtrace_mark *e = record;
	struct model_mark fresh = {take_text(model, e->name), take_text(model, e->unit), 0, 0};
	char *key = g_strdup_printf("%zu %s%s", strlen(fresh.name), fresh.name, fresh.unit);
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(model->mark_index, key));
	struct model_mark *mark;

	if (number) {
		g_free(key);
	} else {
		g_array_append_val(model->marks, fresh);
		number = model->marks->len;
		g_hash_table_insert(model->mark_index, key, GUINT_TO_POINTER(number));
	}
	mark = &g_array_index(model->marks, struct model_mark, number - 1);
	mark->sum += isnan(e->value) ? 0 : e->value;
	mark->count++;
	if (model->mark_times && e->time_ns != PWRTRACE_UNKNOWN_U64) {
		struct model_mark_time time = {
			e->time_ns, e->value, take_process_index(model, trace, e->pid), number - 1};

		g_array_append_val(model->mark_times, time);
	}
}
