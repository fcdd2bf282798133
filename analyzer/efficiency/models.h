/* SPDX-License-Identifier: MIT */
/*
 * What models cost at which settings: runs with the tags "model", "gpu" and "batch", and of those
 * with the same ones a row.
 *
 * J/request = steady J/token × mean number of output tokens: Jae-Won Chung et al., "The ML.ENERGY
 * Benchmark: Toward Automated Inference Energy Measurement and Optimization", NeurIPS 2025, where
 * J/token is measured while the server is as busy as it gets.
 */
#ifndef PWRTRACE_EFFICIENCY_MODELS_H
#define PWRTRACE_EFFICIENCY_MODELS_H

#include "analyzer/efficiency/run.h"

/* Texts are of the models of the runs; NaN: not known. */
struct efficiency_model {
	const char *model, *gpu, *batch;
	double j_per_token;
	double output; /* mean tokens that come out of a request */
	double j_per_request;
	double tpot_s;
	bool cheapest; /* the fewest joules for a request of those within the deadline */

	struct efficiency_steady steady;
};

/* The first of these tags that a trace lacks, a string constant; NULL: it has all. */
const char *models_lack(const struct model *model);

/* Whether traces that were loaded as one have unlike values of the tag "model". */
bool models_differ(const struct model *model);

/* The rows of runs (const struct efficiency_run *), in the order of their first ones.  deadline_s:
 * for a token after the first; NaN: none.  Returns NULL after an error message, where a run lacks a
 * tag, or no row is within the deadline; else the caller frees the array of struct
 * efficiency_model. */
GArray *models_of(const GPtrArray *runs, double deadline_s);

#endif
