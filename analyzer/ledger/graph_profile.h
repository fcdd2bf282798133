/* SPDX-License-Identifier: MIT */
/*
 * What the nodes of graphs cost, from a run in which each node was timed.  A later run that times
 * the same graph as one unit can be split by it.
 *
 * The share of a part is
 *
 *	count * (mean of an execution of its class in that run) / (the same, summed over the parts)
 *
 * by energy, and by time where energy is not known.  By the same share a part has the static and
 * the dynamic energy of the graph.  Its interval is made of that of the graph's energy and that of
 *the share, which come from different runs; shares by time have none.
 */
#ifndef PWRTRACE_GRAPH_PROFILE_H
#define PWRTRACE_GRAPH_PROFILE_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* A class of nodes: strings as in struct ledger_row, but a kernel's name is mangled. */
struct graph_profile_part {
	const char *kind, *api, *name, *shape;
	uint64_t count;      /* such nodes in the graph */
	uint64_t executions; /* that were timed */
	double mean_time_ns;
	double energy_share; /* 0 to 1; NaN: unknown, for all parts of the graph */
	double share_ci95;   /* half the 95 % interval of that; NaN: unknown */
};

struct graph_profile {
	const char *signature;
	uint64_t nodes;
	uint64_t launches; /* whose nodes were timed */
	GArray *parts;     /* struct graph_profile_part */
};

struct graph_profiles {
	GPtrArray *graphs; /* struct graph_profile *, as first seen */
	GHashTable *by_signature;
	GStringChunk *strings;
	uint64_t left_out; /* graphs with nodes of which no execution was timed */
};

/* From executions whose energies are attributed. */
struct graph_profiles *graph_profiles_of(const struct ledger *ledger);

/* Returns NULL after saying why the file cannot be used. */
struct graph_profiles *graph_profiles_read(const char *path);

/* As JSON, in the schema pwrtrace-graphs/1 that pwrtrace-graphs(1) describes. */
void graph_profiles_write(FILE *out, const struct graph_profiles *profiles);

void graph_profiles_free(struct graph_profiles *profiles);

/* NULL where there is none. */
const struct graph_profile *graph_profile_find(
	const struct graph_profiles *profiles, const char *signature);

/* For those that fill it: empty ones, and the graph of a signature, made where it is new. */
struct graph_profiles *graph_profiles_new(void);
struct graph_profile *graph_profile_add(struct graph_profiles *profiles, const char *signature);

/* Counts a graph that cannot be used as left out, and forgets it. */
void graph_profile_leave_out(struct graph_profiles *profiles, guint i);

/* Splits a row of the graph's launches into rows of its parts, as many as those, whose times,
 * energies and static energies add up to the row's.  They own their names; device and signature are
 * the row's. */
void graph_profile_split(const struct graph_profile *profile, const struct ledger_row *row,
	struct ledger_row *parts);

#endif
