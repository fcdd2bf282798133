/* SPDX-License-Identifier: MIT */
/* What pwrtrace efficiency prints: each function writes a const struct efficiency_result *. */
#ifndef PWRTRACE_EFFICIENCY_VIEW_H
#define PWRTRACE_EFFICIENCY_VIEW_H

#include <stdio.h>

#include "analyzer/efficiency/models.h"

struct efficiency_result {
	const GPtrArray *runs; /* const struct efficiency_run *: one, or those that models are of */
	const GArray *models;  /* struct efficiency_model; NULL: there are no tags */
	double deadline_s;     /* NaN: none */
};

void efficiency_put_text(FILE *out, const void *result);
void efficiency_put_json(FILE *out, const void *result);
void efficiency_put_csv(FILE *out, const void *result);

/* Of all runs together: the energy, the tokens for each joule of it, and the mean power while it
 * was measured; NaN: not known. */
struct efficiency_totals {
	double total_j, tokens_per_j, power_w;
	bool partly_measured; /* the energy is too low, and the tokens for a joule are too many */
};

struct efficiency_totals efficiency_totals_of(const struct efficiency_result *result);

static inline const struct efficiency_run *efficiency_run_at(
	const struct efficiency_result *result, guint i)
{
	return g_ptr_array_index(result->runs, i);
}

#endif
