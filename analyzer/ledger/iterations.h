/* SPDX-License-Identifier: MIT */
/*
 * What an iteration of the program cost.
 *
 * Iterations are told apart by a mark, which ends one: the first of a process begins with its first
 * launch, and what follows the last mark is outside.  Or by a layer that is opened again and again:
 * one begins where the layer is opened, on the thread of the process that did so first, and ends
 * where the next begins, the last one where that thread has no layer open any more.
 *
 * An execution belongs to the iteration in which its process launched it, whenever it ran.  What a
 * device draws while it runs nothing is the iteration's at that time; of several processes'
 * equally.
 */
#ifndef PWRTRACE_ITERATIONS_H
#define PWRTRACE_ITERATIONS_H

#include "analyzer/ledger/ledger.h"

struct iteration {
	uint64_t begin_ns, end_ns;
	double amount; /* of the mark that ends it; else 0 */
	uint64_t energy_nj, idle_nj;
	uint64_t busy_ns, unmeasured_ns; /* of what ran, each by itself; while no power was known */
};

struct iterations {
	const char *from; /* "mark" or "layer" */
	char *name;
	const char *unit; /* of the mark; else "" */
	GArray *list; /* struct iteration: of one process after the other, in the order of time */
	guint *first; /* by process: index of its first one in list; and the end of the last */
	struct iteration outside;
	struct ledger_steps steps; /* of energy and idle energy */
	double steady_amount;      /* the mean after the first ones */
	guint partly; /* how many were measured in part only, and are in none of these */

	struct ledger *ledger;
	GPtrArray *tables; /* struct table *: uint64_t nJ by iteration, by row */
};

/* By the mark or layer of that name, a path too; NULL: by the mark that was there most often, one
 * that counts work before others, else by the outermost layer that was opened more than once, of
 * several the one that was most often. Returns NULL where nothing is there twice. */
struct iterations *iterations_new(struct ledger *ledger, const char *name);
void iterations_free(struct iterations *iterations);

/* An execution of a row. */
void iterations_add(
	struct iterations *iterations, guint row, const struct execution_energy *attributed);

/* When all are added and the rows have nodes: sets the steps of all, and each node's. */
void iterations_finish(struct iterations *iterations);

/* For iterations_new: sets from, name, unit, list and first; false where nothing is there twice. */
bool iterations_find(struct iterations *iterations, const char *name);

static inline guint iterations_processes(const struct iterations *iterations)
{
	return iterations->ledger->model->processes->len;
}

static inline struct iteration *iterations_at(const struct iterations *iterations, guint i)
{
	return &g_array_index(iterations->list, struct iteration, i);
}

#endif
