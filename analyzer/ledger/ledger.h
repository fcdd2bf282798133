/* SPDX-License-Identifier: MIT */
/*
 * The ledger: the one data structure that all reports read.  For each sensor
 *
 *	attributed + idle + unattributed = measured
 *
 * exactly, in integer nanojoules; and the rows' energies add up to what is attributed.
 */
#ifndef PWRTRACE_LEDGER_H
#define PWRTRACE_LEDGER_H

#include "analyzer/attribute/attribution.h"
#include "analyzer/model/layer_tree.h"
#include "analyzer/model/state.h"

struct ledger_balance {
	const char *device;
	const char *domain;
	const struct model_sensor *sensor;
	bool summed; /* in the totals: a top-level domain with readings */
	bool known;  /* some reading lies in the recording */
	uint64_t measured_nj;
	uint64_t attributed_nj;
	uint64_t idle_nj;
	uint64_t unattributed_nj;
};

/* A sum over rows. */
struct ledger_sums {
	uint64_t executions;
	uint64_t timed;
	uint64_t busy_ns;       /* in which any of them ran: the union of their times */
	uint64_t unmeasured_ns; /* of that, while no power was known: it has no energy */
	uint64_t energy_nj;
	uint64_t static_nj;
	bool static_known;
	double ci95_j;
	bool energy_known;
	bool idle_known;
	uint64_t
		idle_nj; /* of devices that ran nothing, while a layer was the innermost one open */
};

/* An iteration of the program: its first ones (of each process), and those after them.  NaN where
 * there are too few. */
struct ledger_steps {
	bool known;
	double first_j;  /* the mean of the first ones */
	double steady_j; /* of the others */
	double spread_j; /* their standard deviation */
};

/* A row of a tree, as layers are one. */
struct ledger_node {
	guint parent; /* its row, which is an earlier one; LEDGER_NO_ROW: outermost */
	guint depth;  /* counted from 1, the outermost */
	uint64_t busy_ns;
	uint64_t idle_nj; /* of the row alone, as in all */
	bool idle_known;
	struct ledger_sums all;    /* the row and those below it */
	struct ledger_steps steps; /* of all, without idle energy; not known without iterations */
};

#define LEDGER_NO_ROW G_MAXUINT

/* What was launched to learn powers, and not by the program. */
struct ledger_replays {
	uint64_t executions, time_ns, energy_nj;
};

struct ledger_row {
	char *name;
	char *short_name;
	char *shape;           /* "" where it has none */
	const char *kind;      /* of an execution: "kernel", "memory" or "graph"; else NULL */
	const char *signature; /* of a graph; else "" */
	const struct model_code *code; /* of a kernel, its first execution's; else NULL */
	const char *device;
	const char *api;
	uint64_t executions;
	uint64_t timed; /* of these, those whose times are known */
	uint64_t time_ns;
	uint64_t unmeasured_ns; /* of that, while no power was known: it has no energy */
	uint64_t energy_nj;
	uint64_t static_nj; /* of energy_nj, what the device would have drawn in any case */
	bool static_known;
	double ci95_j;            /* half the 95 % interval of energy_nj; negative: not known */
	const char *group;        /* of rows that cannot be told apart; or NULL */
	uint64_t begin_ns;        /* a launch: when it began; else of the first */
	uint32_t layer;           /* of a layer, its node in ledger->layers; else 0 */
	uint32_t call;            /* of a call path, its node in the model's calls; else 0 */
	struct ledger_node *node; /* of a layer, its place and what is inside it; else NULL */
	struct state_sums state;  /* of the device, while it ran */
	bool modelled;            /* not timed itself: its part of graphs, by a profile */
	struct ledger_replays replays; /* of a kernel: how it was replayed, not in the sums above */
	/* Every execution ran on a device whose power was measured or estimated, some has a time,
	 * and some of that is measured. */
	bool energy_known;
};

struct graph_profiles;

/* What ran while no power was known. */
struct ledger_unmeasured {
	uint64_t executions; /* wholly */
	uint64_t time_ns;    /* in all */
};

struct ledger {
	const struct attribution *attribution; /* from which, as borrowed: */
	const struct model *model;
	const GArray *sources; /* struct source */
	const GPtrArray *fits; /* struct fit * */
	const char *method;
	const char *domain; /* whose joules these are; NULL: of whole devices */
	bool estimated;
	const struct graph_profiles *graphs; /* to split graphs by; or NULL */
	const char *by;
	GPtrArray *group_names;
	GArray *balances; /* struct ledger_balance */
	struct ledger_balance total;
	struct measured_times *measured; /* when power is known */
	struct ledger_unmeasured unmeasured;
	struct ledger_replays replays; /* of what is attributed, all of them */
	GArray *rows;                  /* struct ledger_row */
	struct layer_tree *layers;
	struct timeline *timeline;     /* by layer: when which were open; else NULL */
	struct iterations *iterations; /* by layer, where there are any; else NULL */
	uint64_t gap_ns; /* of the recordings, what no power is known of; may be unknown itself */
};

struct ledger_by {
	const char *name;
	const char *help;
};

/* More is worth a word: less is what the first and the last reading of a run leave out. */
#define LEDGER_UNMEASURED_NOTABLE 0.01

static inline bool ledger_notably_unmeasured(uint64_t unmeasured_ns, uint64_t time_ns)
{
	return (double)unmeasured_ns > LEDGER_UNMEASURED_NOTABLE * (double)time_ns;
}

/* Where it ran at all, some execution has a time. */
static inline bool ledger_time_known(const struct ledger_row *row)
{
	return row->timed || !row->executions;
}

/* What rows can be made of, ended by a NULL name. */
extern const struct ledger_by ledger_bys[];

struct ledger_options {
	const char *by;
	guint depth; /* of layers: deeper ones are part of the one that they are in; 0: all */
	const char *iterations; /* by layer: the mark or layer that tells them apart; NULL: found */
	const struct graph_profiles *graphs; /* by kernel, those that it knows are split; or NULL */
};

/* Sums an attribution, which must outlive the ledger.  by is one of ledger_bys.  ledger_free it. */
struct ledger *ledger_make(
	const struct attribution *attribution, const struct ledger_options *options);
void ledger_free(struct ledger *ledger);

#endif
