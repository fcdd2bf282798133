/* SPDX-License-Identifier: MIT */
#include "tests/truth/known_truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1e6
#define NS_PER_S 1e9
#define PAUSE_NS (400 * NS_PER_MS) /* idle before and after the program's work */
#define GAP_NS 1500.               /* from the end of an execution to the next of its stream */
#define WARM_NS (4 * NS_PER_MS)    /* time constants of cold starts and of what ran before */
#define MEMORY_NS (1 * NS_PER_MS)
#define LIMIT_NS (50 * NS_PER_MS) /* how fast the clock follows */
#define SLOWEST 0.5
#define ASLEEP_SPEED 0.2
#define POWER_BY_SPEED 2.2 /* power = speed to this power, as voltage falls with the clock */
#define MEMORY_BOUND_BY_SPEED 0.9
#define OVERSHOOT_FADES 1.5 /* executions */
#define SAG_FADES 4.
#define BATCH_NS (5 * NS_PER_MS)          /* of a replay; in its middle half, pauses are as long */
#define BEFORE_REPLAY_NS (20 * NS_PER_MS) /* to save memory, during which nothing runs */

const struct truth_scenario truth_scenarios[] = {
	{"replay", "each class alone for 0.6 s", .dwell_ms = {600, 600}, .idle_ms = {150, 150},
		.idle_part = 1, .in_turns = true},
	{"varied", "a class at a time for 5 to 200 ms, some idle", .dwell_ms = {5, 200},
		.idle_ms = {2, 50}, .idle_part = 0.1},
	{"mixed", "a class at a time for 0.2 to 5 ms, in random order", .dwell_ms = {0.2, 5},
		.idle_ms = {50, 200}, .idle_part = 0.0005},
	{"loop3", "the same 3 ms over and over", .dwell_ms = {0.05, 0.4}, .loop_ms = 3},
	{"loop14", "the same 14 ms over and over", .dwell_ms = {0.2, 2}, .loop_ms = 14},
	{"loop60", "the same 60 ms over and over", .dwell_ms = {0.5, 5}, .loop_ms = 60},
	{"loop400", "the same 400 ms over and over", .dwell_ms = {2, 40}, .loop_ms = 400},
	{"replica400", "the same 400 ms, with each execution's own variation, over and over",
		.dwell_ms = {2, 40}, .loop_ms = 400, .replicates = true},
	{"phases", "phases of 3 s with a third of the classes each", .dwell_ms = {0.5, 10},
		.phase_ms = 3000, .idle_ms = {5, 100}, .idle_part = 0.01},
	{"bursts", "bursts from idle, cold at first, warmed by what ran before",
		.dwell_ms = {2, 60}, .idle_ms = {5, 100}, .idle_part = 0.3, .cold = 0.7,
		.memory = 0.15},
	{"pair", "varied, but two classes always run together", .dwell_ms = {5, 200},
		.idle_ms = {2, 50}, .idle_part = 0.1, .pairs = true},
	{"limit", "varied, at a power limit that holds the clock down", .dwell_ms = {5, 200},
		.idle_ms = {2, 50}, .idle_part = 0.1, .limit_w = 400},
	{"clocks", "phases at a power limit; every second class is memory-bound",
		.dwell_ms = {0.2, 5}, .phase_ms = 500, .idle_ms = {2, 50}, .idle_part = 0.01,
		.limit_w = 400, .memory_bound = true},
	{"sleeps", "varied, with idle stretches in which the device falls asleep",
		.dwell_ms = {5, 200}, .idle_ms = {2000, 6000}, .idle_part = 0.01, .asleep = 0.6},
	{"streams", "two streams that overlap", .dwell_ms = {5, 200}, .idle_ms = {5, 200},
		.idle_part = 0.3, .streams = 2},
	{"runs", "20 executions of a class from idle, which are slow, overshoot and then sag",
		.dwell_ms = {1, 1}, .idle_ms = {3, 23}, .idle_part = 1, .run = 20, .overshoot = 0.5,
		.sag = 0.3, .slow = 0.3},
	{NULL, NULL, .loop_ms = 0},
};

double truth_uniform(struct truth *truth)
{
	uint64_t z = truth->random += UINT64_C(0x9E3779B97F4A7C15); /* SplitMix64 */

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

double truth_log_uniform(struct truth *truth, const double range[2])
{
	return range[0] * pow(range[1] / range[0], truth_uniform(truth));
}

double truth_normal(struct truth *truth)
{
	double radius = sqrt(-2 * log(1 - truth_uniform(truth)));

	return radius * cos(2 * M_PI * truth_uniform(truth));
}

/* ---- what runs ---- */

static void make_classes(struct truth *truth)
{
	const struct truth_options *options = &truth->options;
	const double lengths[2] = {1e3 * options->shortest_us, 1e3 * options->longest_us};

	truth->classes = calloc(options->classes, sizeof(*truth->classes));
	for (unsigned i = 0; i < options->classes; i++) {
		struct truth_class *class = &truth->classes[i];
		double level;

		class->copy = i >= options->classes - options->copies;
		snprintf(class->name, sizeof(class->name), "%s%03u", class->copy ? "copy" : "k", i);
		class->duration_ns = truth_log_uniform(truth, lengths);
		level = options->rise * log(class->duration_ns / lengths[0]) /
				log(lengths[1] / lengths[0]) +
			(1 - options->rise) * truth_uniform(truth);
		class->dynamic_w = 150 + 550 * level - options->static_w;
		class->variation = options->variation;
	}
}

/* Lets the classes differ from those of other runs, and goes on with other random numbers. */
static void make_run(struct truth *truth)
{
	const struct truth_options *options = &truth->options;

	truth->random += options->run * UINT64_C(0xA0761D6478BD642F);
	for (unsigned i = 0; i < options->classes && options->differs > 0; i++)
		truth->classes[i].dynamic_w *=
			fmax(1 + options->differs * truth_normal(truth), 0.1);
	truth->classes[0].dynamic_w *= 1 - options->zeros;
}

/* Moves the clock's speed on to until_ns, up to when the device has drawn power_w: the speed
 * follows the ratio of the limit to the mean power. */
static void update_clock(struct truth *truth, double power_w, double until_ns)
{
	const double limit_w = truth->options.scenario->limit_w;
	struct truth_clock *clock = &truth->clock;
	double part = -expm1(-(until_ns - clock->now_ns) / LIMIT_NS);

	clock->mean_w += part * (power_w - clock->mean_w);
	clock->speed += part * (limit_w / clock->mean_w - 1);
	clock->speed = fmin(fmax(clock->speed, SLOWEST), 1);
	clock->now_ns = until_ns;
}

/* The random deviation of one execution from its class.  In a loop the same sequence runs each
 * time, but its executions vary, so the deviations come from a second sequence of random numbers.
 */
static void vary(
	struct truth *truth, const struct truth_class *class, double *length_ns, double *dynamic_w)
{
	const struct truth_scenario *scenario = truth->options.scenario;
	bool own = scenario->loop_ms > 0 && !scenario->replicates;
	uint64_t sequence = truth->random;

	if (own)
		truth->random = truth->variation_random;
	*length_ns *= 1 + 0.01 * truth_normal(truth);
	*dynamic_w *= 1 + class->variation * truth_normal(truth);
	if (own) {
		truth->variation_random = truth->random;
		truth->random = sequence;
	}
}

/* What its number in a run makes of an execution: it warms up as FinGraV saw it, by time constants
 * in executions. */
static void warm_up(const struct truth *truth, double *length_ns, double *dynamic_w)
{
	const struct truth_scenario *scenario = truth->options.scenario;
	double number = truth->number;

	*length_ns *= 1 + scenario->slow * exp(-number);
	*dynamic_w *= 1 + scenario->overshoot * exp(-number / OVERSHOOT_FADES) -
		      scenario->sag * exp(-number / SAG_FADES);
}

static double launch(struct truth *truth, unsigned class_index, unsigned stream, double now_ns)
{
	const struct truth_class *class = &truth->classes[class_index];
	double length_ns = class->duration_ns, dynamic_w = class->dynamic_w;
	double speed = 1;
	size_t count = truth->execution_count;
	struct truth_execution execution;

	vary(truth, class, &length_ns, &dynamic_w);
	warm_up(truth, &length_ns, &dynamic_w);
	if (truth->options.scenario->limit_w > 0) {
		bool memory_bound = truth->options.scenario->memory_bound && class_index % 2;

		update_clock(truth, truth->options.static_w, now_ns);
		speed = truth->clock.speed;
		length_ns /= memory_bound ? 1 : speed;
		dynamic_w *= pow(speed, memory_bound ? MEMORY_BOUND_BY_SPEED : POWER_BY_SPEED);
		update_clock(truth, truth->options.static_w + dynamic_w, now_ns + length_ns);
	}
	execution = (struct truth_execution){round(now_ns), round(now_ns + fmax(length_ns, 500)),
		class_index, stream, dynamic_w, speed, truth->number, false};

	if ((count & (count - 1)) == 0)
		truth->executions =
			realloc(truth->executions, (count ? 2 * count : 1) * sizeof(execution));
	truth->executions[truth->execution_count++] = execution;
	return execution.end_ns + GAP_NS;
}

/* Draws the class that runs next.  A phase uses a third of the classes. */
static unsigned draw_class(struct truth *truth, double now_ns)
{
	const struct truth_options *options = &truth->options;
	unsigned class_index = (unsigned)(truth_uniform(truth) * options->classes);

	if (options->scenario->phase_ms > 0) {
		unsigned phase =
			(unsigned)(now_ns / (options->scenario->phase_ms * NS_PER_MS)) * 7919;
		unsigned part = options->classes / 3 + 1;

		class_index = (phase + class_index % part) % options->classes;
	}
	return class_index == 1 && options->scenario->pairs ? 0 : class_index;
}

static double dwell(
	struct truth *truth, unsigned class_index, unsigned stream, double now_ns, double until_ns)
{
	bool pair = truth->options.scenario->pairs && class_index == 0;

	for (; truth->number < truth->options.scenario->run; truth->number++)
		now_ns = launch(truth, class_index, stream, now_ns);
	if (truth->number) {
		truth->number = 0;
		return now_ns;
	}
	do {
		now_ns = launch(truth, class_index, stream, now_ns);
		if (pair)
			now_ns = launch(truth, 1, stream, now_ns);
	} while (now_ns < until_ns);
	return now_ns;
}

static void run_stream(struct truth *truth, unsigned stream)
{
	const struct truth_scenario *scenario = truth->options.scenario;
	double now_ns = PAUSE_NS, end_ns = truth->end_ns - PAUSE_NS, loop_end_ns = 0;
	uint64_t loop_random = truth->random;
	unsigned turn = 0;

	while (now_ns < end_ns) {
		unsigned class_index;
		double length_ns;

		if (scenario->loop_ms > 0 && now_ns >= loop_end_ns) {
			truth->random = loop_random;
			loop_end_ns = now_ns + scenario->loop_ms * NS_PER_MS;
		}
		class_index = draw_class(truth, now_ns);
		length_ns = truth_log_uniform(truth, scenario->dwell_ms) * NS_PER_MS;
		if (scenario->in_turns && (class_index = turn++) >= truth->options.classes)
			break;
		now_ns = dwell(truth, class_index, stream, now_ns, now_ns + length_ns);
		if (scenario->idle_part > 0 && truth_uniform(truth) < scenario->idle_part)
			now_ns += truth_log_uniform(truth, scenario->idle_ms) * NS_PER_MS;
	}
}

/* A batch of repetitions.  Returns when it has ended. */
static double repeat(struct truth *truth, unsigned class_index, double begin_ns)
{
	double part = truth->options.replay_part, now_ns = begin_ns;

	if (!(part > 0))
		return dwell(truth, class_index, 0, begin_ns, begin_ns + BATCH_NS);
	while (now_ns < begin_ns + BATCH_NS)
		now_ns += (launch(truth, class_index, 0, now_ns) - now_ns) / part;
	return now_ns;
}

/* Replays each kernel alone, as record --replay does, after all that ran. */
static void make_replays(struct truth *truth)
{
	unsigned kernels = truth->options.classes - truth->options.copies;
	double now_ns = 0;

	for (size_t i = 0; i < truth->execution_count; i++)
		now_ns = fmax(now_ns, truth->executions[i].end_ns);
	truth->replays = calloc(kernels, sizeof(*truth->replays));
	for (unsigned i = 0; i < kernels; i++) {
		struct truth_replay *replay = &truth->replays[truth->replay_count++];
		double length_ns = truth->options.replay_s * NS_PER_S;
		size_t first = truth->execution_count;
		double draws = 1 - truth->options.replay_less;

		now_ns += BEFORE_REPLAY_NS;
		*replay = (struct truth_replay){.begin_ns = now_ns, .class_index = i};
		while (now_ns - replay->begin_ns < length_ns) {
			bool pauses =
				fabs(now_ns - replay->begin_ns - length_ns / 2) < length_ns / 4;

			now_ns = repeat(truth, i, now_ns);
			now_ns += pauses ? BATCH_NS : 0;
		}
		if (truth->options.replay_differs > 0)
			draws += truth->options.replay_differs * truth_normal(truth);
		if (truth->options.replay_off_w > 0)
			replay->off_w = truth->options.replay_off_w * truth_normal(truth);
		for (size_t k = first; k < truth->execution_count; k++) {
			truth->executions[k].replayed = true;
			truth->executions[k].dynamic_w *= draws;
		}
		replay->executions = truth->execution_count - first;
		replay->end_ns = truth->executions[truth->execution_count - 1].end_ns;
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct truth_execution *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Makes power depend on the past: less after an idle stretch (cold), and drawn towards the power of
 * what ran just before (memory).  Both effects decay while work goes on, and the memory while
 * nothing runs, too, as was measured on an H100. */
static void make_history(struct truth *truth)
{
	const struct truth_scenario *scenario = truth->options.scenario;
	double warmth = 0, before_w = 0, end_ns = 0;

	for (size_t i = 0; i < truth->execution_count; i++) {
		struct truth_execution *execution = &truth->executions[i];
		double length_ns = execution->end_ns - execution->begin_ns, own_w;
		double gap_ns = fmax(0, execution->begin_ns - end_ns);

		warmth *= exp(-gap_ns / WARM_NS);
		before_w *= exp(-gap_ns / MEMORY_NS);
		own_w = execution->dynamic_w;
		if (scenario->cold > 0)
			execution->dynamic_w *= scenario->cold + (1 - scenario->cold) * warmth;
		execution->dynamic_w += scenario->memory * (before_w - own_w);
		execution->dynamic_w = fmax(0, execution->dynamic_w);
		warmth = 1 - (1 - warmth) * exp(-length_ns / WARM_NS);
		before_w = own_w + (before_w - own_w) * exp(-length_ns / MEMORY_NS);
		end_ns = execution->end_ns;
	}
}

/* ---- the whole ---- */

struct truth *truth_make(const struct truth_options *options)
{
	struct truth *truth = calloc(1, sizeof(*truth));
	unsigned streams = options->scenario->streams ? options->scenario->streams : 1;

	truth->options = *options;
	truth->random = options->seed * UINT64_C(0xD1342543DE82EF95) + 1;
	truth->variation_random = ~truth->random;
	truth->end_ns = options->seconds * NS_PER_S;
	truth->clock = (struct truth_clock){.mean_w = options->static_w, .speed = 1};
	make_classes(truth);
	make_run(truth);
	for (unsigned i = 0; i < streams; i++)
		run_stream(truth, i);
	if (options->replay_s > 0)
		make_replays(truth);
	qsort(truth->executions, truth->execution_count, sizeof(*truth->executions), by_begin);
	make_history(truth);
	for (size_t i = 0; i < truth->execution_count; i++) {
		const struct truth_execution *execution = &truth->executions[i];
		struct truth_class *class = &truth->classes[execution->class_index];

		truth->end_ns = fmax(truth->end_ns, execution->end_ns + PAUSE_NS);
		if (execution->replayed)
			continue;
		class->executions++;
		class->time_s += (execution->end_ns - execution->begin_ns) / NS_PER_S;
	}
	truth_set_power(truth);
	return truth;
}

double truth_speed_at(const struct truth *truth, double time_ns)
{
	size_t first = 0, end = truth->execution_count; /* of those that begin after time_ns */

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (truth->executions[middle].begin_ns > time_ns)
			end = middle;
		else
			first = middle + 1;
	}
	if (first && truth->options.scenario->asleep > 0 &&
		time_ns > truth->executions[first - 1].end_ns + TRUTH_SLEEPS_AFTER_NS)
		return ASLEEP_SPEED;
	return first ? truth->executions[first - 1].speed : 1;
}

void truth_free(struct truth *truth)
{
	free(truth->classes);
	free(truth->executions);
	free(truth->replays);
	free(truth->edge_ns);
	free(truth->energy_j);
	free(truth->power_w);
	free(truth);
}
