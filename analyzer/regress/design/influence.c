/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/influence.h"

#include <math.h>

#include "analyzer/model/state.h"
#include "analyzer/regress/design/medians.h"

#define SPEED_MOST 0.5 /* relative: an execution that differs more does other work */

/* The state of the device at the end of the last execution. */
struct power_history {
	double end_ns;
	double cold;    /* 1 after a long idle time, 0 after long work */
	double power_w; /* an average of the past dynamic power, weighted exponentially */
};

#define SHORT 0.0625 /* below it the series is exact to 1e-11 */

/* The mean of exp(-t) for t from 0 to x.  Most executions are short, and a series is several times
 * as fast. */
static double faded(double x)
{
	return x < SHORT ? 1 - x / 2 * (1 - x / 3 * (1 - x / 4 * (1 - x / 5 * (1 - x / 6))))
			 : -expm1(-x) / x;
}

static double left_after(double x)
{
	return 1 - x * faded(x);
}

static void compute_fading(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w, bool idle)
{
	struct power_history past = {.cold = 1};

	for (guint i = influence->first; i < influence->end; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t own = classes_find(classes, execution);
		double begin_ns = (double)execution->begin_ns, end_ns = (double)execution->end_ns;
		double length = (end_ns - begin_ns) / influence->parameter, own_w, mean;
		double gap_ns = begin_ns - past.end_ns;
		float *value_w = mapped_array_at(influence->value_w, i - influence->first);

		if (own == CLASSES_NONE)
			continue;
		own_w = power_w[g_array_index(classes->list, struct kernel_class, own).column];
		mean = faded(length);
		if (gap_ns > 0) {
			double left = left_after(gap_ns / influence->parameter);

			past.cold = 1 - (1 - past.cold) * left;
			past.power_w *= left;
		}
		*value_w = (float)(mean * (idle ? -own_w * past.cold : past.power_w - own_w));
		if (end_ns > past.end_ns) {
			double left =
				gap_ns >= 0
					? 1 - length * mean
					: left_after((end_ns - past.end_ns) / influence->parameter);

			past.cold *= left;
			past.power_w = own_w + (past.power_w - own_w) * left;
			past.end_ns = end_ns;
		}
	}
}

static void compute_idle(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w)
{
	compute_fading(influence, model, classes, power_w, true);
}

static void compute_before(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w)
{
	compute_fading(influence, model, classes, power_w, false);
}

/* ---- sampled clocks ---- */

/* Samples that count for an execution: they are late, and hold until the next one. */
#define NEAR_NS 1000000000
#define BEYOND 0.5         /* of their range: a clock that moves goes beyond them in between */
#define BLOCK_NS 100000000 /* executions that have the same samples near */

/* Between which logarithms the clock of an execution is, by the samples near it, relative to the
 * mean of its class or of the run. */
struct clock_bounds {
	const struct model *model;
	struct states *states;
	double *mean_mhz; /* by class; 0: not known */
	double beyond;    /* by which part of the samples' range a clock may be beyond them */
	/* Of the executions of a device that begin between two times. */
	uint32_t gpu;
	uint64_t since_ns, until_ns;
	double range_mhz[2];
	bool known;
};

/* Finds the range of the clock near an execution.  Returns whether it is known. */
static bool range_near(struct clock_bounds *bounds, const struct model_execution *execution)
{
	uint32_t gpu = model_gpu_of(bounds->model, execution);
	uint64_t begin_ns = execution->begin_ns;

	if (gpu == bounds->gpu && begin_ns >= bounds->since_ns && begin_ns < bounds->until_ns)
		return bounds->known;
	bounds->gpu = gpu;
	bounds->since_ns = begin_ns;
	bounds->until_ns = begin_ns + BLOCK_NS;
	bounds->known =
		states_clock_range(bounds->states, gpu, begin_ns > NEAR_NS ? begin_ns - NEAR_NS : 0,
			bounds->until_ns + NEAR_NS, bounds->range_mhz);
	return bounds->known;
}

/* of_run: for a clock that many executions tell, relative to the mean of the run.  Else for what
 * single durations tell, relative to the mean of the class: these differ by work, too. */
static void bounds_begin(struct clock_bounds *bounds, const struct influence *influence,
	const struct model *model, const struct classes *classes, bool of_run)
{
	guint count = classes->list->len;
	double *time_ns = g_new0(double, count + 1), *mhz_ns = g_new0(double, count + 1);

	*bounds = (struct clock_bounds){.model = model,
		.states = states_of(model),
		.mean_mhz = g_new0(double, count + 1),
		.beyond = of_run ? BEYOND : 0,
		.gpu = MODEL_NONE};
	for (guint i = influence->first; i < influence->end; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		double length_ns = (double)(execution->end_ns - execution->begin_ns);
		uint32_t own = classes_find(classes, execution);

		if (own == CLASSES_NONE || !range_near(bounds, execution))
			continue;
		own = of_run ? count : own;
		mhz_ns[own] += (bounds->range_mhz[0] + bounds->range_mhz[1]) / 2 * length_ns;
		time_ns[own] += length_ns;
	}
	for (guint i = 0; i < count; i++) {
		guint mean = of_run ? count : i;

		bounds->mean_mhz[i] = mhz_ns[mean] / MAX(time_ns[mean], 1);
	}
	g_free(time_ns);
	g_free(mhz_ns);
}

static void bounds_end(struct clock_bounds *bounds)
{
	states_free(bounds->states);
	g_free(bounds->mean_mhz);
}

/* The nearest logarithm that samples allow; 0, the mean, always is. */
static double bounded(struct clock_bounds *bounds, const struct model_execution *execution,
	uint32_t own, double log_clock)
{
	double mean_mhz = bounds->mean_mhz[own], low, high, beyond;

	if (!(mean_mhz > 0) || !range_near(bounds, execution))
		return log_clock;
	low = MIN(log(bounds->range_mhz[0] / mean_mhz), 0);
	high = MAX(log(bounds->range_mhz[1] / mean_mhz), 0);
	beyond = bounds->beyond * (high - low);
	return CLAMP(log_clock, low - beyond, high + beyond);
}

/* ---- durations ---- */

/* An execution that does the same work in less time ran at a higher clock; samples of the clock are
 * too far apart to show that for single executions.  But where no clock was ever sampled that is so
 * high or low, it did more work or less, as a kernel that attends to one more word each time. */
static void compute_speed(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w)
{
	double *medians = medians_of(model, classes, influence->first, influence->end);
	double exponent = influence->parameter;
	struct clock_bounds bounds;

	bounds_begin(&bounds, influence, model, classes, false);
	for (guint i = influence->first; i < influence->end; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t own = classes_find(classes, execution);
		double speed;

		if (own == CLASSES_NONE)
			continue;
		speed = medians[own] / classes_length_ns(classes, execution) - 1;
		speed = log1p(CLAMP(speed, -SPEED_MOST, SPEED_MOST));
		*(float *)mapped_array_at(influence->value_w, i - influence->first) =
			(float)(expm1(exponent * bounded(&bounds, execution, own, speed)) /
				exponent *
				power_w[g_array_index(classes->list, struct kernel_class, own)
						.column]);
	}
	bounds_end(&bounds);
	g_free(medians);
}

/* ---- the clock, told by durations ---- */

/* Power is voltage squared, times how much is switched in a time; only of compute-bound classes
 * does the clock move the latter, too.  An H200: 0.7 to 1.1 memory-bound, 2.3 to 3.1 compute-bound.
 */
double influence_exponent(const struct clock_field *field, guint class_index, double compute_bound)
{
	return compute_bound * (1 + 4 * clock_field_follows(field, class_index)) / 5;
}

/* Values are relative to the mean over the executions of the class, so that its power is that at
 * the clocks that it had. */
static void compute_clock(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w)
{
	double *sum = g_new0(double, classes->list->len + 1);
	double *time_ns = g_new0(double, classes->list->len + 1);
	struct clock_bounds bounds;

	bounds_begin(&bounds, influence, model, classes, true);
	for (guint i = influence->first; i < influence->end; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		double length_ns = (double)(execution->end_ns - execution->begin_ns), exponent;
		uint32_t own = classes_find(classes, execution);
		float *value_w = mapped_array_at(influence->value_w, i - influence->first);

		if (own == CLASSES_NONE)
			continue;
		exponent = influence->exponent ? influence->exponent[own]
					       : influence_exponent(influence->field, own,
							 influence->parameter);
		*value_w = (float)expm1(
			exponent * bounded(&bounds, execution, own,
					   clock_field_log(influence->field, execution)));
		sum[own] += *value_w * length_ns;
		time_ns[own] += length_ns;
	}
	for (guint i = influence->first; i < influence->end; i++) {
		uint32_t own = classes_find(classes, model_execution_at(model, i));
		float *value_w = mapped_array_at(influence->value_w, i - influence->first);
		double mean, most_w;

		if (own == CLASSES_NONE)
			continue;
		mean = sum[own] / time_ns[own];
		most_w = power_w[g_array_index(classes->list, struct kernel_class, own).column];
		*value_w =
			(float)(((1 + *value_w) / (1 + mean) - 1) * most_w / influence->parameter);
	}
	bounds_end(&bounds);
	g_free(sum);
	g_free(time_ns);
}

/* ---- states ---- */

/* The mean clock in MHz, or the throttled part, of an execution; NaN: not known. */
static double state_of(const struct states *states, const struct model *model,
	const struct model_execution *execution, bool clock)
{
	struct state_sums sums = {0};
	double value;

	states_add(states, &sums, model_gpu_of(model, execution), execution->begin_ns,
		execution->end_ns);
	value = clock ? state_clock_mhz(&sums) : state_throttled(&sums);
	return value < 0 ? NAN : value;
}

/* Values are relative to the mean over all executions, so that the classes' powers are those at the
 * mean clock. */
static void compute_states(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w, bool clock)
{
	struct states *states = states_of(model);
	double sum = 0, time_ns = 0, mean;

	for (guint i = influence->first; i < influence->end; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		double length_ns = (double)(execution->end_ns - execution->begin_ns);
		double value;

		if (classes_find(classes, execution) == CLASSES_NONE)
			continue;
		value = state_of(states, model, execution, clock);
		*(float *)mapped_array_at(influence->value_w, i - influence->first) = (float)value;
		sum += isnan(value) ? 0 : value * length_ns;
		time_ns += isnan(value) ? 0 : length_ns;
	}
	mean = sum / MAX(time_ns, 1);
	for (guint i = influence->first; i < influence->end; i++) {
		float *value_w = mapped_array_at(influence->value_w, i - influence->first);
		uint32_t own = classes_find(classes, model_execution_at(model, i));

		if (own == CLASSES_NONE)
			continue;
		if (isnan(*value_w) || !(mean > 0)) {
			*value_w = 0;
			continue;
		}
		*value_w = (float)((*value_w - mean) / (clock ? mean : -1) *
				   power_w[g_array_index(classes->list, struct kernel_class, own)
						   .column]);
	}
	states_free(states);
}

static void compute_sampled_clock(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w)
{
	compute_states(influence, model, classes, power_w, true);
}

static void compute_limit(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w)
{
	compute_states(influence, model, classes, power_w, false);
}

/* ---- replays ---- */

/* Repeated alone, a kernel finds in the caches what it read and wrote, and no data of others that
 * must be written back first.  The powers are those in the program. */
static void compute_replay(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w)
{
	for (guint i = influence->first; i < influence->end; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t own = classes_find(classes, execution);
		const struct kernel_class *class;

		if (own == CLASSES_NONE ||
			model_origin_of(model, execution)->replayed == MODEL_OF_PROGRAM)
			continue;
		class = &g_array_index(classes->list, struct kernel_class, own);
		if (class_is_replayed(class))
			*(float *)mapped_array_at(influence->value_w, i - influence->first) =
				(float)-power_w[class->column];
	}
}

static const double taus_ns[] = {0.25e6, 0.5e6, 1e6, 2e6, 4e6, 8e6, 16e6, 32e6, 64e6, 128e6};
static const double exponents[] = {1, 1.5, 2, 2.5, 3};
static const double none[] = {0};

#define PARAMETERS(list) .parameters = (list), .parameter_count = G_N_ELEMENTS(list)

const struct influence_kind influence_kinds[] = {
	{"clock", "the clock", "% per % of clock", 1, .exponent = true, .field = true,
		.speeds = true, PARAMETERS(exponents), .compute = compute_clock},
	{"speed", "how fast a kernel runs", "% per % of speed", 1, .exponent = true, .speeds = true,
		PARAMETERS(exponents), .compute = compute_speed},
	{"idle", "how long the device has worked since it idled", "% less at first", 100,
		.fades = true, PARAMETERS(taus_ns), .compute = compute_idle},
	{"before", "what ran before", "% of its power stays", 100, .fades = true,
		PARAMETERS(taus_ns), .compute = compute_before},
	{"sampled clock", "the clock as it was sampled", "% per % of clock", 1, .states = true,
		PARAMETERS(none), .compute = compute_sampled_clock},
	{"limit", "whether a limit holds clocks down", "% less while one does", 100, .states = true,
		PARAMETERS(none), .compute = compute_limit},
	{"replay", "whether a kernel is replayed, alone", "% less then", 100, .replays = true,
		PARAMETERS(none), .compute = compute_replay},
	{NULL, NULL, NULL, 0, .compute = NULL},
};

const struct influence_kind *influence_kind_of_replays(void)
{
	const struct influence_kind *kind = influence_kinds;

	while (!kind->replays)
		kind++;
	return kind;
}

void influence_compute(struct influence *influence, const struct model *model,
	const struct classes *classes, const double *power_w)
{
	influence->value_w = mapped_array_new_unfailing(sizeof(float));
	mapped_array_lengthen(influence->value_w, influence->end - influence->first);
	influence->kind->compute(influence, model, classes, power_w);
}

void influence_clear(struct influence *influence)
{
	mapped_array_free(influence->value_w);
	influence->value_w = NULL;
}

struct column_factors influences_factors(const struct influences *influences)
{
	struct column_factors factors = {.count = MIN(influences->count, COLUMNS_FACTORS_MAX)};

	for (guint i = 0; i < factors.count; i++)
		factors.value_w[i] = influences->list[i].value_w;
	return factors;
}
