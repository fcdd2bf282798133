/* SPDX-License-Identifier: MIT */
#include "analyzer/load/waits.h"

#include <string.h>

#include "analyzer/numeric/bisect.h"

/* A wait of the host; or, with MODEL_AWAITS_NOTHING, an event or barrier that was put into a
 * stream. */
struct sync {
	uint64_t begin_ns, end_ns;
	uint32_t process, correlation, stream;
	enum model_awaits awaits;
};

/* The work with the id `correlation` cannot begin before that with the id `after` has ended. */
struct dependency {
	uint32_t process, correlation, after;
};

struct waits {
	GArray *syncs;        /* struct sync */
	GArray *dependencies; /* struct dependency */
	GHashTable *seen;     /* by event (key_of): the earliest time at which it was seen */
	GHashTable *scopes;   /* by what is awaited (key_of): GArray of struct model_span, waits */
};

static void free_scope(gpointer scope)
{
	g_array_free(scope, TRUE);
}

struct waits *waits_new(void)
{
	struct waits *waits = g_new0(struct waits, 1);

	waits->syncs = g_array_new(FALSE, FALSE, sizeof(struct sync));
	waits->dependencies = g_array_new(FALSE, FALSE, sizeof(struct dependency));
	waits->seen = g_hash_table_new(NULL, NULL);
	waits->scopes = g_hash_table_new_full(NULL, NULL, NULL, free_scope);
	return waits;
}

void waits_free(struct waits *waits)
{
	if (!waits)
		return;
	g_array_free(waits->syncs, TRUE);
	g_array_free(waits->dependencies, TRUE);
	g_hash_table_destroy(waits->seen);
	g_hash_table_destroy(waits->scopes);
	g_free(waits);
}

enum model_awaits waits_awaited(const char *word)
{
	static const char *const words[MODEL_AWAITS] = {
		[MODEL_AWAITS_STREAM] = "stream",
		[MODEL_AWAITS_CONTEXT] = "context",
		[MODEL_AWAITS_DEVICE] = "device",
		[MODEL_AWAITS_EVENTS] = "events",
	};

	for (guint i = MODEL_AWAITS_STREAM; i < MODEL_AWAITS; i++)
		if (strcmp(word, words[i]) == 0)
			return i;
	return MODEL_AWAITS_NOTHING;
}

void waits_add(struct waits *waits, uint32_t process, const struct pwrtrace_sync *e)
{
	const struct sync sync = {e->begin_ns, e->end_ns, process, e->correlation, e->stream,
		waits_awaited(e->awaits)};

	if (e->begin_ns != PWRTRACE_UNKNOWN_U64 && e->end_ns != PWRTRACE_UNKNOWN_U64)
		g_array_append_val(waits->syncs, sync);
}

void waits_add_dependency(
	struct waits *waits, uint32_t process, const struct pwrtrace_dependency *e)
{
	struct dependency dependency = {process, e->correlation, e->after_correlation};

	if (e->after_correlation)
		g_array_append_val(waits->dependencies, dependency);
}

/* ---- all waits ---- */

static gpointer key_of(enum model_awaits what, uint32_t process, uint32_t id)
{
	return GSIZE_TO_POINTER((gsize)what << 60 | (gsize)process << 32 | id);
}

static void note_seen(struct waits *waits, const struct dependency *dependency, uint64_t time_ns)
{
	gpointer key = key_of(MODEL_AWAITS_EVENTS, dependency->process, dependency->after);
	gpointer before = g_hash_table_lookup(waits->seen, key);

	if (!before || GPOINTER_TO_SIZE(before) > time_ns)
		g_hash_table_insert(waits->seen, key, GSIZE_TO_POINTER(time_ns));
}

/* When the host saw the end of the execution, or event, with a correlation id; 0: never. */
static uint64_t seen_ns(const struct waits *waits, uint32_t process, uint32_t correlation)
{
	return GPOINTER_TO_SIZE(g_hash_table_lookup(
		waits->seen, key_of(MODEL_AWAITS_EVENTS, process, correlation)));
}

/* Sets seen for all events that waits await. */
static void find_seen(struct waits *waits)
{
	GHashTable *returns = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < waits->syncs->len; i++) {
		const struct sync *sync = &g_array_index(waits->syncs, struct sync, i);

		if (sync->awaits == MODEL_AWAITS_EVENTS)
			g_hash_table_insert(returns,
				key_of(MODEL_AWAITS_EVENTS, sync->process, sync->correlation),
				GSIZE_TO_POINTER(sync->end_ns));
	}
	for (guint i = 0; i < waits->dependencies->len; i++) {
		const struct dependency *dependency =
			&g_array_index(waits->dependencies, struct dependency, i);
		gpointer end = g_hash_table_lookup(returns,
			key_of(MODEL_AWAITS_EVENTS, dependency->process, dependency->correlation));

		if (end)
			note_seen(waits, dependency, GPOINTER_TO_SIZE(end));
	}
	g_hash_table_destroy(returns);
}

/* The id of what a stream belongs to: itself, its context or its device; 0: not known. */
static uint32_t part_of(
	const struct model *model, uint32_t process, uint32_t id, enum model_awaits what)
{
	const struct model_stream *stream = table_find(
		g_array_index(model->processes, struct model_process, process).streams, id);

	if (!stream || !stream->defined)
		return 0;
	return what == MODEL_AWAITS_STREAM    ? id
	       : what == MODEL_AWAITS_CONTEXT ? stream->context
					      : stream->device;
}

/* Adds a wait of a stream, its context or its device: what had been launched there before
 * sync->begin_ns had ended by end_ns. */
static void add_wait(const struct loader *loader, const struct sync *sync, enum model_awaits what,
	uint64_t end_ns)
{
	uint32_t id = part_of(loader->model, sync->process, sync->stream, what);
	gpointer key = key_of(what, sync->process, id);
	GArray *scope = g_hash_table_lookup(loader->waits->scopes, key);
	struct model_span span = {sync->begin_ns, end_ns};

	if (!id)
		return;
	if (!scope) {
		scope = g_array_new(FALSE, FALSE, sizeof(struct model_span));
		g_hash_table_insert(loader->waits->scopes, key, scope);
	}
	g_array_append_val(scope, span);
}

/* In a stream that runs in order, what was launched before an event was recorded has ended when the
 * event is seen. */
static void add_order(const struct loader *loader, const struct sync *sync)
{
	const struct model_stream *stream = table_find(
		g_array_index(loader->model->processes, struct model_process, sync->process)
			.streams,
		sync->stream);
	uint64_t end_ns = seen_ns(loader->waits, sync->process, sync->correlation);

	if (end_ns && stream && !stream->out_of_order)
		add_wait(loader, sync, MODEL_AWAITS_STREAM, end_ns);
}

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct model_span *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Sorts the waits of a scope by the time of their call.  Then lowers each end to the earliest end
 * of those that follow, since later waits await the earlier work too. */
static void order_scope(gpointer key, gpointer value, gpointer unused)
{
	GArray *scope = value;

	(void)key, (void)unused;
	g_array_sort(scope, by_begin);
	for (guint i = scope->len - 1; i > 0; i--) {
		struct model_span *span = &g_array_index(scope, struct model_span, i - 1);

		span->end_ns = MIN(span->end_ns, span[1].end_ns);
	}
}

void waits_order(struct loader *loader)
{
	struct waits *waits = loader->waits;

	find_seen(waits);
	for (guint i = 0; i < waits->syncs->len; i++) {
		const struct sync *sync = &g_array_index(waits->syncs, struct sync, i);

		if (sync->awaits == MODEL_AWAITS_NOTHING)
			add_order(loader, sync);
		else if (sync->awaits != MODEL_AWAITS_EVENTS)
			add_wait(loader, sync, sync->awaits, sync->end_ns);
	}
	g_hash_table_foreach(waits->scopes, order_scope, NULL);
}

/* ---- one execution ---- */

/* The first end of the waits that were called at after_ns or later. */
static uint64_t first_end_ns(const GArray *scope, uint64_t after_ns)
{
	const struct model_span *spans = (const void *)scope->data;
	guint first = BISECT(i, 0, scope->len, spans[i].begin_ns >= after_ns);

	return first < scope->len ? spans[first].end_ns : PWRTRACE_UNKNOWN_U64;
}

static uint64_t returned_ns(const struct model_execution *execution, const struct launch_call *call)
{
	return execution->launched_ns == PWRTRACE_UNKNOWN_U64 ||
			       call->length_ns == PWRTRACE_UNKNOWN_U32
		       ? PWRTRACE_UNKNOWN_U64
		       : execution->launched_ns + call->length_ns;
}

uint64_t waits_end_seen_ns(const struct loader *loader, guint i)
{
	const struct model *model = loader->model;
	const struct waits *waits = loader->waits;
	const struct model_execution *execution = model_execution_at(model, i);
	const struct launch_call *call = mapped_array_at(loader->calls, i);
	const struct model_origin *origin = model_origin_of(model, execution);
	uint64_t since_ns = returned_ns(execution, call), first_ns = PWRTRACE_UNKNOWN_U64, seen;

	if (g_hash_table_size(waits->seen)) {
		seen = seen_ns(waits, origin->process, call->correlation);
		first_ns = seen ? seen : first_ns;
	}
	if (since_ns == PWRTRACE_UNKNOWN_U64 || !g_hash_table_size(waits->scopes))
		return first_ns;
	for (enum model_awaits what = MODEL_AWAITS_STREAM; what <= MODEL_AWAITS_DEVICE; what++) {
		uint32_t id = part_of(model, origin->process, origin->stream, what);
		const GArray *scope =
			g_hash_table_lookup(waits->scopes, key_of(what, origin->process, id));

		if (id && scope)
			first_ns = MIN(first_ns, first_end_ns(scope, since_ns));
	}
	return first_ns;
}
