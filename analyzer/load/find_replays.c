/* SPDX-License-Identifier: MIT */
#include "analyzer/load/find_replays.h"

#include <string.h>

#include "analyzer/numeric/bisect.h"
#include "pwrtrace/kernels.h"

/* Parts of a replay's executions: less is none, and more all of them, but for a few whose events
 * were lost. */
#define COLD_LEAST 0.01
#define COLD_MOST 0.97

/* Executions of a replay: of what is replayed, and of reads of other memory. */
struct replay_counts {
	double kernels, reads;
};

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

/* Those of a process that are not empty do not overlap, and are in order: it can only be the last
 * one that began before. */
guint replay_running(const struct model *model, uint32_t process, uint64_t time_ns)
{
	guint next = BISECT(i, 0, model->replays->len,
		is_empty(replay_at(model, i)) || replay_at(model, i)->process > process ||
			(replay_at(model, i)->process == process &&
				replay_at(model, i)->span.begin_ns > time_ns));
	const struct model_replay *last = next ? replay_at(model, next - 1) : NULL;

	return last && last->process == process && time_ns < last->span.end_ns ? next - 1
									       : MODEL_NONE;
}

bool replay_is_read(const struct model *model, const struct model_origin *origin)
{
	const struct model_kernel *kernel = model_kernel_of(model, origin);

	return kernel && strcmp(kernel->name, PWRTRACE_READ_KERNEL) == 0;
}

bool replay_is_cold(const struct model_replay *replay)
{
	return replay->cold > COLD_LEAST;
}

bool replay_is_mixed(const struct model_replay *replay)
{
	return replay_is_cold(replay) && replay->cold < COLD_MOST;
}

/* Marks the executions that were launched during a replay.  They are in no layer.  Counts kernels
 * and reads by replay. */
static void mark(struct model *model, struct replay_counts *counts)
{
	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution *execution = mapped_array_at(model->executions, i);
		struct model_origin origin = *model_origin_of(model, execution);
		guint replay = replay_running(model, origin.process, model_launched_ns(execution));

		if (replay == MODEL_NONE)
			continue;
		if (replay_is_read(model, &origin))
			counts[replay].reads++;
		else
			counts[replay].kernels += origin_is_kernel(&origin);
		origin.replayed = MODEL_REPLAYED;
		origin.layer = 0;
		execution->origin = origins_number(model->origins, &origin);
	}
}

void find_replays(struct model *model)
{
	struct replay_counts *counts;

	if (!model->replays->len)
		return;
	g_array_sort(model->replays, by_begin);
	close_all(model);
	counts = g_new0(struct replay_counts, model->replays->len + 1);
	mark(model, counts);
	for (guint i = 0; i < model->replays->len; i++)
		g_array_index(model->replays, struct model_replay, i).cold =
			MIN(counts[i].reads / MAX(counts[i].kernels, 1), 1);
	g_free(counts);
}
