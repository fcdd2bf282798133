/* SPDX-License-Identifier: MIT */
/*
 * The ledger: an attribution summed into rows and balances, from which all reports are printed. For
 * each source
 *
 *	attributed + idle + unattributed + replay = measured
 *
 * exactly, in integer nanojoules; and the energies of the rows add up to what is attributed.
 */
#ifndef PWRTRACE_LEDGER_H
#define PWRTRACE_LEDGER_H

#include "analyzer/attribute/attribution.h"
#include "analyzer/model/collective.h"
#include "analyzer/model/layer_tree.h"
#include "analyzer/model/state.h"
#include "pwrtrace/parts.h"

/* The balance of a sensor, or of the same sensor in several recordings. */
struct ledger_balance {
	const char *device;
	const char *domain;
	const struct model_sensor *sensor;
	const struct model_recording *recording; /* the first of its machine that has it */
	bool summed; /* it is part of the total: the domain is a top-level one */
	bool known;  /* there are readings within the recording */
	uint64_t measured_nj;
	uint64_t attributed_nj;
	uint64_t idle_nj;
	uint64_t unattributed_nj;
	uint64_t replay_nj;
};

/* Sums over a row and those below it; members are as in struct ledger_row unless noted. */
struct ledger_sums {
	uint64_t executions;
	uint64_t timed;
	uint64_t busy_ns;       /* the length of the union of their executions' times */
	uint64_t unmeasured_ns; /* the part of busy_ns without known power */
	uint64_t energy_nj;
	uint64_t static_nj;
	bool static_known;
	double ci95_j;
	bool energy_known;
	bool idle_known;
	uint64_t idle_nj; /* of idle devices, while one of the layers was the innermost open one */
};

/* The energy of an iteration, by statistics over all.  NaN where there are too few. */
struct ledger_steps {
	bool known;
	double first_j;  /* the mean of each process's first iteration */
	double steady_j; /* the mean of the others */
	double spread_j; /* the standard deviation of the others */
};

/* The place of a row in a tree of rows, as those of layers are. */
struct ledger_node {
	guint parent; /* the row around it, with a smaller index; LEDGER_NO_ROW: none */
	guint depth;  /* 1: outermost */
	/* As in struct ledger_sums, of the row alone: */
	uint64_t busy_ns;
	uint64_t idle_nj;
	bool idle_known;
	struct ledger_sums all;    /* the row and those below it */
	struct ledger_steps steps; /* of all, without idle energy; not known without iterations */
};

#define LEDGER_NO_ROW G_MAXUINT

/* Executions of replays (model/replays.h), which the program did not launch; no sum contains them.
 */
struct ledger_replays {
	uint64_t executions, time_ns, energy_nj;
	/* Of a row: half the 95 % interval of energy_nj; negative: not known. */
	double ci95_j;
	struct state_sums state; /* of a row: of the device, during the executions */
};

/* Of a row by collective: those of its executions whose ranks are all known (model/collective.h).
 */
struct ledger_meetings {
	uint64_t executions, time_ns;
	uint64_t waited_ns; /* of time_ns, for ranks that began later */
	uint64_t waited_nj; /* its share of their energy, by time */
};

/* How busy a part of its device was while a row's executions ran, the mean over the devices that
 * were counted: a share of all that it can do, and half its 95 % interval; NaN where it was not
 * counted. */
struct ledger_utilization {
	double share, ci95;
};

/* A sum over executions that have something in common, as the kernel or the layer.  The row owns
 * name, short_name, label, shape, node and utilization (rows_clear). */
struct ledger_row {
	char *name;
	char *short_name;
	char *label;                   /* what people call it (row_label.h) */
	char *shape;                   /* "": none */
	const char *kind;              /* "kernel", "memory" or "graph"; NULL: a sum over several */
	const char *signature;         /* of a graph; else "" */
	const struct model_code *code; /* of a kernel, that of its first execution; else NULL */
	const char *device;
	const char *api;
	uint64_t executions;
	uint64_t timed;         /* executions whose times are known */
	uint64_t time_ns;       /* the sum of their durations */
	uint64_t unmeasured_ns; /* the part of time_ns without known power, which has no energy */
	uint64_t energy_nj;
	uint64_t static_nj; /* the static energy in energy_nj */
	bool static_known;
	double ci95_j;            /* half the 95 % interval of energy_nj; negative: not known */
	const char *group;        /* of rows that readings cannot tell apart; NULL: none */
	const char *library;      /* how a library knows its power; NULL: not */
	uint64_t begin_ns;        /* when the first execution began */
	uint32_t layer;           /* of a layer, its node in ledger->layers; else 0 */
	uint32_t call;            /* of a call path, its node in model->call_tree; else 0 */
	uint32_t process;         /* of a process or its stream, its index + 1; else 0 */
	struct ledger_node *node; /* of a layer, its place in the tree of rows; else NULL */
	struct state_sums state;  /* of the device, during the executions */
	struct ledger_utilization
		*utilization;          /* by part (pwrtrace/parts.def); NULL: none was counted */
	bool modelled;                 /* not timed itself: split off graphs by a profile */
	struct ledger_replays replays; /* of a kernel that was replayed */
	const struct model_exchange *exchange; /* by collective; NULL: it is of none */
	struct ledger_meetings meetings;
	/* How the logarithm of its time without waiting grows with that of its bytes, towards the
	 * row of the same kind and ranks that is nearest in size; NaN: there is none. */
	double slope;
	/* All executions ran on devices whose power was measured or estimated; and some of their
	 * time is known, and has known power. */
	bool energy_known;
};

struct graph_profiles;

/* Executions at times without known power. */
struct ledger_unmeasured {
	uint64_t executions; /* that ran at such times only */
	uint64_t time_ns;    /* of all executions */
	uint64_t ran_ns;     /* how long all executions took, with this time */
};

struct ledger {
	const struct attribution *attribution;
	const struct model *model; /* this and the next five are the attribution's */
	const GArray *sources;     /* struct source */
	const GPtrArray *fits;     /* struct fit * */
	const char *method;
	const char *domain; /* the domain that was asked for; NULL: whole devices */
	bool estimated;     /* some of the energy is an estimate */
	bool all_estimated; /* no sensor measured any of it */
	const struct graph_profiles *graphs; /* by which graphs are split; NULL: none */
	const char *by;                      /* the name of one of ledger_bys */
	GPtrArray *group_names;              /* char *: owns the names of groups */
	GArray *balances;                    /* struct ledger_balance */
	struct ledger_balance total;         /* of the balances that are summed */
	struct measured_times *measured;     /* when power is known */
	struct ledger_unmeasured unmeasured;
	struct ledger_replays replays; /* of all, with copies that save and restore memory */
	GArray *rows;                  /* struct ledger_row */
	struct layer_tree *layers;
	struct timeline *timeline;     /* NULL: the model was loaded without layers */
	struct iterations *iterations; /* NULL: no timeline, or nothing is repeated */
	uint64_t gap_ns; /* the longest time of a recording without known power; may be unknown */
};

/* What rows can be summed by. */
struct ledger_by {
	const char *name;
	const char *help;
};

/* A larger fraction of time without known power is reported; a smaller one is normal, before the
 * first and after the last reading of a run. */
#define LEDGER_UNMEASURED_NOTABLE 0.01

static inline bool ledger_notably_unmeasured(uint64_t unmeasured_ns, uint64_t time_ns)
{
	return (double)unmeasured_ns > LEDGER_UNMEASURED_NOTABLE * (double)time_ns;
}

/* Below this slope of a row by collective, latency takes more of its time than moving data does. */
#define LEDGER_LATENCY_SLOPE 0.5

static inline bool ledger_by_collective(const struct ledger *ledger)
{
	return strcmp(ledger->by, "collective") == 0;
}

/* How many executions the program launched. */
static inline uint64_t ledger_executions(const struct ledger *ledger)
{
	return ledger->model->executions->len - ledger->replays.executions;
}

/* Whether the time of a row is known: that of some execution is, or it has none. */
static inline bool ledger_time_known(const struct ledger_row *row)
{
	return row->timed || !row->executions;
}

/* All of them, ended by a NULL name. */
extern const struct ledger_by ledger_bys[];

/* How to sum an attribution. */
struct ledger_options {
	const char *by; /* the name of one of ledger_bys */
	guint depth;    /* of the layers; deeper ones are part of those around them; 0: all */
	const char *iterations; /* the mark or layer of iterations (iterations.h); or NULL */
	const struct graph_profiles *graphs; /* by kernel: profiles to split graphs by; or NULL */
};

/* Sums an attribution.  The attribution and what the options point to must outlive the ledger,
 * which the caller frees with ledger_free. */
struct ledger *ledger_make(
	const struct attribution *attribution, const struct ledger_options *options);
void ledger_free(struct ledger *ledger);

#endif
