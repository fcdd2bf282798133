/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/steady.h"

#include <math.h>

#include "analyzer/numeric/order.h"

#define FOLLOWERS_MIN                                                                              \
	3 /* executions that must stay as they are for a power to be called steady                 \
	   */

guint steady_execution(const double *times_s, guint count, double margin)
{
	double least_s = INFINITY;
	guint first = 0;

	for (guint number = count; number > 0; number--) {
		least_s = fmin(least_s, times_s[number - 1]);
		if (times_s[number - 1] <= (1 + margin) * least_s)
			first = number;
	}
	return first;
}

static bool is_steady(const struct steady_power *powers, guint count, double stable)
{
	double sum_w = 0;
	guint known = 0;

	for (guint i = 0; i < count; i++)
		if (!isnan(powers[i].power_w)) {
			sum_w += powers[i].power_w;
			known++;
		}
	if (known < FOLLOWERS_MIN + 1)
		return false;
	for (guint i = 0; i < count; i++)
		if (fabs(powers[i].power_w - sum_w / known) >
			fmax(stable * sum_w / known, powers[i].ci95_w))
			return false;
	return true;
}

guint steady_power(const struct steady_power *powers, guint count, guint from, double stable)
{
	for (guint number = MAX(from, 1); number <= count; number++)
		if (!isnan(powers[number - 1].power_w) &&
			is_steady(powers + number - 1, count - number + 1, stable))
			return number;
	return 0;
}

/* The time of a run's execution, or NaN. */
static double time_of(const struct runs *runs, guint run, guint number)
{
	return number <= runs_at(runs, run)->count
		       ? runs_time_s(runs_execution(runs, runs_at(runs, run)->first + number - 1))
		       : NAN;
}

struct steady_bin steady_times(const struct runs *runs, guint number, const bool *chosen)
{
	struct steady_bin times = {NAN, NAN};

	for (guint i = 0; i < runs->list->len; i++) {
		if (!chosen[i])
			continue;
		times.low_s = fmin(times.low_s, time_of(runs, i, number));
		times.high_s = fmax(times.high_s, time_of(runs, i, number));
	}
	return times;
}

/* Where the bin begins that holds most of sorted times. */
static double fullest(const GArray *times, double margin)
{
	double best_s = NAN;
	guint most = 0;

	for (guint low = 0, high = 0; low < times->len; low++) {
		double low_s = g_array_index(times, double, low);

		while (high < times->len &&
			g_array_index(times, double, high) <= (1 + margin) * low_s)
			high++;
		if (high - low > most) {
			most = high - low;
			best_s = low_s;
		}
	}
	return best_s;
}

struct steady_bin steady_choose_golden(
	const struct runs *runs, guint number, double margin, double outlier_s, bool *chosen)
{
	GArray *times = g_array_new(FALSE, FALSE, sizeof(double));
	struct steady_bin bin;

	for (guint i = 0; i < runs->list->len; i++) {
		double time_s = time_of(runs, i, number);

		if (chosen[i] && !isnan(time_s))
			g_array_append_val(times, time_s);
	}
	g_array_sort(times, order_doubles);
	bin.low_s = isnan(outlier_s) ? fullest(times, margin) : outlier_s;
	bin.high_s = (1 + margin) * bin.low_s;
	for (guint i = 0; i < runs->list->len; i++) {
		double time_s = time_of(runs, i, number);

		chosen[i] &= time_s >= bin.low_s && time_s <= bin.high_s;
	}
	g_array_free(times, TRUE);
	return bin;
}
