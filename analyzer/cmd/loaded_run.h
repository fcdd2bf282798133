/* SPDX-License-Identifier: MIT */
/* A trace of which runs are compared: loaded, attributed and summed up. */
#ifndef PWRTRACE_CMD_LOADED_RUN_H
#define PWRTRACE_CMD_LOADED_RUN_H

#include "analyzer/cmd/analysis.h"
#include "analyzer/compare/run.h"

struct loaded_run {
	struct analysis analysis;
	struct ledger *kernels, *layers;
	struct compare_run *run;
};

/* Loads a trace, which must outlive the result; layers deeper than depth are part of the one that
 * they are in (0: no limit).  Returns NULL after an error message; else free with loaded_run_free.
 */
struct loaded_run *loaded_run_new(
	const struct analysis_options *options, const char *trace, size_t depth);
void loaded_run_free(void *loaded);

#endif
