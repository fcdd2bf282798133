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

/* Reads a file of points (points_file.h), several to a name; those without an energy above 0 are
 * left out, with one warning, which may leave a name none.  Returns NULL after an error message;
 * else free with energy_curves_free, which takes NULL too. */
struct energy_curves *energy_curves_read(const char *path);
void energy_curves_free(struct energy_curves *curves);

/* The points of a name, by struct curve_point; NULL: the file has no such name. */
const GArray *energy_curves_find(const struct energy_curves *curves, const char *name);

#endif
