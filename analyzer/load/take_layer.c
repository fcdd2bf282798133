/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

#include <math.h>
#include <string.h>

/* Without layers no field of these events is decoded (take_wants), not even the process. */
static void add_range(
	struct loader *loader, unsigned trace, uint32_t process, const struct model_range *range)
{
	struct model_range added = *range;

	if (!loader->model->ranges || range->time_ns == PWRTRACE_UNKNOWN_U64)
		return;
	added.process = loader_process(loader, trace, process);
	mapped_array_append(loader->model->ranges, &added);
}

void take_layer_push(struct loader *loader, unsigned trace, const struct pwrtrace_layer_push *e)
{
	add_range(loader, trace, e->process,
		&(struct model_range){.time_ns = e->begin_ns, .tid = e->tid, .layer = e->layer});
}

void take_layer_pop(struct loader *loader, unsigned trace, const struct pwrtrace_layer_pop *e)
{
	add_range(loader, trace, e->process,
		&(struct model_range){
			.time_ns = e->end_ns, .tid = e->tid, .layer = e->layer, .closes = true});
}

/* Where the name of a mark ends; what it is of is behind the "#" there, where there is one. */
static size_t mark_name_length(const char *name)
{
	const char *hash = strchr(name, '#');

	return hash && hash > name && hash[1] ? (size_t)(hash - name) : strlen(name);
}

void take_mark(struct loader *loader, unsigned trace, const struct pwrtrace_mark *e)
{
	size_t length = mark_name_length(e->name);
	char *name = g_strndup(e->name, length);
	struct model_mark fresh = {loader_text(loader, name), loader_text(loader, e->unit), 0, 0};
	char *key = g_strdup_printf("%zu %s%s", length, fresh.name, fresh.unit);
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(loader->mark_index, key));
	struct model_mark *mark;

	g_free(name);

	if (number) {
		g_free(key);
	} else {
		g_array_append_val(loader->model->marks, fresh);
		number = loader->model->marks->len;
		g_hash_table_insert(loader->mark_index, key, GUINT_TO_POINTER(number));
	}
	mark = &g_array_index(loader->model->marks, struct model_mark, number - 1);
	mark->sum += isnan(e->value) ? 0 : e->value;
	mark->count++;
	if (loader->model->mark_times && e->time_ns != PWRTRACE_UNKNOWN_U64) {
		struct model_mark_time time = {e->time_ns, e->value,
			loader_process(loader, trace, e->process),
			e->layer == PWRTRACE_UNKNOWN_U32 ? 0 : e->layer, number - 1,
			loader_text(loader, e->name + length + (e->name[length] == '#'))};

		g_array_append_val(loader->model->mark_times, time);
	}
}
