/* SPDX-License-Identifier: MIT */
/* When a sensor had new values: those of its readings that do not repeat the one before. */
#ifndef PWRTRACE_SENSOR_UPDATE_H
#define PWRTRACE_SENSOR_UPDATE_H

#include <glib.h>
#include <stdbool.h>

/* A new value, which appeared between two times; these are equal where the device stamped it. */
struct update {
	double from_s;
	double until_s;
	double value; /* W of a gauge, J of a counter */
};

#define UPDATE(updates, i) g_array_index(updates, struct update, i)

/* One reading, which took from begin_s to end_s. */
struct update_reading {
	double begin_s;
	double end_s;
	double value;
};

static inline double update_middle_s(const struct update *update)
{
	return (update->from_s + update->until_s) / 2;
}

/* stamped: each reading is a new value, of the time end_s; else a new value is one that differs
 * from the reading before.  readings: struct update_reading in order of time.  Returns struct
 * update; the caller frees it. */
GArray *updates_of(const GArray *readings, bool stamped);

/* The share of readings without stamps that had a new value. */
double updates_share(const GArray *updates, const GArray *readings);

#endif
