/* SPDX-License-Identifier: MIT */
/* The times of the highest windows, and what drew their energy. */
#ifndef PWRTRACE_EXTREMES_H
#define PWRTRACE_EXTREMES_H

#include "analyzer/power/sweep.h"

struct extreme {
	guint unit;   /* as in a power_visitor */
	guint window; /* the place of its length */
	struct model_span span;
	__int128 energy_fj; /* as modelled */
	GHashTable *parts;  /* uint64_t * in nJ, by origin + 1 */
};

/* All extremes; free with extremes_free. */
struct extremes;

/* sum_unit: as in a power_visitor. */
struct extremes *extremes_new(guint sum_unit);
void extremes_free(struct extremes *extremes);

/* Adds one, with what is not about energy set; all, before the first energy. */
void extremes_add(struct extremes *extremes, const struct extreme *extreme);

/* Adds the energy of a stretch, those of a unit in the order in which they begin; or of an
 * execution of a unit, all in that order. */
void extremes_add_stretch(
	struct extremes *extremes, guint unit, const struct power_stretch *stretch);
void extremes_add_execution(
	struct extremes *extremes, guint unit, const struct execution_energy *attributed);

/* NULL where there is none. */
const struct extreme *extremes_find(const struct extremes *extremes, guint unit, guint window);

#endif
