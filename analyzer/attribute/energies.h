/* SPDX-License-Identifier: MIT */
/*
 * The energies of executions while they are computed: a sliding window over executions, from the
 * first that may still get energy to the last that has got some.  It spans a few seconds of a run.
 */
#ifndef PWRTRACE_ENERGIES_H
#define PWRTRACE_ENERGIES_H

#include <glib.h>
#include <stdint.h>

/* The energy of an execution, in nJ. */
struct energy {
	uint64_t energy_nj;
	/* The fraction of it that is static power; NaN where some of the energy was not divided by
	 * fitted powers. */
	float static_part;
};

struct energies {
	struct energy *slots; /* a ring buffer: by execution index modulo room */
	guint room;           /* the number of slots, a power of two */
	guint first;          /* the index of the first execution in the window */
};

/* Begins an empty window at execution 0; frees it. */
void energies_begin(struct energies *energies);
void energies_end(struct energies *energies);

/* The energy of an execution (its index, at or after first), to be added to.  Valid until the next
 * call. */
struct energy *energies_at(struct energies *energies, guint execution);

/* Removes the first execution from the window, and returns its energy. */
struct energy energies_take(struct energies *energies);

#endif
