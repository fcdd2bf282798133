/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/advice.h"

#include <math.h>
#include <string.h>

#include "analyzer/ledger/widths.h"
#include "analyzer/model/replays.h"
#include "analyzer/regress/forecast.h"
#include "analyzer/regress/loop.h"

#define TIMES_MAX 100.   /* the recording: nobody waits longer, and forecasts go no further */
#define TIMES_EXACT 1.05 /* the ratio to which the least is found */
#define LAUNCHES_LEAST 3 /* of a kernel that is replayed */
/* For each class, where record --replay is given no number.  With CUDA many classes are replayed
 * with a cold cache, too: on H200s 92 classes of a training took 81 s, and 80 of a generation 60.
 */
#define REPLAY_S 0.5
#define REPLAY_CUDA_S 0.8
/* Without a number, record --replay-budget is at least so much.  As long as half of a budget is
 * enough, every class is replayed as soon as it can be. */
#define BUDGET_S 60
#define BUDGET_TIMES 2
/* The sensor passes hardly anything of what changes faster than this divided by its equivalent
 * window: an eighth, of a box as of a filter.  At 25 ms that is 100 Hz, above which a Hopper's was
 * not seen to pass anything. */
#define PASSES 2.5

static const struct kernel_class *class_at(const struct fit *fit, guint i)
{
	return &g_array_index(fit->classes->list, struct kernel_class, i);
}

/* The width of each class. */
static double *parts_of(const struct fit *fit)
{
	double *parts = g_new(double, fit->classes->list->len + 1);

	for (guint i = 0; i < fit->classes->list->len; i++)
		parts[i] = fit_program_off(fit, i);
	return parts;
}

/* The widths where that of each class is given; NULL: they are not known. */
static struct advice_widths widths_of(const struct fit *fit, const double *parts)
{
	GArray *widths = g_array_new(FALSE, FALSE, sizeof(struct energy_width));
	struct advice_widths of = {NAN, NAN};

	for (guint i = 0; parts && i < fit->classes->list->len; i++) {
		const struct energy_width width = {parts[i], class_at(fit, i)->program.energy_j};

		if (width.energy_j > 0)
			g_array_append_val(widths, width);
	}
	if (widths->len)
		of = (struct advice_widths){
			widths_within(widths, 0.5), widths_within(widths, ADVICE_MOST)};
	g_array_free(widths, TRUE);
	return of;
}

static struct advice_widths widths_after(const struct fit *fit, double times)
{
	double *parts = forecast_widths(fit, times);
	struct advice_widths of = widths_of(fit, parts);

	g_free(parts);
	return of;
}

/* Whether the sensor cannot tell all classes of a loop apart, however long it runs: of a loop it
 * passes the mean and, for each harmonic, a sine and a cosine. */
static bool loop_too_fast(const struct fit *fit, const struct loop *loop)
{
	double harmonics = floor(PASSES * loop->period_ns / response_window_ns(&fit->response));

	return loop->classes > 1 + 2 * harmonics;
}

/* The least multiple of the recording after which intervals are narrow; infinite where none is. */
static double times_needed(const struct fit *fit)
{
	double low = 1, high = TIMES_MAX;

	if (!(widths_after(fit, high).most <= ADVICE_WIDE))
		return INFINITY;
	while (high / low > TIMES_EXACT) {
		double middle = sqrt(low * high);

		if (widths_after(fit, middle).most <= ADVICE_WIDE)
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* Whether replay may tell of a class. */
static bool is_replayable(const struct kernel_class *class)
{
	return origin_is_kernel(class->origin) && !class->slight && !class->replayed &&
	       class->executions >= LAUNCHES_LEAST;
}

static enum replays_outcome outcome_of(const struct model *model, const struct kernel_class *class)
{
	const struct model_kernel *kernel = model_kernel_of(model, class->origin);

	return kernel ? replays_outcome(model, kernel) : REPLAYS_NONE;
}

/* How long the first replay of a class will take. */
static double first_replay_s(const struct model *model, const struct kernel_class *class)
{
	const struct model_kernel *kernel = model_kernel_of(model, class->origin);

	return kernel && strcmp(kernel->api, "cuda") == 0 ? REPLAY_CUDA_S : REPLAY_S;
}

/* How long replays take that were made, or left alone for the budget, in the process where that is
 * most. */
static double replays_s(const struct model *model)
{
	uint64_t most_ns = 0;

	for (guint i = 0; i < model->processes->len; i++)
		most_ns = MAX(most_ns, replays_needed_ns(model, i));
	return (double)most_ns / 1e9;
}

/* Which kernels replay would tell of, and at what cost. */
static void advise_replay(struct advice *advice, const struct fit *fit, const double *parts)
{
	const struct model *model = fit->classes->columns.model;
	guint left = 0, fresh = 0;
	double fresh_s = 0;

	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class = class_at(fit, i);
		enum replays_outcome outcome;

		if (!is_replayable(class) || parts[i] <= ADVICE_WIDE)
			continue;
		outcome = outcome_of(model, class);
		left += outcome == REPLAYS_LEFT;
		fresh += outcome == REPLAYS_NONE;
		fresh_s += outcome == REPLAYS_NONE ? first_replay_s(model, class) : 0;
	}
	advice->replay_kernels = left + fresh;
	if (left + fresh)
		advice->replay_s = fresh_s + replays_s(model);
	if (left || advice->replay_s > BUDGET_S)
		advice->replay_budget_s = ceil(BUDGET_TIMES * advice->replay_s);
}

struct advice advice_of(const struct fit *fit)
{
	const struct model_span *span = &fit->source->span;
	double recorded_s = (double)(span->end_ns - span->begin_ns) / 1e9;
	double *parts = parts_of(fit);
	const struct loop loop = loop_of(fit);
	struct advice advice = {.now = widths_of(fit, parts),
		.longer = widths_after(fit, ADVICE_LONGER),
		.more_s = 0,
		.loop_ns = loop.period_ns,
		.replay_budget_s = NAN,
		.calibrate = fit->found.others};

	if (advice.now.most > ADVICE_WIDE) {
		advice.more_s = isnan(advice.longer.most)   ? NAN
				: loop_too_fast(fit, &loop) ? INFINITY
							    : recorded_s * (times_needed(fit) - 1);
		advise_replay(&advice, fit, parts);
	}
	g_free(parts);
	return advice;
}
