/* SPDX-License-Identifier: MIT */
/*
 * Profiles of graphs: how the energy of a graph divides among its nodes, from a run in which each
 * node was timed.  By its profile, a graph that a later run times as a whole can be split into
 * nodes.
 *
 * A part of a graph is its nodes of one class.  Its share of the graph is
 *
 *	count · (mean energy of an execution of its class) / (the same, summed over the parts)
 *
 * or the same with the mean time, where energy is not known.  It applies to the static and to the
 * dynamic energy of the graph.  The interval of a part combines the interval of the graph's energy
 * and that of the share, which are from different runs and so independent; shares by time have
 * none.
 */
#ifndef PWRTRACE_GRAPH_PROFILE_H
#define PWRTRACE_GRAPH_PROFILE_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* The nodes of one class in a graph.  Strings are as in struct ledger_row, but a kernel's name is
 * mangled; they belong to the profiles. */
struct graph_profile_part {
	const char *kind, *api, *name, *shape;
	uint64_t count;      /* of such nodes in the graph */
	uint64_t executions; /* of the class, that were timed */
	double mean_time_ns; /* of an execution */
	double energy_share; /* 0 to 1; NaN: unknown, then for all parts of the graph */
	double share_ci95;   /* half the 95 % interval of energy_share; NaN: unknown */
};

struct graph_profile {
	const char *signature;
	uint64_t nodes;
	uint64_t launches; /* of which the nodes were timed */
	GArray *parts;     /* struct graph_profile_part */
};

struct graph_profiles {
	GPtrArray *graphs; /* struct graph_profile *, in the order in which they were added */
	GHashTable *by_signature;
	GStringChunk *strings;
	uint64_t left_out; /* graphs without a profile, since some class of nodes was never timed */
};

/* The profiles of all graphs of a ledger's model; free with graph_profiles_free. */
struct graph_profiles *graph_profiles_of(const struct ledger *ledger);

/* Reads a file that graph_profiles_write() has written.  Returns NULL, after an error message,
 * where it cannot be used; else free with graph_profiles_free. */
struct graph_profiles *graph_profiles_read(const char *path);

/* Writes JSON in the schema pwrtrace-graphs/1, which pwrtrace-graphs(1) describes. */
void graph_profiles_write(FILE *out, const struct graph_profiles *profiles);

void graph_profiles_free(struct graph_profiles *profiles);

/* The profile of the graphs with a signature, or NULL. */
const struct graph_profile *graph_profile_find(
	const struct graph_profiles *profiles, const char *signature);

/* For the functions that make profiles: an empty set of profiles, and the profile of a signature,
 * made where it is new. */
struct graph_profiles *graph_profiles_new(void);
struct graph_profile *graph_profile_add(struct graph_profiles *profiles, const char *signature);

/* Removes profile i, and counts it in left_out. */
void graph_profile_leave_out(struct graph_profiles *profiles, guint i);

/* Splits a row of the graph's launches into rows of its parts, parts[profile->parts->len].  Their
 * times, energies and static energies add up exactly to the row's.  They own their names
 * (rows_clear); other fields are as in the row. */
void graph_profile_split(const struct graph_profile *profile, const struct ledger_row *row,
	struct ledger_row *parts);

#endif
