/* SPDX-License-Identifier: MIT */
/*
 * Equations (12a) and (12b) of README.md.  With x = log(base duration of the class / duration), an
 * execution of class k has
 *
 *	x = f_k c + noise of the deviation sigma_k
 *
 * where c is the logarithm of the clock in its bin.  The field c and the f, sigma and bases of the
 * classes are estimated in turn: c is a weighted mean over its neighbourhood, shrunk to 0 as its
 * own variance asks; f, sigma and base are a regression of each class on the field that the
 * executions before and after its own bins tell, so that no execution is explained by itself.
 */
#include "analyzer/regress/design/clock_field.h"

#include <math.h>
#include <string.h>

#include "analyzer/regress/design/clock_meter.h"
#include "analyzer/response/ablation.h"

#define BIN_NS 1e6          /* clocks of an H200 change within some milliseconds */
#define REACH_NS 2e6        /* over which the weight of a neighbour falls to 1/e */
#define BINS_MAX 1e6        /* of 52 bytes while a field is made; beyond, they are longer */
#define OBSERVED_MAX 500000 /* executions that classes are learnt from, in runs of OBSERVED_RUN */
#define OBSERVED_RUN 4096
#define TURNS 30       /* of two rounds each */
#define SETTLED 1e-3   /* no f and no log(base) changes by more in a round */
#define AHEAD_MOST 16. /* by so many rounds */
#define OTHER_WORK 0.5 /* |x|: does other work than its class mostly does */
#define AT_FIRST 0.05  /* deviation of the field and of durations, before they are known */

/* A weighted mean: what it adds up to, and its weight. */
struct weighted {
	double sum, weight;
};

struct clock_field {
	double begin_ns, bin_ns;
	gint64 bins;
	float *log_clock; /* by bin */
	double *follows;  /* by class */
};

/* What classes and the field are learnt from: an execution. */
struct observation {
	guint execution;
	uint32_t class_index;
	double log_ns;      /* log(duration) */
	gint32 first, last; /* the bins in which it ran */
};

/* While a field is made. */
struct field_job {
	const struct model *model;
	const struct classes *classes;
	struct clock_field *field;
	struct clock_meter *meters;      /* by class */
	struct weighted *told;           /* by bin: by the executions that ran in it */
	struct weighted *before, *after; /* by bin: by it and those before or after, fading */
	double variance;                 /* of the field */
	double left;                     /* of a neighbour's weight, one bin on */
	GArray *observations; /* struct observation: those that classes are learnt from */
};

static gint64 bin_of(const struct clock_field *field, double time_ns)
{
	double bin = floor((time_ns - field->begin_ns) / field->bin_ns);

	return (gint64)CLAMP(bin, 0, (double)field->bins - 1);
}

/* The part of an execution that a bin has; 1 of a bin that a longer one covers. */
static double part_in(
	const struct clock_field *field, const struct model_execution *execution, gint64 bin)
{
	double from_ns = field->begin_ns + (double)bin * field->bin_ns;
	double begin_ns = (double)execution->begin_ns, end_ns = (double)execution->end_ns;
	double both_ns = MIN(end_ns, from_ns + field->bin_ns) - MAX(begin_ns, from_ns);

	return MAX(both_ns, 0) / MIN(end_ns - begin_ns, field->bin_ns);
}

/* Sets the observation of an execution.  Returns false where it has no class. */
static bool observe(
	const struct field_job *job, guint execution_index, struct observation *observation)
{
	const struct model_execution *execution = model_execution_at(job->model, execution_index);
	uint32_t class_index = classes_find(job->classes, execution);

	if (class_index == CLASSES_NONE)
		return false;
	*observation = (struct observation){execution_index, class_index,
		log(classes_length_ns(job->classes, execution)),
		(gint32)bin_of(job->field, (double)execution->begin_ns),
		(gint32)bin_of(job->field, (double)execution->end_ns)};
	return true;
}

/* Observes one of each `stride` runs of executions. */
static void observe_some(struct field_job *job, guint stride)
{
	gsize count = job->model->executions->len;
	struct observation observation;

	for (gsize run = 0; run < count; run += (gsize)stride * OBSERVED_RUN)
		for (gsize i = run; i < MIN(run + OBSERVED_RUN, count); i++)
			if (observe(job, (guint)i, &observation))
				g_array_append_val(job->observations, observation);
}

/* Sets x.  Returns NULL where the execution does other work, else its class. */
static struct clock_meter *meter_of(
	const struct field_job *job, const struct observation *observation, double *x)
{
	struct clock_meter *meter = &job->meters[observation->class_index];

	*x = meter->log_base_ns - observation->log_ns;
	return fabs(*x) < OTHER_WORK ? meter : NULL;
}

/* Adds what an execution tells of its bins. */
static void tell(struct field_job *job, const struct observation *observation)
{
	const struct model_execution *execution =
		model_execution_at(job->model, observation->execution);
	double x;
	const struct clock_meter *meter = meter_of(job, observation, &x);

	if (!meter || !(meter->follows > 0))
		return;
	for (gint64 bin = observation->first; bin <= observation->last; bin++) {
		double weight =
			part_in(job->field, execution, bin) * meter->follows / meter->variance;

		job->told[bin].sum += weight * x;
		job->told[bin].weight += weight * meter->follows;
	}
}

static const struct observation *observation_at(const struct field_job *job, guint i)
{
	return &g_array_index(job->observations, struct observation, i);
}

static void forget_told(struct field_job *job)
{
	memset(job->told, 0, (gsize)job->field->bins * sizeof(*job->told));
}

/* Sets what the observed executions tell of each bin. */
static void tell_observed(struct field_job *job)
{
	forget_told(job);
	for (guint i = 0; i < job->observations->len; i++)
		tell(job, observation_at(job, i));
}

/* The same with all executions. */
static void tell_all(struct field_job *job)
{
	struct observation observation;

	forget_told(job);
	for (guint i = 0; i < job->model->executions->len; i++)
		if (observe(job, i, &observation))
			tell(job, &observation);
}

static void add_faded(struct weighted *to, const struct weighted *of, double left)
{
	to->sum += left * of->sum;
	to->weight += left * of->weight;
}

static void smooth(struct field_job *job)
{
	gint64 bins = job->field->bins;

	for (gint64 bin = 0; bin < bins; bin++) {
		job->before[bin] = job->told[bin];
		if (bin)
			add_faded(&job->before[bin], &job->before[bin - 1], job->left);
	}
	for (gint64 bin = bins - 1; bin >= 0; bin--) {
		job->after[bin] = job->told[bin];
		if (bin + 1 < bins)
			add_faded(&job->after[bin], &job->after[bin + 1], job->left);
	}
}

static double shrunk(const struct field_job *job, struct weighted of)
{
	return of.sum / (of.weight + 1 / job->variance);
}

/* Sets the field, whose mean over what tells it becomes 0, and its variance. */
static void set_field(struct field_job *job)
{
	double sum = 0, weight = 0, squares = 0;

	smooth(job);
	for (gint64 bin = 0; bin < job->field->bins; bin++) {
		struct weighted all = job->before[bin];

		add_faded(&all, &job->after[bin], 1);
		add_faded(&all, &job->told[bin], -1);
		job->field->log_clock[bin] = (float)shrunk(job, all);
		if (!(job->told[bin].weight > 0))
			continue;
		sum += job->field->log_clock[bin];
		squares +=
			pow(job->field->log_clock[bin], 2) + 1 / (all.weight + 1 / job->variance);
		weight++;
	}
	sum /= MAX(weight, 1);
	for (guint i = 0; i < job->classes->list->len; i++)
		job->meters[i].log_base_ns -= job->meters[i].follows * sum;
	job->variance = MAX(squares / MAX(weight, 1) - sum * sum, 1e-8);
}

/* The field at an execution, as those in other bins tell it. */
static double told_by_others(const struct field_job *job, const struct observation *observation)
{
	gint64 first = observation->first, last = observation->last;
	struct weighted all = {0};

	if (first > 0)
		add_faded(&all, &job->before[first - 1], job->left);
	if (last + 1 < job->field->bins)
		add_faded(&all, &job->after[last + 1], job->left);
	return shrunk(job, all);
}

static void add_up(struct field_job *job)
{
	for (guint i = 0; i < job->observations->len; i++) {
		const struct observation *observation = observation_at(job, i);
		double x, u = told_by_others(job, observation);
		struct clock_meter *meter = meter_of(job, observation, &x);

		if (meter)
			clock_meter_add(meter, x, u, observation->first);
	}
}

/* Learns the classes from the field.  A duration shrinks by no more than the clock rises: the class
 * that follows most does so inversely.  Returns whether any follows. */
static bool learn_meters(struct field_job *job)
{
	double most = 0;

	add_up(job);
	for (guint i = 0; i < job->classes->list->len; i++)
		most = fmax(most, clock_meter_regress(&job->meters[i]));
	for (guint i = 0; most > 0 && i < job->classes->list->len; i++)
		job->meters[i].follows /= most;
	return most > 0;
}

/* At first all classes count as meters, with their mean as the base. */
static void begin(struct field_job *job)
{
	for (guint i = 0; i < job->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(job->classes->list, struct kernel_class, i);

		job->meters[i] =
			clock_meter_of(MAX(class->time_ns, 1) / MAX((double)class->executions, 1),
				AT_FIRST * AT_FIRST);
	}
	job->variance = AT_FIRST * AT_FIRST;
}

/* By how much a round changes a class. */
struct meter_step {
	double log_base, follows;
};

/* A round from the field to the classes.  Sets steps, by class.  Returns false where no class tells
 * the clock. */
static bool go_round(struct field_job *job, struct meter_step *steps)
{
	guint classes = job->classes->list->len;

	for (guint i = 0; i < classes; i++)
		steps[i] =
			(struct meter_step){-job->meters[i].log_base_ns, -job->meters[i].follows};
	tell_observed(job);
	set_field(job);
	if (!learn_meters(job))
		return false;
	for (guint i = 0; i < classes; i++) {
		steps[i].log_base += job->meters[i].log_base_ns;
		steps[i].follows += job->meters[i].follows;
	}
	return true;
}

/* Moves the classes ahead, to where the last two rounds lead: where kernels run alone for long, a
 * round changes them little (Varadhan and Roland, "Simple and globally convergent methods for
 * accelerating the convergence of any EM algorithm", Scandinavian Journal of Statistics 35, 2008,
 * scheme S3).  Returns false where the last round changed no more. */
static bool go_ahead(
	struct field_job *job, const struct meter_step *first, const struct meter_step *second)
{
	guint classes = job->classes->list->len;
	double most = 0, steps = 0, bends = 0, by;

	for (guint i = 0; i < classes; i++) {
		most = fmax(most, fmax(fabs(second[i].log_base), fabs(second[i].follows)));
		steps += pow(first[i].log_base, 2) + pow(first[i].follows, 2);
		bends += pow(second[i].log_base - first[i].log_base, 2) +
			 pow(second[i].follows - first[i].follows, 2);
	}
	if (most < SETTLED || !(bends > 0))
		return false;
	by = CLAMP(sqrt(steps / bends), 1, ablated(ABLATION_CLOCK_AHEAD) ? 1 : AHEAD_MOST);
	for (guint i = 0; i < classes; i++) {
		struct clock_meter *meter = &job->meters[i];

		meter->log_base_ns += 2 * (by - 1) * first[i].log_base +
				      (by * by - 1) * (second[i].log_base - first[i].log_base);
		if (meter->follows > 0)
			meter->follows += 2 * (by - 1) * first[i].follows +
					  (by * by - 1) * (second[i].follows - first[i].follows);
		meter->follows = fmax(meter->follows, 0);
	}
	return true;
}

/* Returns false where no class tells the clock. */
static bool find(struct field_job *job)
{
	guint classes = job->classes->list->len;
	struct meter_step *first = g_new0(struct meter_step, classes + 1);
	struct meter_step *second = g_new0(struct meter_step, classes + 1);
	bool told;

	begin(job);
	told = go_round(job, first) && go_round(job, second);
	for (int turn = 1; told && turn < TURNS && go_ahead(job, first, second); turn++)
		told = go_round(job, first) && go_round(job, second);
	g_free(first);
	g_free(second);
	if (!told)
		return false;
	tell_all(job);
	set_field(job);
	return true;
}

struct clock_field *clock_field_of(const struct model *model, const struct classes *classes)
{
	guint count = model->executions->len;
	struct clock_field *field = g_new0(struct clock_field, 1);
	struct field_job job = {model, classes, field,
		.observations = g_array_new(FALSE, FALSE, sizeof(struct observation))};
	double end_ns = 0;
	bool told;

	field->begin_ns = count ? (double)model_execution_at(model, 0)->begin_ns : 0;
	for (guint i = 0; i < count; i++)
		end_ns = MAX(end_ns, (double)model_execution_at(model, i)->end_ns);
	field->bin_ns = MAX(BIN_NS, (end_ns - field->begin_ns) / BINS_MAX);
	field->bins = (gint64)((end_ns - field->begin_ns) / field->bin_ns) + 1;
	field->log_clock = g_new0(float, (gsize)field->bins);
	field->follows = g_new0(double, classes->list->len + 1);
	job.left = exp(-field->bin_ns / REACH_NS);
	job.meters = g_new0(struct clock_meter, classes->list->len + 1);
	job.told = g_new0(struct weighted, 3 * (gsize)field->bins);
	job.before = job.told + field->bins;
	job.after = job.before + field->bins;
	observe_some(&job, count / OBSERVED_MAX + 1);
	told = find(&job);
	for (guint i = 0; i < classes->list->len; i++)
		field->follows[i] = job.meters[i].follows;
	g_array_free(job.observations, TRUE);
	g_free(job.meters);
	g_free(job.told);
	if (!told || ablated(ABLATION_CLOCK_FIELD)) {
		clock_field_free(field);
		return NULL;
	}
	return field;
}

void clock_field_free(struct clock_field *field)
{
	if (!field)
		return;
	g_free(field->log_clock);
	g_free(field->follows);
	g_free(field);
}

double clock_field_log(const struct clock_field *field, const struct model_execution *execution)
{
	gint64 last = bin_of(field, (double)execution->end_ns);
	struct weighted mean = {0};

	for (gint64 bin = bin_of(field, (double)execution->begin_ns); bin <= last; bin++) {
		double part = part_in(field, execution, bin);

		mean.sum += part * field->log_clock[bin];
		mean.weight += part;
	}
	return mean.sum / MAX(mean.weight, 1e-9);
}

double clock_field_follows(const struct clock_field *field, guint class_index)
{
	return field->follows[class_index];
}
