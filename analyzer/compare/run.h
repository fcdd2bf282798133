/* SPDX-License-Identifier: MIT */
/* What a comparison needs to know of one run: the figures of its kernels, layers and the whole, and
 * under which conditions it ran. */
#ifndef PWRTRACE_COMPARE_RUN_H
#define PWRTRACE_COMPARE_RUN_H

#include "analyzer/compare/figures.h"
#include "analyzer/ledger/ledger.h"

/* A kernel of all devices together, a layer with all inside it, or the whole program. */
struct run_row {
	const char *by;                        /* "kernel", "layer" or "total" */
	const char *name, *short_name, *shape; /* "": none */
	double count;    /* executions, openings (executions where it was never opened), or units */
	double energy_j; /* of all of them; NaN: not known */
	bool modelled;   /* not timed itself */
	bool left_out;   /* not to be shown */
	struct figures figures;
};

/* Under which conditions it ran; texts list what differs within the run, with commas. */
struct run_conditions {
	char *device, *board, *driver, *sensor;
	double limit_w, clock_hz, throttled, at_limit; /* while kernels ran; NaN: not known */
};

/* What the program did, by its most frequent mark of a unit: an amount of that. */
struct run_work {
	const char *mark, *unit;
	double amount;
};

struct compare_run {
	const struct ledger *kernels;
	GArray *rows;         /* struct run_row: kernels, then layers */
	GHashTable *alike;    /* the first of these rows of each kernel and layer, for find */
	struct run_row total; /* of the whole run: count is 1 */
	bool partly_measured; /* so its total energy is not known, though some was measured */
	struct run_conditions conditions;
	GArray *work; /* struct run_work, by descending number of marks of it */
};

/* Whether two rows (const struct run_row *) are of the same kernel or layer; and, for hash tables,
 * a hash of which. */
gboolean run_row_alike(gconstpointer a, gconstpointer b);
guint run_row_hash(gconstpointer row);

/* Whether a row of a ledger is to be shown. */
typedef bool compare_passes(
	const void *data, const struct ledger *ledger, const struct ledger_row *row);

/* Sums a run up.  kernels and layers are ledgers of one attribution by kernel and by layer, which
 * must outlive the result; free with compare_run_free. */
struct compare_run *compare_run_new(const struct ledger *kernels, const struct ledger *layers,
	compare_passes *passes, const void *data);
void compare_run_free(struct compare_run *run);

/* The row of a run that is alike; NULL: there is none. */
const struct run_row *compare_run_find(const struct compare_run *run, const struct run_row *wanted);

/* The run's work in a unit; NULL: none.  It belongs to the run. */
const struct run_work *compare_run_work(const struct compare_run *run, const char *unit);

/* How much of a unit of work the run did; 0: none. */
double compare_run_amount(const struct compare_run *run, const char *unit);

/* The figures of the whole for one of so many units of work. */
struct figures compare_run_per(const struct compare_run *run, double units);

#endif
