/* SPDX-License-Identifier: MIT */
/* What drew the energy of a time: shares of kernels and of layers. */
#ifndef PWRTRACE_CAUSES_H
#define PWRTRACE_CAUSES_H

#include "analyzer/ledger/ledger.h"

/* A kernel, or a layer without those inside it. */
struct power_cause {
	const char *by;   /* "kernel" or "layer" */
	const char *name; /* of a layer, its path */
	const char *short_name;
	const char *shape;   /* of a kernel; else "" */
	bool ambiguous;      /* another kernel has the same short name, and another shape */
	double share;        /* of the energy of the time */
	double share_of_all; /* of the energy of the whole curve */
};

/* The names of the kernels and layers of all origins. */
struct causes;

/* The ledger must outlive it.  Free with causes_free, after all that names causes. */
struct causes *causes_new(const struct ledger *ledger);
void causes_free(struct causes *causes);

/* The path of the layer of an origin (its number). */
const char *causes_layer(const struct causes *causes, uint32_t origin);

/* Returns the causes (struct power_cause) of a time, kernels before layers, those with the largest
 * shares first, without those below a hundredth.  in_time: uint64_t * in nJ by origin + 1; in_all:
 * in nJ by origin.  The energies are those that the shares are of.  The caller frees the array. */
GArray *causes_of(const struct causes *causes, GHashTable *in_time, double energy_j,
	const uint64_t *in_all, double all_j);

#endif
