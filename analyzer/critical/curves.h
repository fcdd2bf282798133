/* SPDX-License-Identifier: MIT */
/* Curves of time and energy: what an execution of a kernel takes and draws at several clocks. */
#ifndef PWRTRACE_CRITICAL_CURVES_H
#define PWRTRACE_CRITICAL_CURVES_H

#include <glib.h>

struct curve_point {
	double time_s, energy_j;
};

struct energy_curves {
	char *path;
	GHashTable *by_name; /* char * to GArray of struct curve_point */
};

/* Reads a table with the columns name, time_s and energy_j, separated by commas, with a row for
 * each point, several to a name.  Returns NULL after an error message; else free with
 * energy_curves_free, which takes NULL too. */
struct energy_curves *energy_curves_read(const char *path);
void energy_curves_free(struct energy_curves *curves);

/* The points of a name; NULL: there are none. */
const GArray *energy_curves_find(const struct energy_curves *curves, const char *name);

#endif
