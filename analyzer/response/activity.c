/* SPDX-License-Identifier: MIT */
#include "analyzer/response/activity.h"

#include "analyzer/response/ablation.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "analyzer/numeric/bisect.h"

#define HUGE_PAGE (2 << 20) /* bytes */
#define COUNTER_POINTS 8    /* between two readings of a counter, at which its rate is averaged */

/* Sets the bins that the readings reach into, in runs. */
static void set_runs(struct activity *activity, const struct power_reading *readings, guint rows,
	double reach_ns)
{
	activity->runs = g_array_new(FALSE, FALSE, sizeof(struct activity_run));
	for (guint first = 0, end; first < rows; first = end) {
		struct activity_run run = {
			.begin_ns = readings[first].since_ns - reach_ns, .first = activity->bins};

		for (end = first + 1; end < rows; end++)
			if (readings[end].since_ns - reach_ns >
				readings[end - 1].time_ns + reach_ns)
				break;
		activity->bins += (guint)ceil(
			(readings[end - 1].time_ns + reach_ns - run.begin_ns) / activity->bin_ns);
		run.end = activity->bins;
		g_array_append_val(activity->runs, run);
	}
}

static const struct activity_run *run_at(const struct activity *activity, double time_ns)
{
	const struct activity_run *runs = (const void *)activity->runs->data;

	return &runs[BISECT(i, 1, activity->runs->len, runs[i].begin_ns > time_ns) - 1];
}

/* The position of a time in bins, from the begin of a run. */
static inline double place_from(
	const struct activity *activity, const struct activity_run *run, double time_ns)
{
	return run->first + (time_ns - run->begin_ns) / activity->bin_ns;
}

/* The position of a time; a time in a hole has that of the hole. */
static double place_of(const struct activity *activity, double time_ns)
{
	const struct activity_run *run = run_at(activity, time_ns);

	return CLAMP(place_from(activity, run, time_ns), run->first, run->end);
}

static void add(
	struct activity *activity, guint slot, double weight, double begin_ns, double end_ns)
{
	double *below = activity->below + slot;
	double from = place_of(activity, begin_ns), to = place_of(activity, end_ns);

	for (guint bin = (guint)from; from < to; bin++) {
		double until = MIN(to, bin + 1.);

		below[(gsize)(bin + 1) * activity->slots] +=
			weight * (until - from) * activity->bin_ns;
		from = until;
	}
}

static void add_execution(struct activity *activity, const struct activity_plan *plan,
	const struct model_execution *execution, guint index, uint32_t column)
{
	double begin_ns = (double)execution->begin_ns, end_ns = (double)execution->end_ns;
	double weight = plan->weight_of ? plan->weight_of[column] : 1;

	for (guint i = 0; plan->factor && i < plan->factors.count; i++)
		weight += plan->factor[i] * column_factor_w(&plan->factors, i, index);
	add(activity, plan->slot_of ? plan->slot_of[column] : 0, weight, begin_ns, end_ns);
	for (guint i = plan->slots; i < activity->slots; i++)
		add(activity, i, column_factor_w(&plan->factors, i - plan->slots, index), begin_ns,
			end_ns);
}

/* Zeros for all bins, on huge pages where there are any: look-ups are far apart, most of each a
 * page of its own. */
static double *bins_new(const struct activity *activity)
{
	gsize bytes = ((gsize)activity->bins + 1) * activity->slots * sizeof(double);
	void *bins = g_aligned_alloc(bytes / HUGE_PAGE + 1, HUGE_PAGE, HUGE_PAGE);

	madvise(bins, bytes, MADV_HUGEPAGE);
	return memset(bins, 0, bytes);
}

struct activity *activity_make(const struct columns *columns, const struct power_reading *readings,
	guint rows, double reach_ns, double bin_ns, const struct activity_plan *plan)
{
	struct activity *activity = g_new0(struct activity, 1);
	double begin_ns = readings[0].since_ns - reach_ns;
	double end_ns = readings[rows - 1].time_ns + reach_ns;
	guint slots = plan->slots + (plan->factor ? 0 : plan->factors.count);

	activity->bin_ns = bin_ns;
	set_runs(activity, readings, rows, reach_ns);
	activity->slots = slots;
	activity->below = bins_new(activity);
	for (guint i = 0; i < columns->model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(columns->model, i);
		uint32_t column = columns_find(columns, execution);

		if (column == COLUMNS_NONE || (double)execution->end_ns <= begin_ns)
			continue;
		if ((double)execution->begin_ns >= end_ns)
			break;
		add_execution(activity, plan, execution, i, column);
	}
	for (gsize i = slots; i < (gsize)slots * (activity->bins + 1); i++)
		activity->below[i] += activity->below[i - slots];
	return activity;
}

/* An activity with the same bins, in which nothing ran. */
static struct activity *like(const struct activity *activity, guint slots)
{
	struct activity *other = g_new(struct activity, 1);

	*other = *activity;
	other->slots = slots;
	other->runs = g_array_ref(activity->runs);
	other->below = bins_new(other);
	return other;
}

struct activity *activity_weighted(const struct activity *activity, const double *weight)
{
	struct activity *sum = like(activity, 1);
	const double *below = activity->below;

	for (guint bin = 0; bin <= activity->bins; bin++) {
		double own = 0;

		for (guint i = 0; i < activity->slots; i++)
			own += weight[i] * *below++;
		sum->below[bin] = own;
	}
	return sum;
}

void activity_free(struct activity *activity)
{
	g_array_unref(activity->runs);
	g_aligned_free(activity->below);
	g_free(activity);
}

static inline guint bin_at(const struct activity *activity, double place)
{
	return MIN((guint)place, activity->bins - 1);
}

/* Adds factor times the time of each slot before a position. */
static inline void add_below(
	const struct activity *activity, double place, double factor, double *parts)
{
	gsize bin = bin_at(activity, place);
	double part = place - (double)bin;
	const double *slots = activity->below + bin * activity->slots;

	for (guint i = 0; i < activity->slots; i++)
		parts[i] += factor * (slots[i] + part * (slots[activity->slots + i] - slots[i]));
}

/* Adds factor times the parts of a gauge's reading; what it reaches is in one run. */
static void add_seen_at(const struct activity *activity, const struct response *response,
	double time_ns, double factor, double *parts)
{
	const struct activity_run *run = run_at(activity, time_ns);
	double edge = place_from(activity, run, time_ns - response->begin_ns), before = 0;
	double step = response->step_ns / activity->bin_ns;

	factor /= response->step_ns;
	for (guint tap = 0; tap <= response->taps; tap++) {
		double own =
			tap < response->taps ? response->below[tap + 1] - response->below[tap] : 0;

		if (own - before < 0 || own - before > 0)
			add_below(activity, CLAMP(edge - tap * step, run->first, run->end),
				factor * (own - before), parts);
		before = own;
	}
}

void activity_add_parts(const struct activity *activity, const struct response *response,
	const struct power_reading *reading, double factor, double *parts)
{
	double length_ns = reading->time_ns - reading->since_ns;

	if (!(length_ns > 0)) {
		add_seen_at(activity, response, reading->time_ns, factor, parts);
		return;
	}
	for (int i = 0; i < COUNTER_POINTS; i++)
		add_seen_at(activity, response,
			reading->since_ns + length_ns * (i + 0.5) / COUNTER_POINTS,
			factor / COUNTER_POINTS, parts);
}

/* ---- any shape ---- */

void activity_view_begin(struct activity_view *view, const struct activity *activity)
{
	*view = (struct activity_view){.activity = activity};
}

void activity_view_end(struct activity_view *view)
{
	if (view->smeared)
		activity_free(view->smeared);
}

static void set_tail(struct activity_view *view, double tail_ns)
{
	double per_bin = tail_ns / view->activity->bin_ns;

	if (!view->smeared)
		view->smeared = like(view->activity, view->activity->slots);
	if (fabs(view->tail_ns - tail_ns) > 0)
		view->done = 0;
	view->tail_ns = tail_ns;
	view->stays = exp(-1 / per_bin);
	view->behind = -per_bin * expm1(-1 / per_bin);
}

/* Filters the bins that a reading sees: dF/dt = (B - F) / tail, where B grows linearly within a
 * bin.  Done reading by reading, it leaves them in the cache for the look-ups. */
static void smear(struct activity_view *view, const struct power_reading *reading, double lag_ns)
{
	const struct activity *activity = view->activity;
	const struct activity_run *run = run_at(activity, reading->time_ns);
	double stays = view->stays, behind = view->behind;
	guint slots = activity->slots;
	double edge = place_from(activity, run, reading->time_ns - lag_ns);
	guint until = bin_at(activity, CLAMP(edge, run->first, run->end)) + 1;

	for (; view->done < until; view->done++) {
		const double *before = activity->below + (gsize)view->done * slots;
		const double *now = before + slots;
		const double *old = view->smeared->below + (gsize)view->done * slots;
		double *restrict smeared = view->smeared->below + (gsize)(view->done + 1) * slots;

		for (guint i = 0; i < slots; i++) {
			smeared[i] = now[i] - behind * (now[i] - before[i]) +
				     stays * (old[i] - before[i]);
		}
	}
}

void activity_view_parts(struct activity_view *view, const struct response_shape *shape,
	const struct power_reading *readings, guint rows, guint stride, double *parts)
{
	const struct response_shape box = {shape->lag_ns, shape->window_ns, 0};
	double tail_ns = shape->tail_ns, window_ns = MAX(shape->window_ns, RESPONSE_SHORTEST_NS);
	const struct activity *activity = view->activity;
	double beyond = 0; /* the part of the response behind the cut, an exponential */
	struct response now, late = {.taps = 0};

	response_of_shape(&now, &box);
	if (tail_ns >= RESPONSE_SHORTEST_NS) {
		const struct response_shape cut = {
			shape->lag_ns + window_ns + RESPONSE_TAILS * tail_ns, 0, 0};

		beyond = ablated(ABLATION_TAIL_CUT)
				 ? 0
				 : -tail_ns / window_ns * expm1(-window_ns / tail_ns) *
					   exp(-RESPONSE_TAILS);
		response_of_shape(&late, &cut);
		set_tail(view, tail_ns);
		activity = view->smeared;
	}
	for (guint row = 0; row < rows; row++, parts += stride) {
		if (activity != view->activity)
			smear(view, &readings[row], shape->lag_ns);
		memset(parts, 0, activity->slots * sizeof(*parts));
		activity_add_parts(activity, &now, &readings[row], 1 / (1 - beyond), parts);
		if (beyond > 0)
			activity_add_parts(
				activity, &late, &readings[row], -beyond / (1 - beyond), parts);
	}
}
