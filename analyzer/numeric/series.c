/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/series.h"

#include <math.h>

#include "analyzer/numeric/autocorrelation.h"
#include "analyzer/numeric/student.h"

#define STRETCHES 512 /* an even number; so many tell a variance to within 6 % */

static double *sum_at(const struct series *series, guint i)
{
	return &g_array_index(series->sums, double, i);
}

/* Makes one stretch of each two. */
static void join_stretches(struct series *series)
{
	for (guint i = 0; i < STRETCHES / 2; i++)
		*sum_at(series, i) = *sum_at(series, 2 * i) + *sum_at(series, 2 * i + 1);
	g_array_set_size(series->sums, STRETCHES / 2);
	series->stretch *= 2;
}

void series_add(struct series *series, double value)
{
	if (!series->sums) {
		series->sums = g_array_new(FALSE, TRUE, sizeof(double));
		series->stretch = series->filled = 1;
	}
	if (series->filled == series->stretch) {
		if (series->sums->len == STRETCHES)
			join_stretches(series);
		g_array_set_size(series->sums, series->sums->len + 1);
		series->filled = 0;
	}
	*sum_at(series, series->sums->len - 1) += value;
	series->filled++;
}

double series_part95(const struct series *series)
{
	/* A last stretch that is not full does not vary as the others do. */
	guint count = series->sums ? series->sums->len - (series->filled < series->stretch) : 0;
	double left[STRETCHES], mean = 0, squares = 0, freedom;

	if (count < 2)
		return NAN;
	for (guint i = 0; i < count; i++)
		mean += *sum_at(series, i);
	mean /= count;
	for (guint i = 0; i < count; i++) {
		left[i] = *sum_at(series, i) - mean;
		squares += left[i] * left[i];
	}
	freedom = fmax(count / autocorrelation_time(left, count) - 1, 1);
	return student_t95(freedom) * sqrt(squares / count / freedom) / mean;
}

void series_clear(struct series *series)
{
	if (series->sums)
		g_array_free(series->sums, TRUE);
}
