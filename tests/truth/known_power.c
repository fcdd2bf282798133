/* SPDX-License-Identifier: MIT */
/* The power of a made-up run over time, and whose energy it is. */
#include <stdlib.h>

#include "tests/truth/known_truth.h"

#define NS_PER_S 1e9

struct edge {
	double time_ns;
	uint32_t execution;
	bool end;
};

static int by_time(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static struct edge *edges_of(const struct truth *truth)
{
	struct edge *edges = calloc(2 * truth->execution_count, sizeof(*edges));

	for (size_t i = 0; i < truth->execution_count; i++) {
		const struct truth_execution *execution = &truth->executions[i];

		edges[2 * i] = (struct edge){execution->begin_ns, (uint32_t)i, false};
		edges[2 * i + 1] = (struct edge){execution->end_ns, (uint32_t)i, true};
	}
	qsort(edges, 2 * truth->execution_count, sizeof(*edges), by_time);
	return edges;
}

/* Whether a replay is under way at a time. */
static bool is_replaying(const struct truth *truth, double time_ns)
{
	for (size_t i = 0; i < truth->replay_count; i++)
		if (truth->replays[i].begin_ns <= time_ns && time_ns < truth->replays[i].end_ns)
			return true;
	return false;
}

/* Shares the static power equally among what runs from a time on; when nothing runs, it is idle
 * energy.  What is drawn during a replay is the replay's. */
static void charge(struct truth *truth, const uint32_t *running, unsigned count, double from_ns,
	double until_ns)
{
	double seconds = (until_ns - from_ns) / NS_PER_S, all_w = truth->options.static_w;
	bool replaying = is_replaying(truth, from_ns);

	for (unsigned i = 0; i < count; i++) {
		const struct truth_execution *execution = &truth->executions[running[i]];
		struct truth_class *class = &truth->classes[execution->class_index];

		all_w += execution->dynamic_w;
		if (replaying)
			continue;
		class->static_j += truth->options.static_w * seconds / count;
		class->dynamic_j += execution->dynamic_w * seconds;
	}
	truth->total_j += all_w * seconds;
	if (replaying)
		truth->replay_j += all_w * seconds;
	else if (!count)
		truth->idle_j += all_w * seconds;
}

void truth_set_power(struct truth *truth)
{
	size_t count = 2 * truth->execution_count;
	struct edge *edges = edges_of(truth);
	uint32_t running[16] = {0};
	unsigned running_count = 0;
	double now_ns = 0;

	truth->edge_count = count + 2;
	truth->edge_ns = calloc(truth->edge_count, sizeof(double));
	truth->energy_j = calloc(truth->edge_count, sizeof(double));
	truth->power_w = calloc(truth->edge_count, sizeof(double));
	truth->power_w[0] = truth->options.static_w;
	for (size_t i = 0; i <= count; i++) {
		double until_ns = i < count ? edges[i].time_ns : truth->end_ns;

		charge(truth, running, running_count, now_ns, until_ns);
		truth->edge_ns[i + 1] = now_ns = until_ns;
		truth->energy_j[i + 1] = truth->total_j;
		for (unsigned k = 0; i < count && k < running_count; k++)
			if (edges[i].end && running[k] == edges[i].execution)
				running[k] = running[--running_count];
		if (i < count && !edges[i].end)
			running[running_count++] = edges[i].execution;
		truth->power_w[i + 1] = truth->options.static_w;
		for (unsigned k = 0; k < running_count; k++)
			truth->power_w[i + 1] += truth->executions[running[k]].dynamic_w;
	}
	free(edges);
}
