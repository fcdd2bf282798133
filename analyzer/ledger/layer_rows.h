/* SPDX-License-Identifier: MIT */
/*
 * The rows of a ledger by layer: one for each layer in which something ran, and for each layer
 * around such a layer.  The row of a layer comes after that of the layer around it.
 */
#ifndef PWRTRACE_LAYER_ROWS_H
#define PWRTRACE_LAYER_ROWS_H

#include "analyzer/ledger/ledger.h"

struct layer_rows;

/* Begins the rows of ledger->rows, which must be empty; the ledger must outlive the result.  Free
 * with layer_rows_free. */
struct layer_rows *layer_rows_new(struct ledger *ledger);

/* The row (its index) of a layer of a process, made with those around it where they are new.  api:
 * that of what ran there, for new rows. */
guint layer_rows_find(struct layer_rows *layers, const struct model_process *process,
	uint32_t layer, const char *api);

/* Adds the time of an execution, of which so long was not measured, to a row and those around it,
 * for their busy time.  To be called in the order in which executions began. */
void layer_rows_add(struct layer_rows *layers, guint row, uint32_t process,
	const struct model_execution *execution, uint64_t unmeasured_ns);

/* Charges a row with idle energy. */
void layer_rows_add_idle(struct layer_rows *layers, guint row, uint64_t idle_nj);

/* Makes the node of each row, when the rows' own sums are complete. */
void layer_rows_finish(struct layer_rows *layers);

/* Frees layers; the rows stay. */
void layer_rows_free(struct layer_rows *layers);

#endif
