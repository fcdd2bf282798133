/* SPDX-License-Identifier: MIT */
#include "analyzer/profile/guidance.h"

#include <math.h>

#define RUNS_PER_SPACING 2 /* 400 runs for a point every 5 us at 1 ms, 200 for every 10 us */

/* The table, by the longest execution of a row. */
static const struct {
	double below_s, spacing_s, margin;
} rows[] = {{50e-6, 5e-6, 0.05}, {200e-6, 10e-6, 0.05}, {INFINITY, 10e-6, 0.02}};

struct guidance guidance_of(double time_s, double period_s)
{
	int i = 0;

	while (time_s >= rows[i].below_s)
		i++;
	return (struct guidance){
		.runs = round(RUNS_PER_SPACING * period_s / rows[i].spacing_s),
		.points = ceil(time_s / rows[i].spacing_s - 1e-6),
		.margin = rows[i].margin,
	};
}

double guidance_expected_points(double runs, double time_s, double period_s)
{
	return runs * time_s / period_s;
}
