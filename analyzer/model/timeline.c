/* SPDX-License-Identifier: MIT */
#include "analyzer/model/timeline.h"

struct thread {
	uint32_t process, tid, number;
	uint64_t now_ns;
	GArray *open; /* uint32_t: layers, the innermost one last */
};

struct timeline_builder {
	const struct model *model;
	struct timeline *timeline;
	GPtrArray *threads; /* struct thread * */
	GHashTable *by_id;  /* struct thread *, by process and tid */
	struct thread *last;
};

static void free_thread(gpointer data)
{
	struct thread *thread = data;

	g_array_free(thread->open, TRUE);
	g_free(thread);
}

static struct thread *thread_of(struct timeline_builder *builder, const struct model_range *range)
{
	gpointer key = GSIZE_TO_POINTER((gsize)range->process << 32 | range->tid);
	struct thread *thread = builder->last;

	if (thread && thread->process == range->process && thread->tid == range->tid)
		return thread;
	thread = builder->last = g_hash_table_lookup(builder->by_id, key);
	if (thread)
		return thread;
	thread = builder->last = g_new0(struct thread, 1);
	thread->process = range->process;
	thread->tid = range->tid;
	thread->number = builder->threads->len;
	thread->open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_ptr_array_add(builder->threads, thread);
	g_hash_table_insert(builder->by_id, key, thread);
	return thread;
}

static uint32_t innermost(const struct thread *thread)
{
	return thread->open->len ? g_array_index(thread->open, uint32_t, thread->open->len - 1) : 0;
}

static void add_switch(
	struct timeline_builder *builder, struct thread *thread, uint64_t time_ns, bool opens)
{
	struct timeline_switch change = {
		0, thread->process, innermost(thread), thread->number, opens};

	thread->now_ns = change.time_ns = MAX(time_ns, thread->now_ns);
	mapped_array_append(builder->timeline->switches, &change);
}

static void open_layer(struct timeline_builder *builder, const struct model_range *range)
{
	struct thread *thread = thread_of(builder, range);

	g_array_append_val(thread->open, range->layer);
	add_switch(builder, thread, range->time_ns, true);
}

/* The index of a layer among the thread's open ones; their number where it is not open. */
static guint place_of(const struct thread *thread, uint32_t layer)
{
	for (guint i = thread->open->len; i > 0; i--)
		if (g_array_index(thread->open, uint32_t, i - 1) == layer)
			return i - 1;
	return thread->open->len;
}

static bool close_in(
	struct timeline_builder *builder, struct thread *thread, const struct model_range *range)
{
	guint place = place_of(thread, range->layer);

	if (place == thread->open->len)
		return false;
	g_array_set_size(thread->open, place);
	add_switch(builder, thread, range->time_ns, false);
	return true;
}

static void close_layer(struct timeline_builder *builder, const struct model_range *range)
{
	if (close_in(builder, thread_of(builder, range), range))
		return;
	for (guint i = builder->threads->len; i > 0; i--) {
		struct thread *thread = g_ptr_array_index(builder->threads, i - 1);

		if (thread->process == range->process && close_in(builder, thread, range))
			return;
	}
	builder->timeline->not_opened++;
}

/* A thread that works for another one, as those of autograd do, is in a layer below one that the
 * other thread has opened.  It does not close its last one: it waits for more work. */
static bool works_for_another(const struct thread *thread, const struct model_process *process)
{
	const struct model_layer *outermost =
		table_find(process->layers, g_array_index(thread->open, uint32_t, 0));

	return outermost && outermost->parent;
}

static void close_all(struct timeline_builder *builder)
{
	for (guint i = 0; i < builder->threads->len; i++) {
		struct thread *thread = g_ptr_array_index(builder->threads, i);
		const struct model_process *process = &g_array_index(
			builder->model->processes, struct model_process, thread->process);

		if (!thread->open->len)
			continue;
		if (!works_for_another(thread, process))
			builder->timeline->not_closed += thread->open->len;
		g_array_set_size(thread->open, 0);
		add_switch(builder, thread,
			process->end_ns ? process->end_ns
					: model_last_ns(builder->model, process->trace),
			false);
	}
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct timeline_switch *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

struct timeline *timeline_of(const struct model *model)
{
	struct timeline *timeline = g_new0(struct timeline, 1);
	struct timeline_builder builder = {.model = model,
		.timeline = timeline,
		.threads = g_ptr_array_new_with_free_func(free_thread),
		.by_id = g_hash_table_new(NULL, NULL)};

	timeline->switches = mapped_array_new_unfailing(sizeof(struct timeline_switch));
	for (guint i = 0; i < model->ranges->len; i++) {
		const struct model_range *range = mapped_array_at(model->ranges, i);

		range->closes ? close_layer(&builder, range) : open_layer(&builder, range);
	}
	close_all(&builder);
	mapped_array_sort(timeline->switches, by_time);
	timeline->threads = builder.threads->len;
	g_hash_table_destroy(builder.by_id);
	g_ptr_array_free(builder.threads, TRUE);
	return timeline;
}

void timeline_free(struct timeline *timeline)
{
	if (!timeline)
		return;
	mapped_array_free(timeline->switches);
	g_free(timeline);
}
