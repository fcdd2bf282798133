/* SPDX-License-Identifier: MIT */
/*
 * The rows by layer: one for every layer in which something ran, and for every layer around such.
 * A row comes after that of the layer around it.
 */
#ifndef PWRTRACE_LAYER_ROWS_H
#define PWRTRACE_LAYER_ROWS_H

#include "analyzer/ledger/ledger.h"

struct layer_rows;

/* Rows of ledger->rows, which are no others. */
struct layer_rows *layer_rows_new(struct ledger *ledger);

/* The row of a layer of a process, made with those around it where they are new.  api: of what ran
 * there. */
guint layer_rows_find(struct layer_rows *layers, const struct model_process *process,
	uint32_t layer, const char *api);

/* Takes the time of an execution of that row; in the order of their beginnings. */
void layer_rows_add(struct layer_rows *layers, guint row, uint32_t process,
	const struct model_execution *execution);

/* Charges a row with what a device drew while it waited there. */
void layer_rows_add_idle(struct layer_rows *layers, guint row, uint64_t idle_nj);

/* When the rows' own sums are known: gives each its node. */
void layer_rows_finish(struct layer_rows *layers);

/* Frees them; the rows stay. */
void layer_rows_free(struct layer_rows *layers);

#endif
