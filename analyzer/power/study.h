/* SPDX-License-Identifier: MIT */
/*
 * Power over time scales: for each device, and for the sum of all, moving averages over windows of
 * several lengths, what drew the power of the highest ones, how they compare with the limits, why
 * the clock was lowered, and the energy buffer that would smooth the power.
 *
 * Averages over windows of several of the sensor's are measured (unit.h).  Shorter ones are
 * modelled by the powers of executions, where the readings tell these apart; else they are not
 * known, nor are those of the sum over several machines, whose clocks agree by the time of day
 * alone.
 */
#ifndef PWRTRACE_POWER_STUDY_H
#define PWRTRACE_POWER_STUDY_H

#include "analyzer/power/causes.h"

#define POWER_SYNCHRONY_NS 1000000 /* the window by which coincidence is judged */

struct power_window {
	double window_s;
	double highest_w, lowest_w; /* NaN: not known, here and below */
	double ramp_w_per_s;        /* the steepest */
	const char *kind;           /* "measured" or "modelled"; NULL: not known */
	GArray *causes;             /* struct power_cause: of the highest one */
};

/* A reason for which the clock was lowered. */
struct power_throttle {
	char *reason;
	double share, time_s; /* of the time in which that is known */
};

/* Of a device, of several that are measured together, or of all. */
struct power_record {
	char *device;
	bool measured; /* by a sensor; of all: each of them; else all that follows is not known */
	double mean_w;
	double limit_w, edpp_w;         /* of the mean power and of its peaks */
	double above_limit, above_edpp; /* shares of the time */
	double buffer_j;
	const char *kind;  /* that of the three members before this */
	GArray *windows;   /* struct power_window */
	GArray *throttled; /* struct power_throttle */
};

struct power_study {
	const struct ledger *ledger;
	GArray *records;         /* struct power_record: of each device that a sensor measured or
				  * that ran something */
	struct power_record sum; /* of all; device is NULL where they cannot be summed */
	double coincidence;      /* the sum's peak / the sum of peaks; NaN: not known */
	struct causes *causes;
};

struct power_question {
	const GArray *windows_s; /* double, above 0 */
	double limit_w, edpp_w;  /* NaN: as in the traces */
	const char *layer;       /* the path of a layer, to look at its time only; NULL: at all */
};

/* Returns the answer, or NULL after an error message, where no device was measured or nothing ran
 * in the layer.  The ledger must outlive it.  Free with power_study_free. */
struct power_study *power_study_new(
	const struct ledger *ledger, const struct power_question *question);
void power_study_free(struct power_study *study);

#endif
