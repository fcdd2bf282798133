/* SPDX-License-Identifier: MIT */
#include "analyzer/response/activity.h"

#include "analyzer/response/ablation.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "analyzer/numeric/bisect.h"

#define HUGE_PAGE (2 << 20) /* bytes */
#define FADED 1e-10f        /* of what a filter holds: nothing beside what runs in a bin */
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

/* An execution's begin and end as positions within a run. */
struct activity_places {
	double from, to;
};

static void add(
	struct activity *activity, guint slot, double weight, const struct activity_places *places)
{
	double *below = activity->below + slot;
	double from = places->from, to = places->to;

	for (guint bin = (guint)from; from < to; bin++) {
		double until = MIN(to, bin + 1.);

		below[(gsize)(bin + 1) * activity->slots] +=
			weight * (until - from) * activity->bin_ns;
		from = until;
	}
}

/* Adds an execution, if it belongs to a column. */
static void add_execution(struct activity *activity, const struct activity_run *run,
	const struct columns *columns, const struct activity_plan *plan,
	const struct model_execution *execution, guint index)
{
	const double from = place_from(activity, run, (double)execution->begin_ns);
	const double to = place_from(activity, run, (double)execution->end_ns);
	const struct activity_places places = {
		CLAMP(from, run->first, run->end), CLAMP(to, run->first, run->end)};
	uint32_t column = columns_find(columns, execution);
	double part = columns_part(columns, execution);
	double weight;

	if (column == COLUMNS_NONE)
		return;
	weight = plan->weight_of ? plan->weight_of[column] : 1;
	for (guint i = 0; plan->factor && i < plan->factors.count; i++)
		weight += plan->factor[i] * column_factor_w(&plan->factors, i, index);
	add(activity, plan->slot_of ? plan->slot_of[column] : 0, part * weight, &places);
	for (guint i = plan->slots; i < activity->slots; i++)
		add(activity, i, part * column_factor_w(&plan->factors, i - plan->slots, index),
			&places);
}

static void add_run(struct activity *activity, const struct activity_run *run,
	const struct columns *columns, const struct activity_plan *plan)
{
	double end_ns = run->begin_ns + (run->end - run->first) * activity->bin_ns;

	for (guint i = columns_from(columns, run->begin_ns); i < columns->model->executions->len;
		i++) {
		const struct model_execution *execution = model_execution_at(columns->model, i);

		if ((double)execution->begin_ns >= end_ns)
			break;
		add_execution(activity, run, columns, plan, execution, i);
	}
}

/* Room for numbers of `size` bytes, one for each slot and end of a bin; much of it on huge pages
 * where there are any: look-ups are far apart, most of each a page of its own.  g_aligned_free it.
 */
static void *bins_new(const struct activity *activity, size_t size)
{
	gsize bytes = ((gsize)activity->bins + 1) * activity->slots * size;
	void *bins = g_aligned_alloc(bytes, 1, bytes < HUGE_PAGE ? G_MEM_ALIGN : HUGE_PAGE);

	if (bytes >= HUGE_PAGE)
		madvise(bins, bytes, MADV_HUGEPAGE);
	return bins;
}

struct activity *activity_make(const struct columns *columns, const struct power_reading *readings,
	guint rows, double reach_ns, double bin_ns, const struct activity_plan *plan)
{
	struct activity *activity = g_new0(struct activity, 1);
	guint slots = plan->slots + (plan->factor ? 0 : plan->factors.count);

	activity->bin_ns = bin_ns;
	set_runs(activity, readings, rows, reach_ns);
	activity->slots = slots;
	activity->below = bins_new(activity, sizeof(double));
	memset(activity->below, 0, ((gsize)activity->bins + 1) * slots * sizeof(double));
	for (guint i = 0; i < activity->runs->len; i++)
		add_run(activity, &g_array_index(activity->runs, struct activity_run, i), columns,
			plan);
	for (gsize i = slots; i < (gsize)slots * (activity->bins + 1); i++)
		activity->below[i] += activity->below[i - slots];
	return activity;
}

/* An activity of one slot with the same bins, whose content is not set. */
static struct activity *one_slot_like(const struct activity *activity)
{
	struct activity *like = g_new(struct activity, 1);

	*like = *activity;
	like->slots = 1;
	like->runs = g_array_ref(activity->runs);
	like->below = bins_new(like, sizeof(double));
	return like;
}

struct activity *activity_weighted(const struct activity *activity, const double *weight)
{
	struct activity *sum = one_slot_like(activity);
	const double *below = activity->below;

	for (guint bin = 0; bin <= activity->bins; bin++) {
		double own = 0;

		for (guint i = 0; i < activity->slots; i++)
			own += weight[i] * *below++;
		sum->below[bin] = own;
	}
	return sum;
}

struct activity *activity_squared(const struct activity *activity)
{
	struct activity *squares = one_slot_like(activity);

	squares->below[0] = 0;
	for (guint bin = 0; bin < activity->bins; bin++) {
		double own = activity->below[bin + 1] - activity->below[bin];

		squares->below[bin + 1] = squares->below[bin] + own * own / activity->bin_ns;
	}
	return squares;
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

/* Adds factor times the time of each slot before a position, less what a filter holds (NULL: there
 * is none). */
static inline void add_below(const struct activity *activity, const float *held, double place,
	double factor, double *parts)
{
	guint slots = activity->slots;
	gsize bin = bin_at(activity, place);
	double of_next = factor * (place - (double)bin), of_this = factor - of_next;
	const double *this = activity->below + bin * slots, *next = this + slots;

	for (guint i = 0; i < slots; i++)
		parts[i] += of_this * this[i] + of_next * next[i];
	if (!held)
		return;
	held += bin * slots;
	for (guint i = 0; i < slots; i++)
		parts[i] -= of_this * held[i] + of_next * (held + slots)[i];
}

/* Adds factor times the parts of a gauge's reading; what it reaches is in one run. */
static void add_seen_at(const struct activity *activity, const float *held,
	const struct response *response, double time_ns, double factor, double *parts)
{
	const struct activity_run *run = run_at(activity, time_ns);
	double edge = place_from(activity, run, time_ns - response->begin_ns), before = 0;
	double step = response->step_ns / activity->bin_ns;

	factor /= response->step_ns;
	for (guint tap = 0; tap <= response->taps; tap++) {
		double own =
			tap < response->taps ? response->below[tap + 1] - response->below[tap] : 0;

		if (own - before < 0 || own - before > 0)
			add_below(activity, held, CLAMP(edge - tap * step, run->first, run->end),
				factor * (own - before), parts);
		before = own;
	}
}

static void add_parts(const struct activity *activity, const float *held,
	const struct response *response, const struct power_reading *reading, double factor,
	double *parts)
{
	double length_ns = reading->time_ns - reading->since_ns;

	if (!(length_ns > 0)) {
		add_seen_at(activity, held, response, reading->time_ns, factor, parts);
		return;
	}
	for (int i = 0; i < COUNTER_POINTS; i++)
		add_seen_at(activity, held, response,
			reading->since_ns + length_ns * (i + 0.5) / COUNTER_POINTS,
			factor / COUNTER_POINTS, parts);
}

void activity_add_parts(const struct activity *activity, const struct response *response,
	const struct power_reading *reading, double factor, double *parts)
{
	add_parts(activity, NULL, response, reading, factor, parts);
}

/* ---- any shape ---- */

void activity_view_begin(struct activity_view *view, const struct activity *activity)
{
	*view = (struct activity_view){.activity = activity};
}

void activity_view_end(struct activity_view *view)
{
	g_aligned_free(view->held);
}

static void set_tail(struct activity_view *view, double tail_ns)
{
	double per_bin = tail_ns / view->activity->bin_ns;

	if (!view->held) {
		view->held = bins_new(view->activity, sizeof(float));
		memset(view->held, 0, view->activity->slots * sizeof(float));
	}
	if (fabs(view->tail_ns - tail_ns) > 0)
		view->done = 0;
	view->tail_ns = tail_ns;
	view->stays = (float)exp(-1 / per_bin);
	view->taken = -per_bin * expm1(-1 / per_bin);
}

/* What the filter holds at the end of a bin: dH/dt = dB/dt - H / tail, where B, the time below,
 * grows linearly within a bin. */
static inline float held_after(
	const struct activity_view *view, float before, double below, double next)
{
	return view->stays * before + (float)(view->taken * (next - below));
}

/* The same for the bins from view->done to until, with one slot: what is held stays in a register,
 * as each bin waits for the one before. */
static void fill_one(struct activity_view *view, guint until)
{
	const double *below = view->activity->below;
	const struct activity_view own = *view;
	float held = own.held[own.done];

	for (guint bin = own.done; bin < until; bin++) {
		held = held_after(&own, held, below[bin], below[bin + 1]);
		own.held[bin + 1] = held;
	}
	view->done = MAX(own.done, until);
}

static void fill_slots(struct activity_view *view, guint until)
{
	guint slots = view->activity->slots;
	const struct activity_view own = *view;

	for (; view->done < until; view->done++) {
		const double *below = view->activity->below + (gsize)view->done * slots;
		const float *old = own.held + (gsize)view->done * slots;
		float *restrict held = own.held + (gsize)(view->done + 1) * slots;

		for (guint i = 0; i < slots; i++)
			held[i] = held_after(&own, old[i], below[i], (below + slots)[i]);
	}
}

/* What has faded becomes 0.  Else it would fade on to subnormal numbers, with which Intel's
 * processors multiply a hundred times as slowly; of a recorded mix they were a fifth of all
 * products. */
static void forget_faded(struct activity_view *view)
{
	guint slots = view->activity->slots;
	float *held = view->held + (gsize)view->done * slots;

	for (guint i = 0; i < slots; i++)
		held[i] = fabsf(held[i]) < FADED ? 0 : held[i];
}

/* Sets what the filter holds up to a reading.  Done reading by reading, it leaves the bins in the
 * cache for the look-ups. */
static void fill(struct activity_view *view, const struct power_reading *reading, double lag_ns)
{
	const struct activity *activity = view->activity;
	const struct activity_run *run = run_at(activity, reading->time_ns);
	double edge = place_from(activity, run, reading->time_ns - lag_ns);
	guint until = bin_at(activity, CLAMP(edge, run->first, run->end)) + 1;

	if (activity->slots == 1)
		fill_one(view, until);
	else
		fill_slots(view, until);
	forget_faded(view);
}

void activity_view_parts(struct activity_view *view, const struct response_shape *shape,
	const struct power_reading *readings, guint rows, guint stride, double *parts)
{
	const struct response_shape box = {shape->lag_ns, shape->window_ns, 0};
	double tail_ns = shape->tail_ns, window_ns = MAX(shape->window_ns, RESPONSE_SHORTEST_NS);
	const float *held = NULL;
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
		held = view->held;
	}
	for (guint row = 0; row < rows; row++, parts += stride) {
		if (held)
			fill(view, &readings[row], shape->lag_ns);
		memset(parts, 0, view->activity->slots * sizeof(*parts));
		add_parts(view->activity, held, &now, &readings[row], 1 / (1 - beyond), parts);
		if (beyond > 0)
			add_parts(view->activity, held, &late, &readings[row],
				-beyond / (1 - beyond), parts);
	}
}
