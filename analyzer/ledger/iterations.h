/* SPDX-License-Identifier: MIT */
/*
 * The energy of each iteration of the program.
 *
 * Iterations are found by a mark, which ends one: the first of a process begins with its first
 * launch, and what follows the last mark is in none.  Marks of several things, as "tokens#A" and
 * "tokens#B" of two requests, end one together if nothing is launched between them.  Or by a layer
 * that is opened repeatedly: an iteration begins where the layer is opened, on the first thread of
 * the process to do so, and ends where the next begins; the last one ends where that thread has no
 * layer open any more.
 *
 * An execution belongs to the iteration in which its process launched it, whenever it ran.  Idle
 * energy belongs to the iteration at its time, and is divided equally where several processes are
 * in one.  What was drawn for replays is in none.
 */
#ifndef PWRTRACE_ITERATIONS_H
#define PWRTRACE_ITERATIONS_H

#include "analyzer/ledger/ledger.h"

struct iteration {
	uint64_t begin_ns, end_ns; /* of the host */
	uint64_t done_ns;          /* when the last of its executions ended; 0: it has none */
	double amount;             /* of work: that of the mark that ends it; else 0 */
	uint64_t energy_nj, idle_nj;
	uint64_t replay_ns;     /* the part of its time in which replays held its machine up */
	uint64_t busy_ns;       /* the sum of its executions' durations */
	uint64_t unmeasured_ns; /* the part of busy_ns without known power */
};

struct iterations {
	const char *from; /* "mark" or "layer" */
	char *name;
	const char *unit; /* of the mark; else "" */
	GArray *list;     /* struct iteration, by process, then by time */
	guint *first; /* [processes + 1]: the index in list of each process's first one, and the end
		       */
	guint *found; /* [processes]: the index that iterations_index() found last */
	struct iteration outside;  /* what is in no iteration */
	struct ledger_steps steps; /* of energy with idle energy */
	double steady_amount;      /* the mean amount after the first iterations */
	guint partly; /* how many are left out of steps and steady_amount: not measured as a whole
		       */

	struct ledger *ledger;
	GPtrArray *tables; /* struct table *, by row: uint64_t nJ by iteration */
};

/* Finds the iterations of a ledger's model, by the mark or the layer of a name (of a layer, its
 * path is fine too).  NULL: by the most frequent mark, those with amounts before others; else by
 * the outermost layer that was opened more than once, and of several the most frequent one. Returns
 * NULL where nothing occurs twice; else free with iterations_free. */
struct iterations *iterations_new(struct ledger *ledger, const char *name);
void iterations_free(struct iterations *iterations); /* NULL is fine */

/* Adds an execution, of which so long was not measured, to its iteration and to that of a row (its
 * index). */
void iterations_add(struct iterations *iterations, guint row,
	const struct execution_energy *attributed, uint64_t unmeasured_ns);

/* Sets the steps of the iterations and of the node of each row that has one, when all executions
 * are added. */
void iterations_finish(struct iterations *iterations);

/* Whether power was known for (nearly) all of an iteration; others are left out of statistics. */
bool iteration_is_whole(const struct iteration *iteration);

/* For iterations_new: sets from, name, unit, list and first.  Returns false where nothing occurs
 * twice. */
bool iterations_find(struct iterations *iterations, const char *name);

/* The index in list of a process's iteration at a time; list->len where the time is outside of all.
 */
guint iterations_index(const struct iterations *iterations, uint32_t process, uint64_t time_ns);

static inline guint iterations_processes(const struct iterations *iterations)
{
	return iterations->ledger->model->processes->len;
}

static inline struct iteration *iterations_at(const struct iterations *iterations, guint i)
{
	return &g_array_index(iterations->list, struct iteration, i);
}

#endif
