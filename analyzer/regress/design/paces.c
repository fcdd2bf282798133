/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/paces.h"

#include <math.h>

#include "analyzer/model/state.h"
#include "analyzer/numeric/order.h"

#define SAMPLE_MAX 501  /* executions: enough for a median, and for a mean of clocks */
#define CLOCKS_OFF 0.25 /* of a difference of clocks: they are sampled a few times a second */
/* The part of a difference that the clock does not explain in which the kernel waits; and up to
 * which difference, as a part of the duration: beyond it the kernel does other work. */
#define WAITS 0.5
#define WAITS_MOST 0.05

/* Some executions of a class, by the program; or of an origin, by a replay. */
struct pace_sample {
	guint executions, seen; /* seen: while the sample is taken */
	double sum_ns;          /* of the durations of all executions */
	GArray *lengths_ns;     /* double */
	struct state_sums states;
};

struct pace_job {
	const struct model *model;
	const struct classes *classes;
	struct pace_sample *own, *replayed; /* by class; by origin */
};

static struct pace_sample *sample_of(
	const struct pace_job *job, uint32_t origin, uint32_t class_index)
{
	const struct model_origin *of =
		&g_array_index(job->model->origins->list, struct model_origin, origin);

	return of->replayed == MODEL_OF_PROGRAM ? &job->own[class_index] : &job->replayed[origin];
}

static double length_of(const struct model_execution *execution)
{
	return (double)(execution->end_ns - execution->begin_ns);
}

static void count(struct pace_sample *sample, const struct model_execution *execution)
{
	sample->executions++;
	sample->sum_ns += length_of(execution);
}

static void take(struct pace_sample *sample, const struct states *states, const struct model *model,
	const struct model_execution *execution)
{
	double length_ns = length_of(execution);

	if (sample->seen++ % (sample->executions / SAMPLE_MAX + 1))
		return;
	if (!sample->lengths_ns)
		sample->lengths_ns = g_array_new(FALSE, FALSE, sizeof(double));
	g_array_append_val(sample->lengths_ns, length_ns);
	states_add(states, &sample->states, model_gpu_of(model, execution), execution->begin_ns,
		execution->end_ns);
}

/* Counts the executions of each sample, then takes them. */
static void take_all(const struct pace_job *job)
{
	struct states *states = states_of(job->model);

	for (int taking = 0; taking <= 1; taking++)
		for (guint i = 0; i < job->model->executions->len; i++) {
			const struct model_execution *execution = model_execution_at(job->model, i);
			uint32_t class_index = classes_find(job->classes, execution);
			struct pace_sample *sample;

			if (class_index == CLASSES_NONE)
				continue;
			sample = sample_of(job, execution->origin, class_index);
			if (taking)
				take(sample, states, job->model, execution);
			else
				count(sample, execution);
		}
	states_free(states);
}

/* A quantile of the durations of a sample, which are sorted. */
static double quantile_ns(const struct pace_sample *sample, double part)
{
	return g_array_index(
		sample->lengths_ns, double, (guint)(part * (sample->lengths_ns->len - 1)));
}

/* What is left of the logarithm of a ratio of durations without what clocks explain. */
static double unexplained(double log_longer, double log_slower)
{
	double off = CLOCKS_OFF * fabs(log_slower);

	return log_longer - CLAMP(log_longer, MIN(log_slower, 0) - off, MAX(log_slower, 0) + off);
}

/* Of all executions: a sample of those that find a cold cache and a warm one in turn may have only
 * the former. */
static double mean_ns(const struct pace_sample *sample)
{
	return sample->sum_ns / sample->executions;
}

/* The program's duration by a replay's.  mixed: of which the means alone are alike. */
static double ratio(const struct pace_sample *own, const struct pace_sample *replayed, bool mixed)
{
	double own_mhz = state_clock_mhz(&own->states), mhz = state_clock_mhz(&replayed->states);
	double own_ns = mixed ? mean_ns(own) : quantile_ns(own, 0.5);
	double length_ns = mixed ? mean_ns(replayed) : quantile_ns(replayed, 0.5);
	bool known = own_mhz > 0 && mhz > 0 && own_ns > 0 && length_ns > 0;

	return known ? exp(-unexplained(log(length_ns / own_ns), log(own_mhz / mhz))) : 1;
}

static double spread(const struct pace_sample *sample)
{
	return log(quantile_ns(sample, 5. / 6) / MAX(quantile_ns(sample, 1. / 6), 1)) / 2;
}

static void sort(struct pace_sample *samples, guint count)
{
	for (guint i = 0; i < count; i++)
		if (samples[i].lengths_ns)
			g_array_sort(samples[i].lengths_ns, order_doubles);
}

static void clear(struct pace_sample *samples, guint count)
{
	for (guint i = 0; i < count; i++)
		if (samples[i].lengths_ns)
			g_array_free(samples[i].lengths_ns, TRUE);
	g_free(samples);
}

void paces_find(const struct model *model, struct classes *classes)
{
	guint origins = model->origins->list->len;
	struct pace_job job = {.model = model, .classes = classes};

	if (!classes->replayed)
		return;
	job.own = g_new0(struct pace_sample, classes->list->len + 1);
	job.replayed = g_new0(struct pace_sample, origins + 1);
	take_all(&job);
	sort(job.own, classes->list->len);
	sort(job.replayed, origins);
	classes->paces = g_new0(struct pace, origins + 1);
	classes->columns.part_of_origin = g_new(float, origins + 1);
	for (guint i = 0; i < origins; i++) {
		const struct pace_sample *replayed = &job.replayed[i];
		uint32_t class_index = classes->of_origin[i];
		const struct pace_sample *own =
			class_index == CLASSES_NONE ? NULL : &job.own[class_index];
		const struct model_origin *origin =
			&g_array_index(model->origins->list, struct model_origin, i);
		bool both = own && own->lengths_ns && replayed->lengths_ns;
		double log_ratio =
			both ? log(ratio(own, replayed, origin->replayed == MODEL_REPLAYED_MIXED))
			     : 0;

		classes->paces[i].ratio = exp(log_ratio);
		if (both)
			classes->paces[i].spread =
				sqrt(MAX(pow(spread(own), 2) - pow(spread(replayed), 2), 0));
		classes->columns.part_of_origin[i] =
			(float)exp(WAITS * CLAMP(log_ratio, -WAITS_MOST, WAITS_MOST));
	}
	clear(job.own, classes->list->len);
	clear(job.replayed, origins);
}
