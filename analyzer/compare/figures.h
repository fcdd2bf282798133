/* SPDX-License-Identifier: MIT */
/*
 * What one execution of a kernel takes, one opening of a layer, or one unit of a program's work:
 *
 *	energy = power × time      edp = energy × time      cycles = time × busy × clock
 *
 * where busy is the part of the time in which the device ran something: 1 but for whole programs.
 * So ln energy = ln cycles - ln clock - ln busy + ln power exactly, and a change of energy is the
 * product of the changes of these four.
 */
#ifndef PWRTRACE_FIGURES_H
#define PWRTRACE_FIGURES_H

#include <glib.h>
#include <stdbool.h>

enum figure {
	FIGURE_TIME,   /* s */
	FIGURE_POWER,  /* W */
	FIGURE_ENERGY, /* J */
	FIGURE_EDP,    /* the energy-delay product: J s */
	FIGURE_CYCLES,
	FIGURE_CLOCK, /* Hz */
	FIGURE_BUSY,
	FIGURES
};

struct figure_about {
	const char *name; /* as in --fail-over, and in JSON */
	const char *key;  /* of its value in JSON, with the unit */
	bool from_sensor; /* the gain of a board's sensor is in it */
};
extern const struct figure_about figure_about[FIGURES];

/* NaN: not known. */
struct figures {
	double value[FIGURES];
	double part95[FIGURES]; /* half of the 95 % interval, as a part of the value */
	double throttled;       /* the part of the time that was throttled, */
	double at_limit;        /* and that which was by the limit of power */
};

/* Sets the others by time, power, clock and busy, which are set with their intervals.  Where how
 * much time varies is not known, as of a layer, energy and EDP are as uncertain as power alone. */
void figures_complete(struct figures *figures);

/* What the mean of runs (struct figures) has in common with each of them, in a figure that a sensor
 * is in: what is wrong with power, as a prior or the sensor's response, is wrong alike in all runs
 * of a program, so that neither their number makes it less nor their spread shows it.  Half of its
 * 95 % interval as a part of the value: that of power, the root of the runs' mean square; 0 where
 * there is none or it is not known. */
double figures_common95(enum figure figure, const GArray *runs);

/* The geometric mean of runs (struct figures, one at least): products stay products.  A figure is
 * the mean of the runs that know it, and its interval that of runs which are independent but for
 * figures_common95. */
struct figures figures_mean(const GArray *runs);

#endif
