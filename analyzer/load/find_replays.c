/* SPDX-License-Identifier: MIT */
#include "analyzer/load/find_replays.h"

#include "analyzer/numeric/bisect.h"

static const struct model_replay *replay_at(const struct model *model, guint i)
{
	return &g_array_index(model->replays, struct model_replay, i);
}

/* Whether nothing was launched or copied: it was refused before. */
static bool is_empty(const struct model_replay *replay)
{
	return replay->span.begin_ns == replay->span.end_ns;
}

/* Empty ones last: another thread may be refused one within a replay. */
static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct model_replay *x = a, *y = b;

	if (is_empty(x) != is_empty(y))
		return is_empty(x) ? 1 : -1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->span.begin_ns < y->span.begin_ns ? -1 : x->span.begin_ns > y->span.begin_ns;
}

/* ---- replays that did not end ---- */

static bool is_open(const struct model_replay *replay)
{
	return replay->span.end_ns == UINT64_MAX;
}

static bool is_other_half(const struct model *model, const struct model_replay *open, guint i)
{
	return i < model->replays->len && !is_open(replay_at(model, i)) &&
	       replay_at(model, i)->process == open->process &&
	       replay_at(model, i)->span.begin_ns == open->span.begin_ns;
}

/* The last time in the executions of a process. */
static uint64_t last_ns_of(const struct model *model, uint32_t process)
{
	uint64_t last_ns = 0;

	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);

		if (model_origin_of(model, execution)->process == process)
			last_ns = MAX(
				last_ns, MAX(execution->end_ns, model_launched_ns(execution) + 1));
	}
	return last_ns;
}

/* A replay is in the list twice, by replay_begin (with an open end) and by replay.  Removes the
 * former; where its process was killed between the two, sets its end to the last time of the
 * process. */
static void close_all(struct model *model)
{
	for (guint i = model->replays->len; i > 0; i--) {
		struct model_replay *replay =
			&g_array_index(model->replays, struct model_replay, i - 1);

		if (!is_open(replay))
			continue;
		if (is_other_half(model, replay, i) ||
			(i > 1 && is_other_half(model, replay, i - 2)))
			g_array_remove_index(model->replays, i - 1);
		else
			replay->span.end_ns =
				MAX(replay->span.begin_ns, last_ns_of(model, replay->process));
	}
}

/* The index of the process's replay at a time, or MODEL_NONE.  Those of a process that are not
 * empty do not overlap, and are in order: it can only be the last one that began before. */
static guint find(const struct model *model, uint32_t process, uint64_t time_ns)
{
	guint next = BISECT(i, 0, model->replays->len,
		is_empty(replay_at(model, i)) || replay_at(model, i)->process > process ||
			(replay_at(model, i)->process == process &&
				replay_at(model, i)->span.begin_ns > time_ns));
	const struct model_replay *last = next ? replay_at(model, next - 1) : NULL;

	return last && last->process == process && time_ns < last->span.end_ns ? next - 1
									       : MODEL_NONE;
}

/* Marks the executions that were launched during a replay.  They are in no layer. */
static void mark(struct model *model)
{
	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution *execution = mapped_array_at(model->executions, i);
		struct model_origin origin = *model_origin_of(model, execution);

		if (find(model, origin.process, model_launched_ns(execution)) == MODEL_NONE)
			continue;
		origin.replayed = MODEL_REPLAYED;
		origin.layer = 0;
		execution->origin = origins_number(model->origins, &origin);
	}
}

/* ---- whether replays do the same work ---- */

/* A replayed kernel may do other work than the program's launches: one that counts down, in memory
 * that the program sets before each launch, finds nothing left to do; one whose data stays in the
 * cache is faster.  The ratio of median durations shows this; clock rates alone change it by a
 * tenth or two. */
#define SHORTER 0.75
#define LONGER 1.33

static const char does_less[] = "repeated, it takes less time than the program's";
static const char does_more[] = "repeated, it takes more time than the program's";

struct kernel_times {
	GArray *repeated, *usual; /* uint64_t: durations of replays, and of the program's, in ns */
};

/* By process, kernel and size. */
static guint kernel_hash(gconstpointer key)
{
	const struct model_origin *origin = key;

	return (origin->process * 31 + origin->kernel) * 31 + origin->size;
}

static gboolean kernel_equal(gconstpointer a, gconstpointer b)
{
	const struct model_origin *x = a, *y = b;

	return x->process == y->process && x->kernel == y->kernel && x->size == y->size;
}

static void free_times(gpointer data)
{
	struct kernel_times *times = data;

	g_array_free(times->repeated, TRUE);
	g_array_free(times->usual, TRUE);
	g_free(times);
}

static GHashTable *times_of(const struct model *model)
{
	GHashTable *by_kernel =
		g_hash_table_new_full(kernel_hash, kernel_equal, g_free, free_times);

	for (int usual = 0; usual <= 1; usual++)
		for (guint i = 0; i < model->executions->len; i++) {
			const struct model_execution *execution = model_execution_at(model, i);
			const struct model_origin *origin = model_origin_of(model, execution);
			uint64_t time_ns = execution->end_ns - execution->begin_ns;
			struct kernel_times *times;

			if (!origin_is_kernel(origin) || !time_ns ||
				(origin->replayed == MODEL_OF_PROGRAM) != usual)
				continue;
			times = g_hash_table_lookup(by_kernel, origin);
			if (!times && !usual) {
				times = g_new(struct kernel_times, 1);
				times->repeated = g_array_new(FALSE, FALSE, sizeof(uint64_t));
				times->usual = g_array_new(FALSE, FALSE, sizeof(uint64_t));
				g_hash_table_insert(
					by_kernel, g_memdup2(origin, sizeof(*origin)), times);
			}
			if (times)
				g_array_append_val(usual ? times->usual : times->repeated, time_ns);
		}
	return by_kernel;
}

static int by_length(gconstpointer a, gconstpointer b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static double median(GArray *lengths)
{
	guint middle = lengths->len / 2;

	g_array_sort(lengths, by_length);
	return (double)g_array_index(lengths, uint64_t, middle);
}

/* Why the replays of a kernel cannot be used, or NULL. */
static const char *verdict_of(const struct kernel_times *times)
{
	double ratio = times->usual->len ? median(times->repeated) / median(times->usual) : 1;

	return ratio < SHORTER ? does_less : ratio > LONGER ? does_more : NULL;
}

void judge_replays(struct model *model)
{
	GHashTable *times, *verdicts;
	GHashTableIter iter;
	gpointer key, value;

	if (!model->replays->len)
		return;
	times = times_of(model);
	verdicts = g_hash_table_new_full(kernel_hash, kernel_equal, NULL, NULL);
	g_hash_table_iter_init(&iter, times);
	while (g_hash_table_iter_next(&iter, &key, &value))
		g_hash_table_insert(verdicts, key, (gpointer)verdict_of(value));
	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution *execution = mapped_array_at(model->executions, i);
		struct model_origin origin = *model_origin_of(model, execution);
		const char *verdict = origin.replayed == MODEL_OF_PROGRAM
					      ? NULL
					      : g_hash_table_lookup(verdicts, &origin);

		if (!verdict)
			continue;
		origin.replayed = MODEL_REPLAYED_UNLIKE;
		execution->origin = origins_number(model->origins, &origin);
		g_array_index(model->replays, struct model_replay,
			find(model, origin.process, model_launched_ns(execution)))
			.reason = verdict;
	}
	g_hash_table_destroy(verdicts);
	g_hash_table_destroy(times);
}

void find_replays(struct model *model)
{
	if (!model->replays->len)
		return;
	g_array_sort(model->replays, by_begin);
	close_all(model);
	mark(model);
}
