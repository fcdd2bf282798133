/* SPDX-License-Identifier: MIT */
/*
 * What executions have got so far, from the first one that may get more to the last one that has
 * got something: as many as begin within a few seconds, not all of a run.
 */
#ifndef PWRTRACE_ENERGIES_H
#define PWRTRACE_ENERGIES_H

#include <glib.h>
#include <stdint.h>

/* The energy of an execution, in nJ. */
struct energy {
	uint64_t energy_nj;
	/* The part of it, 0 to 1, that the device would have drawn in any case; NaN where no
	 * powers were fitted that explain all of the energy. */
	float static_part;
};

struct energies {
	struct energy *slots; /* by the last bits of an execution's index */
	guint room;           /* how many slots there are, a power of two */
	guint first;          /* the index of the first execution that may get more */
};

void energies_begin(struct energies *energies);
void energies_end(struct energies *energies);

/* That of an execution, by its index, at or after the first.  Valid until the next call. */
struct energy *energies_at(struct energies *energies, guint execution);

/* Takes the first one out: the next one is the first from then on. */
struct energy energies_take(struct energies *energies);

#endif
