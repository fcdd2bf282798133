/* SPDX-License-Identifier: MIT */
/* The power of a made-up run over time, and whose energy it is. */
#include <math.h>
#include <stdlib.h>

#include "tests/truth/known_truth.h"

#define NS_PER_S 1e9
#define DRIFT_PERIOD_NS 17e9 /* of a device that becomes warmer and cooler */

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

/* The replay that is under way at a time, or NULL. */
static const struct truth_replay *replay_at(const struct truth *truth, double time_ns)
{
	for (size_t i = 0; i < truth->replay_count; i++)
		if (truth->replays[i].begin_ns <= time_ns && time_ns < truth->replays[i].end_ns)
			return &truth->replays[i];
	return NULL;
}

/* What the device draws at a time beyond its mean static power, whatever the program runs. */
static double drift_at(const struct truth *truth, double time_ns)
{
	return truth->options.drift_w * M_SQRT2 * sin(2 * M_PI * time_ns / DRIFT_PERIOD_NS);
}

/* Shares static power equally among what runs up to a time; when nothing runs, it is idle energy.
 * What is drawn during a replay is the replay's. */
static void charge(struct truth *truth, const uint32_t *running, unsigned count, double until_ns,
	double static_w)
{
	size_t edge = truth->edge_count - 1;
	double from_ns = truth->edge_ns[edge], seconds = (until_ns - from_ns) / NS_PER_S;
	const struct truth_replay *replay = replay_at(truth, from_ns);
	double all_w;

	static_w += drift_at(truth, from_ns);
	all_w = static_w + (replay ? replay->off_w : 0);
	for (unsigned i = 0; i < count; i++) {
		const struct truth_execution *execution = &truth->executions[running[i]];
		struct truth_class *class = &truth->classes[execution->class_index];

		all_w += execution->dynamic_w;
		if (replay)
			continue;
		class->static_j += static_w * seconds / count;
		class->dynamic_j += execution->dynamic_w * seconds;
	}
	truth->total_j += all_w * seconds;
	if (replay)
		truth->replay_j += all_w * seconds;
	else if (!count)
		truth->idle_j += all_w * seconds;
	truth->power_w[edge] = all_w;
	truth->edge_ns[edge + 1] = until_ns;
	truth->energy_j[edge + 1] = truth->total_j;
	truth->power_w[edge + 1] = static_w;
	truth->edge_count++;
}

/* The same, where nothing runs. */
static void charge_idle(struct truth *truth, double until_ns)
{
	const struct truth_options *options = &truth->options;
	double asleep_ns = truth->edge_ns[truth->edge_count - 1] + TRUTH_SLEEPS_AFTER_NS;
	double asleep = options->scenario->asleep;

	charge(truth, NULL, 0, asleep > 0 ? fmin(asleep_ns, until_ns) : until_ns,
		options->static_w);
	if (asleep > 0 && asleep_ns < until_ns)
		charge(truth, NULL, 0, until_ns, asleep * options->static_w);
}

void truth_set_power(struct truth *truth)
{
	size_t count = 2 * truth->execution_count;
	size_t sleeps = truth->options.scenario->asleep > 0 ? truth->execution_count + 1 : 0;
	struct edge *edges = edges_of(truth);
	uint32_t running[16] = {0};
	unsigned running_count = 0;

	truth->edge_ns = calloc(count + sleeps + 2, sizeof(double));
	truth->energy_j = calloc(count + sleeps + 2, sizeof(double));
	truth->power_w = calloc(count + sleeps + 2, sizeof(double));
	truth->edge_count = 1;
	for (size_t i = 0; i <= count; i++) {
		double until_ns = i < count ? edges[i].time_ns : truth->end_ns;

		if (running_count)
			charge(truth, running, running_count, until_ns, truth->options.static_w);
		else
			charge_idle(truth, until_ns);
		for (unsigned k = 0; i < count && k < running_count; k++)
			if (edges[i].end && running[k] == edges[i].execution)
				running[k] = running[--running_count];
		if (i < count && !edges[i].end)
			running[running_count++] = edges[i].execution;
	}
	free(edges);
}
