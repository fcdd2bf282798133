/* SPDX-License-Identifier: MIT */
/*
 * How many runs a profile takes: table I of FinGraV (Singhania, Aga, Ibrahim, "Methodology for
 * Fine-Grain GPU Power Visibility and Insights").  Its sensor has a period of 1 ms; for any other
 * the table is one formula, runs = 2 * period / spacing, where a point is wanted every `spacing` of
 * an execution: twice as many are then expected.
 */
#ifndef PWRTRACE_GUIDANCE_H
#define PWRTRACE_GUIDANCE_H

struct guidance {
	double runs;   /* to make */
	double points; /* wanted of one execution */
	double margin; /* of durations in a bin, as a part of the shortest */
};

/* For executions of time_s, whose power a sensor tells every period_s. */
struct guidance guidance_of(double time_s, double period_s);

/* How many points of one execution a number of runs is expected to give. */
double guidance_expected_points(double runs, double time_s, double period_s);

#endif
