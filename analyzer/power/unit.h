/* SPDX-License-Identifier: MIT */
/*
 * What power is asked of: a device, or several that are measured together only; and when how much
 * of it was measured: never, of one that ran something without a sensor.
 */
#ifndef PWRTRACE_POWER_UNIT_H
#define PWRTRACE_POWER_UNIT_H

#include "analyzer/attribute/attribution.h"
#include "analyzer/model/state.h"

#define POWER_UW_PER_W 1000000

/* The readings do not tell the power of a class whose interval is wider than this part of it; and
 * the modelled powers of a unit are not known where more than this part of its energy is of such
 * classes. */
#define POWER_UNCERTAIN_MOST 0.1

/* How far a reading is off, as a part of a window's length, for the window's average to be
 * measured: a reading is a mean over the sensor's response and stands for a period, so its energy
 * is off by the standard deviation of both.  An average is then wrong by no more than this part of
 * the difference between the highest and the lowest power, since only what crosses the window's
 * ends counts. */
#define POWER_BLUR_MOST 0.1

/* How far the times of day of two machines are taken to be apart: by NTP over the internet they are
 * so by a few milliseconds, on a local network by tens of microseconds (chrony-project.org). */
#define POWER_DAYS_APART_NS (10 * PWRTRACE_NS_PER_MS)

struct power_unit {
	char *name;
	uint32_t gpu;          /* its first device, an index in model->gpus */
	bool measured;         /* by a sensor, if only for a part of the time */
	const char *machine;   /* as in struct model_gpu */
	const struct fit *fit; /* by which executions got their powers; NULL: they have none */
	bool *uncertain;       /* by class of the fit: the readings do not tell its power */
	int needs;             /* how much must be known of it for its power to be: each domain that
				* is measured by itself, and that it is its own time */
	uint64_t window_ns;    /* over which a reading is a mean, at least their distance */
	uint64_t measures_ns;  /* the shortest window over which an average is measured */
	uint64_t idle_nj;      /* drawn while nothing ran */
};

/* From time_ns on, a unit's measured power is higher by power_uw, and `known` more is known of it;
 * or its state is another one. */
struct power_step {
	uint64_t time_ns;
	guint unit;
	int known; /* one for each domain; one for no replay; where restricted, one for that */
	int64_t power_uw;
	const struct model_state *state; /* NULL: this step is not about it */
};

struct power_units {
	const struct attribution *attribution;
	GArray *list;  /* struct power_unit */
	guint *of_gpu; /* by index in model->gpus; MODEL_NONE: neither was its power measured,
			* nor did it run anything */
	struct states *states; /* of all devices */
	GArray *steps;         /* struct power_step, in the order of time */
	bool summable;         /* their times can be compared */
	uint64_t apart_ns;     /* by how much they may be off against each other; 0: one machine */
};

/* The units that an attribution measured, or that ran something; it must outlive them.
 * power_units_free them. */
struct power_units *power_units_of(const struct attribution *attribution);
void power_units_free(struct power_units *units);

/* Restricts what is known to the time in which executions of some origins ran on a unit, or nothing
 * did before the next of them.  chosen: by number of the origin. */
void power_units_restrict(struct power_units *units, const bool *chosen);

static inline struct power_unit *power_unit_at(const struct power_units *units, guint i)
{
	return &g_array_index(units->list, struct power_unit, i);
}

/* Whether the readings do not tell the power of an execution on a unit. */
bool power_unit_uncertain(const struct power_unit *unit, const struct execution_energy *attributed);

/* The unit (its index) on which an execution of the program ran, or MODEL_NONE. */
static inline guint power_unit_of(
	const struct power_units *units, const struct model_execution *execution)
{
	const struct model_origin *origin = model_origin_of(units->attribution->model, execution);

	return origin->gpu == MODEL_NONE || origin->replayed != MODEL_OF_PROGRAM
		       ? MODEL_NONE
		       : units->of_gpu[origin->gpu];
}

#endif
