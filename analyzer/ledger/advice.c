/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/advice.h"

#include <math.h>

#include "analyzer/ledger/widths.h"
#include "analyzer/regress/forecast.h"
#include "analyzer/regress/loop.h"

#define TIMES_MAX 100.   /* the recording: nobody waits longer, and forecasts go no further */
#define TIMES_EXACT 1.05 /* the ratio to which the least is found */
#define REPLAY_S 0.5     /* of each class, as record --replay does without a number */
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
	double harmonics = floor(PASSES * loop->period_ns / response_window(&fit->response));

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

/* Counts the kernels that replay would tell of. */
static guint replayable(const struct fit *fit, const double *parts)
{
	guint count = 0;

	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class = class_at(fit, i);

		count += origin_is_kernel(class->origin) && !class->slight && !class->replayed &&
			 parts[i] > ADVICE_WIDE;
	}
	return count;
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
		.calibrate = fit->found.others};

	if (advice.now.most > ADVICE_WIDE) {
		advice.more_s = isnan(advice.longer.most)   ? NAN
				: loop_too_fast(fit, &loop) ? INFINITY
							    : recorded_s * (times_needed(fit) - 1);
		advice.replay_kernels = replayable(fit, parts);
		advice.replay_s = REPLAY_S * advice.replay_kernels;
	}
	g_free(parts);
	return advice;
}
