/* SPDX-License-Identifier: MIT */
#include "analyzer/load/find_sizes.h"

#include <math.h>

#include "analyzer/load/find_replays.h"
#include "analyzer/model/id_map.h"
#include "analyzer/numeric/modes.h"
#include "analyzer/numeric/order.h"

#define GAP 1.12        /* clock rates change durations by less at once */
#define LEAST_PART 0.05 /* of a kernel's executions: fewer are no size of their own */
#define LEAST 20        /* executions of each size */
#define SAMPLE_MAX 2000 /* of a kernel: gaps that wide show */
#define SIZES_MAX 8

struct kernel_sizes {
	GArray *sample_ns; /* double: durations, one of each `stride` executions, chosen at random
			    */
	uint64_t seen, stride, next;
	/* Between two sizes: in the gap; and between the medians, for replays, which take another
	 * time than the program's executions of their size, by the cache. */
	double cut_ns[SIZES_MAX - 1], between_ns[SIZES_MAX - 1];
	size_t cuts;
	/* How many executions of mixed replays (find_replays.h) are of each size. */
	guint mixed[SIZES_MAX];
};

struct size_job {
	struct model *model;
	struct id_map *numbers; /* of kernels: their index in list + 1 */
	GArray *list;           /* struct kernel_sizes */
	GRand *random;
	uint32_t *of_origin; /* index in list + 1; 0: it has none */
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
			struct kernel_sizes sizes = {.stride = 1};

			sizes.sample_ns = g_array_new(FALSE, FALSE, sizeof(double));
			g_array_append_val(job->list, sizes);
			*number = job->list->len;
		}
		job->of_origin[i] = *number;
	}
}

/* Keeps one of each pair, at random: a program repeats itself, so that every other execution might
 * be of the same size. */
static void thin_out(struct kernel_sizes *sizes, GRand *random)
{
	double *sample_ns = (double *)(void *)sizes->sample_ns->data;

	for (guint i = 0; 2 * i + 1 < sizes->sample_ns->len; i++)
		sample_ns[i] = sample_ns[2 * i + (g_rand_int(random) & 1)];
	g_array_set_size(sizes->sample_ns, sizes->sample_ns->len / 2);
	sizes->stride *= 2;
}

static void take(struct kernel_sizes *sizes, uint64_t duration_ns, GRand *random)
{
	double length_ns = (double)duration_ns;
	uint64_t at = sizes->seen++;

	if (at % sizes->stride == 0)
		sizes->next = at + g_rand_int(random) % sizes->stride;
	if (at != sizes->next)
		return;
	g_array_append_val(sizes->sample_ns, length_ns);
	if (sizes->sample_ns->len == SAMPLE_MAX)
		thin_out(sizes, random);
}

static void take_samples(const struct size_job *job)
{
	for (guint i = 0; i < job->model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(job->model, i);
		uint64_t duration_ns = execution->end_ns - execution->begin_ns;
		uint32_t number = job->of_origin[execution->origin];

		if (number && duration_ns &&
			model_origin_of(job->model, execution)->replayed == MODEL_OF_PROGRAM)
			take(sizes_at(job, number - 1), duration_ns, job->random);
	}
}

/* Returns the median of sorted numbers from first on, up to last. */
static double median_of(const double *sorted, size_t first, size_t last)
{
	return sorted[first + (last - first) / 2];
}

static void find_between(struct kernel_sizes *sizes)
{
	const double *sorted = (const double *)(void *)sizes->sample_ns->data;
	size_t first = 0, last = 0;
	double median_ns = 0;

	for (size_t i = 0; i <= sizes->cuts; i++) {
		double before_ns = median_ns;

		while (last < sizes->sample_ns->len &&
			(i == sizes->cuts || sorted[last] < sizes->cut_ns[i]))
			last++;
		median_ns = median_of(sorted, first, last);
		if (i)
			sizes->between_ns[i - 1] = sqrt(before_ns * median_ns);
		first = last;
	}
}

/* Returns whether any kernel has several sizes. */
static bool find_cuts(const struct size_job *job)
{
	bool any = false;

	for (guint i = 0; i < job->list->len; i++) {
		struct kernel_sizes *sizes = sizes_at(job, i);
		guint count = sizes->sample_ns->len;
		size_t least = MAX((size_t)(LEAST_PART * count), LEAST);

		g_array_sort(sizes->sample_ns, order_doubles);
		sizes->cuts = modes_cut((const double *)(void *)sizes->sample_ns->data, count, GAP,
			least, sizes->cut_ns, G_N_ELEMENTS(sizes->cut_ns));
		if (sizes->cuts)
			find_between(sizes);
		any |= sizes->cuts > 0;
	}
	return any;
}

static uint32_t size_of(const struct model *model, const struct kernel_sizes *sizes,
	const struct model_execution *execution)
{
	bool own = model_origin_of(model, execution)->replayed == MODEL_OF_PROGRAM;
	const double *cut_ns = own ? sizes->cut_ns : sizes->between_ns;
	double length_ns = (double)(execution->end_ns - execution->begin_ns);
	uint32_t size = 0;

	while (size < sizes->cuts && length_ns > cut_ns[size])
		size++;
	return size;
}

/* Whether it is a part of a replay that finds a cold cache at times. */
static bool is_of_mixed_replay(const struct model *model, const struct model_execution *execution)
{
	const struct model_origin *origin = model_origin_of(model, execution);
	guint i;

	if (origin->replayed == MODEL_OF_PROGRAM)
		return false;
	i = replay_running(model, origin->process, model_launched_ns(execution));
	return i != MODEL_NONE &&
	       replay_is_mixed(&g_array_index(model->replays, struct model_replay, i));
}

/* Two sizes of which a mixed replay has both are one: its durations differ by the cache. */
static void join_sizes(struct kernel_sizes *sizes)
{
	size_t cuts = 0;
	guint all = 0;

	for (size_t i = 0; i <= sizes->cuts; i++)
		all += sizes->mixed[i];
	for (size_t i = 0; i < sizes->cuts; i++)
		if (sizes->mixed[i] <= LEAST_PART * all ||
			sizes->mixed[i + 1] <= LEAST_PART * all) {
			sizes->cut_ns[cuts] = sizes->cut_ns[i];
			sizes->between_ns[cuts++] = sizes->between_ns[i];
		}
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
	for (guint i = 0; i < job->model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(job->model, i);
		uint32_t number = job->of_origin[execution->origin];
		struct kernel_sizes *sizes = number ? sizes_at(job, number - 1) : NULL;

		if (sizes && sizes->cuts && is_of_mixed_replay(job->model, execution))
			sizes->mixed[size_of(job->model, sizes, execution)]++;
	}
	for (guint i = 0; i < job->list->len; i++)
		join_sizes(sizes_at(job, i));
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
		origin.size = size_of(job->model, sizes_at(job, number - 1), execution);
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
		if (is_any_replayed(model))
			join_all(&job);
		set_sizes(&job);
	}
	for (guint i = 0; i < job.list->len; i++)
		g_array_free(sizes_at(&job, i)->sample_ns, TRUE);
	g_array_free(job.list, TRUE);
	id_map_free(job.numbers);
	g_free(job.of_origin);
	g_rand_free(job.random);
}
