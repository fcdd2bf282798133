/* SPDX-License-Identifier: MIT */
/* Tradeoffs of time and energy, which users know as curves (critical --curves): what an execution
 * of a kernel takes and draws at several clocks. */
#ifndef PWRTRACE_CRITICAL_TRADEOFFS_H
#define PWRTRACE_CRITICAL_TRADEOFFS_H

#include <glib.h>

struct tradeoff_point {
	double time_s, energy_j;
};

struct tradeoffs {
	char *path;
	GHashTable *by_name; /* char * to GArray of struct tradeoff_point */
};

/* Reads a file of points (points_file.h), several to a name; those without an energy above 0 are
 * left out, with one warning, which may leave a name none.  Returns NULL after an error message;
 * else free with tradeoffs_free, which takes NULL too. */
struct tradeoffs *tradeoffs_read(const char *path);
void tradeoffs_free(struct tradeoffs *tradeoffs);

/* The points of a name, by struct tradeoff_point; NULL: the file has no such name. */
const GArray *tradeoffs_find(const struct tradeoffs *tradeoffs, const char *name);

#endif
