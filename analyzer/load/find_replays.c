/* SPDX-License-Identifier: MIT */
#include "analyzer/load/find_replays.h"

#include <math.h>
#include <string.h>

#include "analyzer/numeric/bisect.h"
#include "pwrtrace/kernels.h"
#include "pwrtrace/replays.h"

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
 * cache is faster.  The ratio of median durations shows this. */
#define UNLIKE log(PWRTRACE_REPLAY_UNLIKE)
/* Of two replays of a kernel, by which part one is nearer to the program's time where chance alone
 * does not make it so. */
#define NEARER 0.05
/* Of the time of the longest replay: what was only tried tells a sensor little, and is used where
 * nothing else can be. */
#define LONG_ENOUGH 0.25

static const char does_less[] = "repeated, it takes less time than the program's";
static const char does_more[] = "repeated, it takes more time than the program's";

/* Executions of a kernel and size: those of a replay, or (MODEL_NONE) the program's own. */
struct work {
	uint32_t process, kernel, size, replay;
};

/* What became of a replay. */
struct judged_replay {
	guint executions, others, refused; /* others: reads, copies and fills */
	const char *verdict;               /* of the latter */
};

struct work_times {
	GArray *lengths_ns;       /* uint64_t */
	double median_ns, sum_ns; /* once all are known */
	/* Of the program's: ln of the ratio of the nearest replay's times to its own, with a warm
	 * and with a cold cache; which of the two are used; why they cannot be, or NULL. */
	double nearest[2];
	double longest_ns; /* the sum of the longest replay's times */
	bool cold;
	const char *verdict;
	bool unused; /* of a replay */
};

static guint work_hash(gconstpointer key)
{
	const struct work *work = key;

	return ((work->process * 31 + work->kernel) * 31 + work->size) * 31 + work->replay;
}

static gboolean work_equal(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, sizeof(struct work)) == 0;
}

static void free_times(gpointer data)
{
	struct work_times *times = data;

	g_array_free(times->lengths_ns, TRUE);
	g_free(times);
}

static struct work work_of(const struct model *model, const struct model_execution *execution)
{
	const struct model_origin *origin = model_origin_of(model, execution);

	return (struct work){origin->process, origin->kernel, origin->size,
		origin->replayed == MODEL_OF_PROGRAM
			? MODEL_NONE
			: find(model, origin->process, model_launched_ns(execution))};
}

/* The times of the program's own executions of what was replayed. */
static struct work_times *own_times(GHashTable *all, const struct work *work)
{
	return g_hash_table_lookup(
		all, &(struct work){work->process, work->kernel, work->size, MODEL_NONE});
}

static void add_time(GHashTable *all, const struct work *work, uint64_t length_ns)
{
	struct work_times *times = g_hash_table_lookup(all, work);

	if (!times) {
		times = g_new0(struct work_times, 1);
		times->lengths_ns = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		times->nearest[false] = times->nearest[true] = INFINITY;
		g_hash_table_insert(all, g_memdup2(work, sizeof(*work)), times);
	}
	g_array_append_val(times->lengths_ns, length_ns);
}

static int by_length(gconstpointer a, gconstpointer b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void find_median(struct work_times *times)
{
	guint middle = times->lengths_ns->len / 2;

	g_array_sort(times->lengths_ns, by_length);
	times->median_ns = (double)g_array_index(times->lengths_ns, uint64_t, middle);
	for (guint i = 0; i < times->lengths_ns->len; i++)
		times->sum_ns += (double)g_array_index(times->lengths_ns, uint64_t, i);
}

/* Whether it is no read, copy or fill that a replay makes before each execution. */
static bool is_replayed_itself(const struct model *model, const struct model_origin *origin)
{
	const struct model_kernel *kernel = model_kernel_of(model, origin);

	return origin_is_kernel(origin) &&
	       !(kernel && strcmp(kernel->name, PWRTRACE_READ_KERNEL) == 0);
}

/* Times by struct work, of all kernels that were replayed.  Counts executions, and others, by
 * replay. */
static GHashTable *times_of(const struct model *model, struct judged_replay *judged)
{
	GHashTable *all = g_hash_table_new_full(work_hash, work_equal, g_free, free_times);
	GHashTable *replayed = g_hash_table_new_full(work_hash, work_equal, g_free, NULL);
	GHashTableIter iter;
	gpointer value;

	for (int own = 0; own <= 1; own++)
		for (guint i = 0; i < model->executions->len; i++) {
			const struct model_execution *execution = model_execution_at(model, i);
			const struct model_origin *origin = model_origin_of(model, execution);
			uint64_t length_ns = execution->end_ns - execution->begin_ns;
			struct work work;

			if (!length_ns || (origin->replayed == MODEL_OF_PROGRAM) != own)
				continue;
			work = work_of(model, execution);
			if (!is_replayed_itself(model, origin)) {
				if (!own)
					judged[work.replay].others++;
				continue;
			}
			if (!own || g_hash_table_contains(replayed, &work))
				add_time(all, &work, length_ns);
			if (!own) {
				judged[work.replay].executions++;
				work.replay = MODEL_NONE;
				g_hash_table_add(replayed, g_memdup2(&work, sizeof(work)));
			}
		}
	g_hash_table_destroy(replayed);
	g_hash_table_iter_init(&iter, all);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		find_median(value);
	return all;
}

static double log_ratio(const struct work_times *times, const struct work_times *own)
{
	return log(times->median_ns / own->median_ns);
}

static const char *verdict_of(double log_ratio)
{
	return log_ratio < -UNLIKE ? does_less : log_ratio > UNLIKE ? does_more : NULL;
}

/* Whether something was read, copied or filled before each execution. */
static bool is_cold(const struct judged_replay *replay)
{
	return 2 * replay->others > replay->executions;
}

/* A replay of another size does not count, of which single executions may be as long as this one's;
 * nor does what was only tried, unless the longer ones have been found to be unlike. */
static bool counts(const struct work_times *times, const struct work_times *own,
	const struct judged_replay *replay)
{
	return 2 * times->lengths_ns->len > replay->executions &&
	       (own->verdict || times->sum_ns >= LONG_ENOUGH * own->longest_ns);
}

static const struct judged_replay *replay_of(
	const struct judged_replay *judged, const struct work *work)
{
	return &judged[work->replay];
}

/* Finds how near replays come to the program's own times, as far as they count: at the first call
 * only long ones do. */
static void find_nearest(GHashTable *all, const struct judged_replay *judged)
{
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, all);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		struct work_times *own = own_times(all, key), *times = value;
		double *nearest;

		if (!own || own == times || !counts(times, own, replay_of(judged, key)))
			continue;
		nearest = &own->nearest[is_cold(replay_of(judged, key))];
		if (fabs(log_ratio(times, own)) < fabs(*nearest))
			*nearest = log_ratio(times, own);
	}
	g_hash_table_iter_init(&iter, all);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct work_times *own = value;

		own->cold = verdict_of(own->nearest[false]) &&
			    fabs(own->nearest[true]) < fabs(own->nearest[false]);
		own->verdict = verdict_of(own->nearest[own->cold]);
	}
}

static void find_longest(GHashTable *all)
{
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, all);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		struct work_times *own = own_times(all, key), *times = value;

		if (own && own != times)
			own->longest_ns = MAX(own->longest_ns, times->sum_ns);
	}
}

/* Finds which replays are used: the nearest, and those as near.  With a cold cache, what displaces
 * its data makes the kernel's own power less exact: they are used where no others can be. */
static void judge(GHashTable *all, const struct judged_replay *judged)
{
	GHashTableIter iter;
	gpointer key, value;

	find_longest(all);
	find_nearest(all, judged);
	find_nearest(all, judged);
	g_hash_table_iter_init(&iter, all);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		const struct work_times *own = own_times(all, key);
		struct work_times *times = value;

		times->unused = own && own != times &&
				(own->verdict || own->cold != is_cold(replay_of(judged, key)) ||
					fabs(log_ratio(times, own)) >
						fabs(own->nearest[own->cold]) + NEARER);
	}
}

/* Marks the executions of replays that are not used, each as a part of its kernel: such replays do
 * not do the same work as each other, either.  A replay has the verdict of most of them. */
static void mark_unlike(struct model *model, GHashTable *all, struct judged_replay *judged)
{
	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution *execution = mapped_array_at(model->executions, i);
		struct model_origin origin = *model_origin_of(model, execution);
		const struct work_times *times;
		struct work work;

		if (origin.replayed == MODEL_OF_PROGRAM || !origin_is_kernel(&origin))
			continue;
		work = work_of(model, execution);
		times = g_hash_table_lookup(all, &work);
		if (!times || !times->unused)
			continue;
		origin.replayed =
			is_cold(&judged[work.replay]) ? MODEL_REPLAYED_COLD : MODEL_REPLAYED_UNLIKE;
		origin.part = work.replay + 1;
		execution->origin = origins_number(model->origins, &origin);
		times = own_times(all, &work);
		judged[work.replay].refused += times->verdict != NULL;
		judged[work.replay].verdict = times->verdict ?: judged[work.replay].verdict;
	}
	for (guint i = 0; i < model->replays->len; i++)
		if (2 * judged[i].refused > judged[i].executions)
			g_array_index(model->replays, struct model_replay, i).reason =
				judged[i].verdict;
}

void judge_replays(struct model *model)
{
	struct judged_replay *judged;
	GHashTable *all;

	if (!model->replays->len)
		return;
	judged = g_new0(struct judged_replay, model->replays->len);
	all = times_of(model, judged);
	judge(all, judged);
	mark_unlike(model, all, judged);
	g_hash_table_destroy(all);
	g_free(judged);
}

void find_replays(struct model *model)
{
	if (!model->replays->len)
		return;
	g_array_sort(model->replays, by_begin);
	close_all(model);
	mark(model);
}
