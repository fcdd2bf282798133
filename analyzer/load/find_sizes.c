/* SPDX-License-Identifier: MIT */
#include "analyzer/load/find_sizes.h"

#include <math.h>

#include "analyzer/load/find_replays.h"
#include "analyzer/model/id_map.h"
#include "analyzer/numeric/modes.h"
#include "analyzer/numeric/order.h"
#include "analyzer/numeric/random_sample.h"

#define GAP 1.12        /* clock rates change durations by less at once */
#define LEAST_PART 0.05 /* of a kernel's executions: fewer are no size of their own */
#define LEAST 20        /* executions of each size */
#define SAMPLE_MAX 2000 /* of a kernel: gaps that wide show */
#define SIZES_MAX 8

struct kernel_sizes {
	struct random_sample lengths_ns; /* of the program's executions */
	double cut_ns[SIZES_MAX - 1];    /* between two sizes */
	double median_ns[SIZES_MAX];
	size_t cuts;
	bool no_cut[SIZES_MAX - 1]; /* a replay has the sizes on both sides of the cut */
};

/* Numbers of a sorted sample: from index first on, up to last, which is not among them. */
struct range {
	guint first, last;
};

/* What one replay, or a part of it, has repeated. */
struct repetitions {
	struct random_sample lengths_ns;
	uint32_t number; /* of the kernel; 0: it has one size, or nothing was repeated */
	uint32_t size;
};

struct size_job {
	struct model *model;
	struct id_map *numbers; /* of kernels: their index in list + 1 */
	GArray *list;           /* struct kernel_sizes */
	GRand *random;
	uint32_t *of_origin;             /* index in list + 1; 0: it has none */
	struct repetitions *repetitions; /* by replay */
};

static struct kernel_sizes *sizes_at(const struct size_job *job, guint i)
{
	return &g_array_index(job->list, struct kernel_sizes, i);
}

/* Finds the kernel of each origin. */
static void set_kernels(struct size_job *job)
{
	const GArray *origins = job->model->origins->list;

	job->of_origin = g_new0(uint32_t, origins->len + 1);
	for (guint i = 0; i < origins->len; i++) {
		const struct model_origin *origin = &g_array_index(origins, struct model_origin, i);
		const struct id_key key = {.id = origin->kernel, .process = origin->process};
		uint32_t *number;

		/* The size of a collective is known, and its time depends on other ranks. */
		if (!origin_is_kernel(origin) || origin->collective)
			continue;
		number = id_map_at(job->numbers, &key);
		if (!*number) {
			struct kernel_sizes sizes = {.lengths_ns = random_sample_new()};

			g_array_append_val(job->list, sizes);
			*number = job->list->len;
		}
		job->of_origin[i] = *number;
	}
}

static void take_samples(const struct size_job *job)
{
	for (guint i = 0; i < job->model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(job->model, i);
		uint64_t duration_ns = execution->end_ns - execution->begin_ns;
		uint32_t number = job->of_origin[execution->origin];

		if (number && duration_ns &&
			model_origin_of(job->model, execution)->replayed == MODEL_OF_PROGRAM)
			random_sample_add(&sizes_at(job, number - 1)->lengths_ns,
				(double)duration_ns, SAMPLE_MAX, job->random);
	}
}

/* Returns whether any kernel has several sizes. */
static bool find_cuts(const struct size_job *job)
{
	bool any = false;

	for (guint i = 0; i < job->list->len; i++) {
		struct kernel_sizes *sizes = sizes_at(job, i);
		guint count = sizes->lengths_ns.values->len;
		size_t least = MAX((size_t)(LEAST_PART * count), LEAST);

		g_array_sort(sizes->lengths_ns.values, order_doubles);
		sizes->cuts = modes_cut(random_sample_values(&sizes->lengths_ns), count, GAP, least,
			sizes->cut_ns, G_N_ELEMENTS(sizes->cut_ns));
		any |= sizes->cuts > 0;
	}
	return any;
}

static uint32_t size_by_time(
	const struct kernel_sizes *sizes, const struct model_execution *execution)
{
	double length_ns = (double)(execution->end_ns - execution->begin_ns);
	uint32_t size = 0;

	while (size < sizes->cuts && length_ns > sizes->cut_ns[size])
		size++;
	return size;
}

/* Returns the index of the replay that an execution is of; MODEL_NONE: it is the program's. */
static guint replay_of(const struct model *model, const struct model_execution *execution)
{
	const struct model_origin *origin = model_origin_of(model, execution);

	return origin->replayed == MODEL_OF_PROGRAM
		       ? MODEL_NONE
		       : replay_running(model, origin->process, model_launched_ns(execution));
}

static const struct model_replay *replay_at(const struct size_job *job, guint i)
{
	return &g_array_index(job->model->replays, struct model_replay, i);
}

static void take_repetition(
	const struct size_job *job, guint replay, uint32_t number, uint64_t duration_ns)
{
	struct repetitions *repetitions = &job->repetitions[replay];

	if (!repetitions->number) {
		repetitions->number = number;
		repetitions->lengths_ns = random_sample_new();
	}
	random_sample_add(&repetitions->lengths_ns, (double)duration_ns, SAMPLE_MAX, job->random);
}

/* Of kernels of several sizes. */
static void take_repetitions(const struct size_job *job)
{
	for (guint i = 0; i < job->model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(job->model, i);
		uint64_t duration_ns = execution->end_ns - execution->begin_ns;
		uint32_t number = job->of_origin[execution->origin];
		struct kernel_sizes *sizes = number ? sizes_at(job, number - 1) : NULL;
		guint replay = sizes && sizes->cuts ? replay_of(job->model, execution) : MODEL_NONE;

		if (replay != MODEL_NONE && duration_ns)
			take_repetition(job, replay, number, duration_ns);
	}
	for (guint i = 0; i < job->model->replays->len; i++)
		if (job->repetitions[i].number)
			g_array_sort(job->repetitions[i].lengths_ns.values, order_doubles);
}

static struct range range_of_size(
	const struct kernel_sizes *sizes, const struct random_sample *sample, size_t size)
{
	const double *lengths_ns = random_sample_values(sample);
	guint count = sample->values->len;
	struct range range = {0, 0};

	while (size && range.first < count && lengths_ns[range.first] <= sizes->cut_ns[size - 1])
		range.first++;
	range.last = range.first;
	while (range.last < count &&
		(size == sizes->cuts || lengths_ns[range.last] <= sizes->cut_ns[size]))
		range.last++;
	return range;
}

static double median_ns(const struct random_sample *sample, struct range range)
{
	return random_sample_values(sample)[range.first + (range.last - range.first) / 2];
}

static void find_medians(const struct size_job *job)
{
	for (guint i = 0; i < job->list->len; i++) {
		struct kernel_sizes *sizes = sizes_at(job, i);

		for (size_t size = 0; sizes->cuts && size <= sizes->cuts; size++)
			sizes->median_ns[size] = median_ns(
				&sizes->lengths_ns, range_of_size(sizes, &sizes->lengths_ns, size));
	}
}

/* Whether more than LEAST_PART of the repetitions are of a size, and take as long as it does. */
static bool have_size(
	const struct random_sample *repeated, const struct kernel_sizes *sizes, size_t size)
{
	struct range range = range_of_size(sizes, repeated, size);

	return range.last - range.first > LEAST_PART * repeated->values->len &&
	       fabs(log(median_ns(repeated, range) / sizes->median_ns[size])) < log(GAP);
}

/* Two sizes of which a mixed replay (find_replays.h) has both are one: its durations differ by the
 * cache. */
static void find_joined(const struct size_job *job)
{
	for (guint i = 0; i < job->model->replays->len; i++) {
		const struct repetitions *repetitions = &job->repetitions[i];
		struct kernel_sizes *sizes;

		if (!repetitions->number || !replay_is_mixed(replay_at(job, i)))
			continue;
		sizes = sizes_at(job, repetitions->number - 1);
		for (size_t cut = 0; cut < sizes->cuts; cut++)
			sizes->no_cut[cut] |= have_size(&repetitions->lengths_ns, sizes, cut) &&
					      have_size(&repetitions->lengths_ns, sizes, cut + 1);
	}
}

static void join_sizes(struct kernel_sizes *sizes)
{
	size_t cuts = 0;

	for (size_t i = 0; i < sizes->cuts; i++)
		if (!sizes->no_cut[i])
			sizes->cut_ns[cuts++] = sizes->cut_ns[i];
	sizes->cuts = cuts;
}

static bool is_any_replayed(const struct model *model)
{
	for (guint i = 0; i < model->origins->list->len; i++)
		if (g_array_index(model->origins->list, struct model_origin, i).replayed !=
			MODEL_OF_PROGRAM)
			return true;
	return false;
}

static void join_all(const struct size_job *job)
{
	find_medians(job);
	find_joined(job);
	for (guint i = 0; i < job->list->len; i++)
		join_sizes(sizes_at(job, i));
	find_medians(job);
}

/* ---- of which size a replay is: all of its repetitions are of one launch ---- */

/* By how much a size is off from the range of times that the parts of a replay take; where the
 * program's executions find some of their data in the cache, they lie between those of a part with
 * a warm cache and one with a cold one. */
static double log_distance(double size_ns, double low_ns, double high_ns)
{
	return MAX(0, log(MAX(low_ns / size_ns, size_ns / high_ns)));
}

static uint32_t nearest_size(const struct kernel_sizes *sizes, double low_ns, double high_ns)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i <= sizes->cuts; i++)
		if (log_distance(sizes->median_ns[i], low_ns, high_ns) <
			log_distance(sizes->median_ns[best], low_ns, high_ns))
			best = i;
	return best;
}

/* Whether replay i goes on with what the one before it has repeated, as another part of it. */
static bool is_next_part(const struct size_job *job, guint i)
{
	const struct model_replay *replay = replay_at(job, i), *before = replay_at(job, i - 1);

	return replay->process == before->process && replay->kernel == before->kernel &&
	       replay->span.begin_ns == before->span.end_ns;
}

/* Finds the size of replays from first on, up to last, which are parts of one. */
static void find_size_of_parts(const struct size_job *job, guint first, guint last)
{
	double low_ns = INFINITY, high_ns = 0;
	uint32_t number = 0, size;

	for (guint i = first; i < last; i++) {
		struct repetitions *part = &job->repetitions[i];
		double middle_ns;

		if (!part->number)
			continue;
		number = part->number;
		middle_ns = median_ns(
			&part->lengths_ns, (struct range){0, part->lengths_ns.values->len});
		low_ns = MIN(low_ns, middle_ns);
		high_ns = MAX(high_ns, middle_ns);
	}
	size = number ? nearest_size(sizes_at(job, number - 1), low_ns, high_ns) : 0;
	for (guint i = first; i < last; i++)
		job->repetitions[i].size = size;
}

static void find_sizes_of_replays(const struct size_job *job)
{
	guint count = job->model->replays->len;

	for (guint first = 0, last = 1; first < count; first = last++) {
		while (last < count && is_next_part(job, last))
			last++;
		find_size_of_parts(job, first, last);
	}
}

/* ---- the sizes of all ---- */

static uint32_t size_of(const struct size_job *job, const struct kernel_sizes *sizes,
	const struct model_execution *execution)
{
	guint replay = job->repetitions ? replay_of(job->model, execution) : MODEL_NONE;

	return replay == MODEL_NONE ? size_by_time(sizes, execution)
				    : job->repetitions[replay].size;
}

static void set_sizes(const struct size_job *job)
{
	for (guint i = 0; i < job->model->executions->len; i++) {
		struct model_execution *execution = mapped_array_at(job->model->executions, i);
		uint32_t number = job->of_origin[execution->origin];
		struct model_origin origin;

		if (!number || !sizes_at(job, number - 1)->cuts)
			continue;
		origin = *model_origin_of(job->model, execution);
		origin.size = size_of(job, sizes_at(job, number - 1), execution);
		if (origin.size)
			execution->origin = origins_number(job->model->origins, &origin);
	}
}

void find_sizes(struct model *model)
{
	struct size_job job = {.model = model,
		.numbers = id_map_new(),
		.list = g_array_new(FALSE, FALSE, sizeof(struct kernel_sizes)),
		.random = g_rand_new_with_seed(1)};

	set_kernels(&job);
	take_samples(&job);
	if (find_cuts(&job)) {
		if (is_any_replayed(model)) {
			job.repetitions = g_new0(struct repetitions, model->replays->len + 1);
			take_repetitions(&job);
			join_all(&job);
			find_sizes_of_replays(&job);
		}
		set_sizes(&job);
	}
	for (guint i = 0; i < job.list->len; i++)
		random_sample_free(&sizes_at(&job, i)->lengths_ns);
	for (guint i = 0; job.repetitions && i < model->replays->len; i++)
		random_sample_free(&job.repetitions[i].lengths_ns);
	g_free(job.repetitions);
	g_array_free(job.list, TRUE);
	id_map_free(job.numbers);
	g_free(job.of_origin);
	g_rand_free(job.random);
}
