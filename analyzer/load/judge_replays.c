/* SPDX-License-Identifier: MIT */
#include "analyzer/load/judge_replays.h"

#include <math.h>
#include <string.h>

#include "analyzer/load/find_replays.h"
#include "pwrtrace/replays.h"

/* A replayed kernel may do other work than the program's launches: one that counts down, in memory
 * that the program sets before each launch, finds nothing left to do; one whose data stays in the
 * cache is faster.  The ratio of median durations shows this. */
#define UNLIKE log(PWRTRACE_REPLAY_UNLIKE)
/* Of two replays of a kernel, by which part one is nearer to the program's time where chance alone
 * does not make it so. */
#define NEARER 0.05
/* What the program's executions leave in the cache may be written over before it is written back.
 * Where they take no longer than those with a cold cache, so is this part of it; where they take
 * longer by WRITING, nothing of it is (analyzer/regress/README.md, section 6). */
#define KEPT 0.5
#define WRITING 0.07
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
	uint32_t gpu;
	bool cold, mixed;
	bool unused;                      /* most of its executions are not used */
	guint executions, reads, refused; /* reads: of other memory, so that the cache is cold */
	const char *verdict;              /* of those that are refused */
	double reads_ns;                  /* the time that all reads took */
	double alone_ns;                  /* a read where nothing else runs; 0: not known */
	double read_ns;                   /* how long each is to last; 0: as long as it did */
};

struct work_times {
	GArray *lengths_ns;       /* uint64_t */
	double median_ns, sum_ns; /* once all are known */
	/* Of the program's: ln of the ratio of the nearest replay's times to its own, with a warm
	 * and with a cold cache; which of the two are used; why they cannot be, or NULL. */
	double nearest[2];
	double longest_ns; /* the sum of the longest replay's times */
	bool writes_known; /* replays with a cold cache tell what is written back */
	bool varies;       /* by the cache, as a mixed replay does, so that means are compared */
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
			: replay_running(model, origin->process, model_launched_ns(execution))};
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
	return origin_is_kernel(origin) && !replay_is_read(model, origin);
}

/* Times by struct work, of all kernels that were replayed.  Counts executions and reads by replay.
 */
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
			if (!own && replay_is_read(model, origin)) {
				judged[work.replay].gpu = origin->gpu;
				judged[work.replay].reads++;
				judged[work.replay].reads_ns += (double)length_ns;
			}
			if (!is_replayed_itself(model, origin))
				continue;
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

static double mean_ns(const struct work_times *times)
{
	return times->sum_ns / times->lengths_ns->len;
}

/* Of the times of a replay to the program's. */
static double log_ratio(const struct work_times *times, const struct work_times *own)
{
	return own->varies ? log(mean_ns(times) / mean_ns(own))
			   : log(times->median_ns / own->median_ns);
}

/* Whether the program's executions take longer than a replay, by the logarithm of that ratio. */
static bool is_longer(const struct work_times *own, double log_ratio)
{
	double own_ns = own->varies ? mean_ns(own) : own->median_ns;

	return pwrtrace_replay_is_longer(own_ns, own_ns * exp(log_ratio));
}

static const char *verdict_of(double log_ratio)
{
	return log_ratio < -UNLIKE ? does_less : log_ratio > UNLIKE ? does_more : NULL;
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

/* The mean time of a read on a device in replays where nothing else runs; 0: there are none. */
static double read_alone_ns(const struct judged_replay *judged, guint count, uint32_t gpu)
{
	double time_ns = 0;
	guint reads = 0;

	for (guint i = 0; i < count; i++)
		if (!judged[i].executions && judged[i].gpu == gpu) {
			time_ns += judged[i].reads_ns;
			reads += judged[i].reads;
		}
	return time_ns / MAX(reads, 1);
}

static void find_alone(struct judged_replay *judged, guint count)
{
	for (guint i = 0; i < count; i++)
		if (judged[i].cold)
			judged[i].alone_ns = read_alone_ns(judged, count, judged[i].gpu);
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
		const struct judged_replay *replay;
		double *nearest;

		if (!own || own == times)
			continue;
		replay = replay_of(judged, key);
		if (!counts(times, own, replay))
			continue;
		own->writes_known |= replay->alone_ns > 0;
		nearest = &own->nearest[replay->cold];
		if (fabs(log_ratio(times, own)) < fabs(*nearest))
			*nearest = log_ratio(times, own);
	}
	g_hash_table_iter_init(&iter, all);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct work_times *own = value;
		double warm = own->nearest[false];

		own->cold = (verdict_of(warm) || (own->writes_known && is_longer(own, warm))) &&
			    fabs(own->nearest[true]) < fabs(warm);
		own->verdict = verdict_of(own->nearest[own->cold]);
	}
}

static void find_longest(GHashTable *all, const struct judged_replay *judged)
{
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, all);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		struct work_times *own = own_times(all, key), *times = value;

		if (!own || own == times)
			continue;
		own->longest_ns = MAX(own->longest_ns, times->sum_ns);
		own->varies |= replay_of(judged, key)->mixed;
	}
}

/* Finds which replays are used: the nearest, and those as near.  Where it is not known what is
 * written back, those with a cold cache are used where no others can be. */
static void judge(GHashTable *all, struct judged_replay *judged)
{
	GHashTableIter iter;
	gpointer key, value;

	find_longest(all, judged);
	find_nearest(all, judged);
	find_nearest(all, judged);
	g_hash_table_iter_init(&iter, all);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		const struct work *work = key;
		const struct work_times *own = own_times(all, work);
		struct work_times *times = value;
		struct judged_replay *replay;

		if (!own || own == times)
			continue;
		replay = &judged[work->replay];
		times->unused =
			own->verdict || own->cold != replay->cold ||
			fabs(log_ratio(times, own)) > fabs(own->nearest[own->cold]) + NEARER;
		replay->unused |= times->unused && 2 * times->lengths_ns->len > replay->executions;
	}
}

/* Gives what was executed in a replay that is not used a class of its own: such replays do not do
 * the same work as each other, either. */
static void set_apart(struct model_origin *origin, const struct work *work)
{
	origin->replayed = MODEL_REPLAYED_UNLIKE;
	origin->part = work->replay + 1;
}

static void mark_unlike(struct model_origin *origin, const struct work *work,
	const struct work_times *own, struct judged_replay *replay)
{
	set_apart(origin, work);
	replay->refused += own->verdict != NULL;
	replay->verdict = own->verdict ?: replay->verdict;
}

/* What an execution has left in the cache to be written back is written during the read that
 * follows, which takes longer for that than reads alone: what is written for the program, too, is
 * the execution's.  So it is to last as long as the program's, where these take longer, and the
 * read the shorter for that; the device is taken to be idle between the two. */
static void charge_writes(struct judged_replay *replay, struct model_execution *execution,
	const struct work_times *times, const struct work_times *own)
{
	double length_ns = (double)(execution->end_ns - execution->begin_ns);
	double longer = MAX(exp(-log_ratio(times, own)) - 1, 0);
	double kept = KEPT * (1 - MIN(longer / WRITING, 1));

	execution->end_ns = execution->begin_ns + (uint64_t)((1 + longer) * length_ns);
	replay->read_ns = replay->alone_ns +
			  kept * MAX(replay->reads_ns / replay->reads - replay->alone_ns, 0);
}

static void shorten_read(struct model_execution *read, double read_ns)
{
	if (read_ns > 0 && (double)(read->end_ns - read->begin_ns) > read_ns)
		read->begin_ns = read->end_ns - (uint64_t)read_ns;
}

/* What an execution writes back during a read is charged to it only where it is used: elsewhere the
 * read draws another power than reads that write nothing back. */
static void mark_read(struct model *model, struct model_execution *read, const struct work *work,
	const struct judged_replay *replay)
{
	struct model_origin origin = *model_origin_of(model, read);

	shorten_read(read, replay->read_ns);
	if (!replay->unused)
		return;
	set_apart(&origin, work);
	read->origin = origins_number(model->origins, &origin);
}

/* Marks what was judged.  A replay has the verdict of most of its executions. */
static void mark(struct model *model, GHashTable *all, struct judged_replay *judged)
{
	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution *execution = mapped_array_at(model->executions, i);
		struct model_origin origin = *model_origin_of(model, execution);
		const struct work_times *times, *own;
		struct judged_replay *replay;
		struct work work;

		if (origin.replayed == MODEL_OF_PROGRAM || !origin_is_kernel(&origin))
			continue;
		work = work_of(model, execution);
		replay = &judged[work.replay];
		if (replay_is_read(model, &origin)) {
			mark_read(model, execution, &work, replay);
			continue;
		}
		times = g_hash_table_lookup(all, &work);
		own = own_times(all, &work);
		if (!times || !own || (!times->unused && !replay->cold))
			continue;
		if (times->unused) {
			mark_unlike(&origin, &work, own, replay);
		} else {
			origin.replayed =
				replay->mixed ? MODEL_REPLAYED_MIXED : MODEL_REPLAYED_COLD;
			if (replay->alone_ns > 0)
				charge_writes(replay, execution, times, own);
		}
		execution->origin = origins_number(model->origins, &origin);
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
	for (guint i = 0; i < model->replays->len; i++) {
		const struct model_replay *replay =
			&g_array_index(model->replays, struct model_replay, i);

		judged[i].cold = replay_is_cold(replay);
		judged[i].mixed = replay_is_mixed(replay);
	}
	all = times_of(model, judged);
	find_alone(judged, model->replays->len);
	judge(all, judged);
	mark(model, all, judged);
	g_hash_table_destroy(all);
	g_free(judged);
}
